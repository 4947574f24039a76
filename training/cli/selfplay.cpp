#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "training/adjudication.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/config_file.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/external/follower.hpp"
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
  std::string follow;
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

void check_games(std::uint64_t games) {
  if (games >= 1 && games <= kMostGames) return;
  throw InputError(ErrorKind::kUsage, "--games: expected 1.." + std::to_string(kMostGames) +
                                          ", found " + std::to_string(games));
}

void validate(const SelfPlayOptions& options) {
  options.run.validate();
  options.rules.validate();
  options.search.validate();
  options.evaluator.validate();
  options.self_play.validate(options.search);
  options.adjudication.validate();
  check_games(options.games);
}

void run_selfplay(const CLI::App& app, SelfPlayOptions& options) {
  for (const char* name : {"--checkpoint", "--out"}) {
    if (app.get_option(name)->count() == 0)
      throw CLI::RequiredError(std::string(name) + " or --follow");
  }
  const auto agent = load_agent(options.checkpoint);
  if (!rules_given(app)) options.rules = agent.rules.front();
  validate(options);
  require_rules(agent, options.rules);
  const auto table = open_table(options.adjudication, options.rules);
  prepare_directory(options.out);
  const auto network = make_network_source(agent, options.evaluator);
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
  if (self_play.active()) throw Interrupted();
}

// Everything else is the run's.
bool is_followers_own(const std::string& option) {
  for (const char* own : {"follow", "games", "run.threads", "adjudication.table", "help"}) {
    if (option == own) return true;
  }
  return option.rfind("evaluator.", 0) == 0;
}

void require_followers_options(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_single_name();
    if (option->count() == 0 || is_followers_own(name)) continue;
    throw InputError(ErrorKind::kUsage, "--" + name + ": not with --follow, where the run decides");
  }
}

// The run's config with what this process was told.
TrainingConfig followed_config(const CLI::App& app, const SelfPlayOptions& options) {
  TrainingConfig config;
  CLI::App run_app;
  add_training_config(run_app, config);
  apply_config_file(run_app, std::filesystem::path(options.follow) / "config.toml");
  const auto given = [&app](const std::string& name) { return app.get_option(name)->count() > 0; };
  if (given("--run.threads")) config.run.threads = options.run.threads;
  if (given("--evaluator.kind")) config.evaluator.kind = options.evaluator.kind;
  if (given("--evaluator.device")) config.evaluator.device = options.evaluator.device;
  if (given("--evaluator.cache"))
    config.evaluator.cache_positions = options.evaluator.cache_positions;
  if (given("--adjudication.table")) config.adjudication.table = options.adjudication.table;
  config.validate();
  return config;
}

void run_follower(const CLI::App& app, const SelfPlayOptions& options) {
  require_followers_options(app);
  check_games(options.games);
  watch_interrupt();
  if (!wait_for_run(options.follow)) {
    std::printf("0 games: %s is complete\n", options.follow.c_str());
    return;
  }
  FollowConfig config{options.follow, followed_config(app, options), std::nullopt};
  if (app.get_option("--games")->count() > 0) config.games = options.games;
  const auto done = follow_run(config);
  std::printf("%llu games in %u shards for %s (worker %u)\n",
              static_cast<unsigned long long>(done.games), done.shards, options.follow.c_str(),
              done.worker);
}

}  // namespace

void add_selfplay(CLI::App& app) {
  auto options = std::make_shared<SelfPlayOptions>();
  CLI::App* selfplay = app.add_subcommand(
      "selfplay", "Let a checkpoint play against itself and log the trajectories (HDF5).");
  selfplay
      ->add_option("--checkpoint", options->checkpoint,
                   "checkpoint, weights file, run or pretrained")
      ->check(check_not_empty)
      ->type_name("PATH");
  add_field(*selfplay, "--games", options->games,
            "games to play; with --follow only if given, otherwise as long as the run goes");
  selfplay->add_option("--out", options->out, "directory for the shards, new or empty")
      ->check(check_not_empty)
      ->type_name("DIR");
  selfplay
      ->add_option("--follow", options->follow,
                   "play for this run of `awale train --external`, by its settings but threads, "
                   "evaluator and the table's place")
      ->check(check_not_empty)
      ->type_name("RUN");
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
      "  awale selfplay --follow runs/shared --threads 8\n"
      "\n"
      "The shards' fields are documented in training/README.md.");
  selfplay->callback([selfplay, options] {
    if (!options->follow.empty()) return run_follower(*selfplay, *options);
    run_selfplay(*selfplay, *options);
  });
}

}  // namespace awale::training
