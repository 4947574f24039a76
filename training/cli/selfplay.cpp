#include <algorithm>
#include <cstdio>
#include <memory>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "training/adjudication.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/compute.hpp"
#include "training/cli/config_file.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"
#include "training/run_dir.hpp"
#include "training/self_play.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kGamesPerShard = 4096;
constexpr std::uint64_t kMostGames = 1'000'000'000;

struct SelfPlayOptions {
  std::string checkpoint;
  std::uint64_t games = 1000;
  std::string out;
  RunConfig run;
  env::RuleSet rules;
  mcts::SearchConfig search = TrainingConfig().search;
  nn::EvaluatorConfig evaluator;
  SelfPlayConfig self_play;
  AdjudicationConfig adjudication;
};

// Full shards as the games come, the rest at the end.
class ShardWriter {
 public:
  ShardWriter(std::filesystem::path directory, Provenance provenance)
      : directory_(std::move(directory)), provenance_(std::move(provenance)) {}

  void add(std::vector<GameRecord> games) {
    std::move(games.begin(), games.end(), std::back_inserter(pending_));
    while (pending_.size() >= kGamesPerShard)
      write(kGamesPerShard);
  }

  void finish() {
    if (!pending_.empty()) write(pending_.size());
  }

 private:
  void write(std::size_t count) {
    ++provenance_.iteration;
    write_shard(shard_file(directory_, provenance_.iteration), provenance_,
                {pending_.data(), count});
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  std::filesystem::path directory_;
  Provenance provenance_;
  std::vector<GameRecord> pending_;
};

// No more slots than games.
SelfPlayConfig fit(SelfPlayConfig config, std::uint64_t games) {
  config.games = static_cast<int>(std::min(static_cast<std::uint64_t>(config.games), games));
  return config;
}

void prepare_directory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw InputError(ErrorKind::kWrite, path.string() + ": cannot create: " + error.message());
  }
  if (!std::filesystem::is_empty(path)) {
    throw InputError(ErrorKind::kFile, path.string() + ": is not empty; choose another --out");
  }
}

void validate(const SelfPlayOptions& options) {
  options.run.validate();
  options.rules.validate();
  options.search.validate();
  options.evaluator.validate();
  options.self_play.validate(options.search);
  options.adjudication.validate();
  if (options.games < 1 || options.games > kMostGames) {
    throw InputError(ErrorKind::kUsage, "--games: expected 1.." + std::to_string(kMostGames) +
                                            ", found " + std::to_string(options.games));
  }
}

void run_selfplay(const CLI::App& app, SelfPlayOptions& options) {
  const auto agent = load_agent(options.checkpoint);
  if (!rules_given(app)) options.rules = agent.rules.front();
  validate(options);
  require_rules(agent, options.rules);
  check_compute(options.run.threads);
  const auto table = open_table(options.adjudication, options.rules);
  prepare_directory(options.out);
  const auto network = nn::make_network_source(agent.weights, options.evaluator);
  std::fprintf(stderr, "evaluates with %s\n", network->name().c_str());
  SelfPlay self_play({fit(options.self_play, options.games),
                      {options.rules},
                      options.search,
                      options.run.seed,
                      options.games,
                      table,
                      options.adjudication.play_out_share});
  ShardWriter writer(options.out, {{options.rules},
                                   options.run.seed,
                                   agent.path.filename().string(),
                                   0,
                                   kGitRevision,
                                   table ? env::describe(*table) : ""});
  watch_interrupt();
  std::uint64_t played = 0;
  {
    Progress progress("selfplay", "games", options.games);
    while (self_play.active() && !interrupted()) {
      auto games = self_play.advance(0, options.run.threads, [&] { return network->make(); });
      played += games.size();
      progress.advance(games.size());
      writer.add(std::move(games));
    }
  }
  writer.finish();
  std::printf("%llu games in %s\n", static_cast<unsigned long long>(played), options.out.c_str());
}

}  // namespace

void add_selfplay(CLI::App& app) {
  auto options = std::make_shared<SelfPlayOptions>();
  CLI::App* selfplay = app.add_subcommand(
      "selfplay", "Let a checkpoint play against itself and log the trajectories (HDF5).");
  selfplay->add_option("--checkpoint", options->checkpoint, "checkpoint, weights file or run")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  add_field(*selfplay, "--games", options->games, "games to play");
  selfplay->add_option("--out", options->out, "directory for the shards, new or empty")
      ->required()
      ->check(check_not_empty)
      ->type_name("DIR");
  add_config_file(*selfplay);
  add_seed(*selfplay, options->run.seed);
  add_threads(*selfplay, options->run.threads);
  add_evaluator(*selfplay, options->evaluator);
  add_rules(*selfplay, options->rules);
  add_simulations(*selfplay, options->search);
  add_player_search(*selfplay, options->search);
  add_noise(*selfplay, options->search);
  add_self_play(*selfplay, options->self_play);
  add_adjudication(*selfplay, options->adjudication);
  selfplay->footer(
      "Example:\n"
      "  awale selfplay --checkpoint runs/first --games 10000 --out games --simulations 100\n"
      "\n"
      "The shards' fields are documented in training/README.md.");
  selfplay->callback([selfplay, options] { run_selfplay(*selfplay, *options); });
}

}  // namespace awale::training
