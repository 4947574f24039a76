#include "training/external/follower.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "training/adjudication.hpp"
#include "training/checkpoint.hpp"
#include "training/external/incoming.hpp"
#include "training/external/polling.hpp"
#include "training/external/workers.hpp"
#include "training/format_text.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"
#include "training/run_dir.hpp"
#include "training/run_start.hpp"
#include "training/self_play.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongestWait{60};

bool is_run_for_others(const fs::path& run) {
  std::error_code ignored;  // not there
  return fs::exists(run / "config.toml", ignored) && fs::is_directory(run / "incoming", ignored) &&
         !checkpoint_iterations(run).empty();
}

bool is_complete(const fs::path& run) {
  std::error_code ignored;  // not there
  return fs::exists(run / "summary.json", ignored);
}

// Against what the run's checkpoints say.
void require_same_table(const fs::path& run, std::uint32_t iteration,
                        const env::EndgameTable* table) {
  const nn::Hdf5Reader file(checkpoint_file(run, iteration));
  const auto config = file.string_attribute("/", "config");
  const auto begin = config.find("# table: ");
  const std::string line = begin == std::string::npos ? "" : config.substr(begin);
  const std::string own = table == nullptr ? "" : table_line(*table);
  if (line == own) return;
  throw InputError(
      ErrorKind::kMismatch,
      format_text("adjudication.table: expected the run's '%s', found '%s'",
                  line.substr(0, line.find('\n')).c_str(), own.substr(0, own.find('\n')).c_str()));
}

// The network of the run's newest checkpoint.
class NewestNetwork {
 public:
  NewestNetwork(fs::path run, const nn::EvaluatorConfig& evaluator)
      : run_(std::move(run)), evaluator_(evaluator) {
    refresh();
  }

  // The learner may have removed a checkpoint that has just been listed: there is a newer one then.
  void refresh() {
    while (true) {
      const std::uint32_t newest = checkpoint_iterations(run_).back();
      if (network_ && newest == iteration_) return;
      const auto path = checkpoint_file(run_, newest);
      const auto load = [&] { network_ = make_network_source(load_agent(path), evaluator_); };
      if (!read_unless_deleted(path, load)) continue;
      iteration_ = newest;
      return;
    }
  }

  const nn::NetworkSource& network() const { return *network_; }
  std::uint32_t iteration() const { return iteration_; }

 private:
  fs::path run_;
  nn::EvaluatorConfig evaluator_;
  std::shared_ptr<const nn::NetworkSource> network_;
  std::uint32_t iteration_ = 0;
};

// No more slots than games.
SelfPlaySetup setup_for(const FollowConfig& config, std::uint32_t worker,
                        std::shared_ptr<const env::EndgameTable> table) {
  const auto& training = config.training;
  SelfPlaySetup setup;
  setup.config = training.self_play;
  setup.rules = training.rule_sets();
  setup.search = training.search;
  setup.seed = training.run.seed;
  setup.endgame = std::move(table);
  setup.play_out_share = training.adjudication.play_out_share;
  setup.first_game = first_game_of(worker);
  if (config.games) {
    setup.game_limit = setup.first_game + *config.games;
    const auto slots = static_cast<std::uint64_t>(setup.config.games);
    setup.config.games = static_cast<int>(std::min(slots, *config.games));
  }
  return setup;
}

class Follower {
 public:
  Follower(const FollowConfig& config, std::shared_ptr<const env::EndgameTable> table)
      : config_(config),
        newest_(config.run, config.training.evaluator),
        table_(table ? env::describe(*table) : ""),
        worker_(claim_worker(config.run)),
        self_play_(setup_for(config, worker_, std::move(table))),
        progress_("selfplay", "games", config.games.value_or(Progress::kUnknownTotal)) {
    std::fprintf(stderr, "worker %u of %s, evaluates with %s\n", worker_, config.run.c_str(),
                 newest_.network().name().c_str());
  }

  FollowSummary run() {
    while (self_play_.active() && wait_for_room()) {
      newest_.refresh();
      play_iteration();
    }
    return {worker_, games_, shards_};
  }

 private:
  bool over() const { return interrupted() || is_complete(config_.run); }

  // False if there is nothing more to play.
  bool wait_for_room() {
    const auto most = static_cast<std::size_t>(config_.training.run.most_waiting);
    bool told = false;
    while (!over()) {
      const auto waiting = incoming_shards(config_.run).size();
      if (waiting <= most) return true;
      if (!told) {
        std::fprintf(stderr, "%s for the learner, which is behind or gone: waiting for it\n",
                     (count_text(waiting, "shard") + (waiting == 1 ? " waits" : " wait")).c_str());
      }
      told = true;
      std::this_thread::sleep_for(kPollInterval);
    }
    return false;
  }

  // Iteration k plays with checkpoint k-1.
  void play_iteration() {
    const std::uint32_t iteration = newest_.iteration() + 1;
    const auto games = self_play_.advance(
        iteration, config_.training.run.threads, [this] { return newest_.network().make(); },
        config_.training.simulations_of(iteration));
    if (!games.empty()) {
      const Provenance provenance{
          config_.training.rule_sets(),
          config_.training.run.seed,
          checkpoint_file(config_.run, newest_.iteration()).filename().string(),
          iteration,
          kGitRevision,
          table_};
      hand_over(config_.run, worker_, ++shards_, provenance, games);
    }
    games_ += games.size();
    progress_.advance(games.size(), format_text("checkpoint %u", newest_.iteration()));
  }

  const FollowConfig& config_;
  NewestNetwork newest_;
  std::string table_;
  std::uint32_t worker_;
  SelfPlay self_play_;
  Progress progress_;
  std::uint64_t games_ = 0;
  std::uint32_t shards_ = 0;
};

}  // namespace

bool wait_for_run(const fs::path& run) {
  const auto give_up = std::chrono::steady_clock::now() + kLongestWait;
  bool told = false;
  while (!is_complete(run) && !is_run_for_others(run)) {
    if (interrupted()) throw Interrupted();
    if (std::chrono::steady_clock::now() > give_up) {
      throw InputError(ErrorKind::kFile,
                       run.string() +
                           ": no run that learns from others; start one with awale train "
                           "--external --run " +
                           run.string());
    }
    if (!told) std::fprintf(stderr, "waiting for a run in %s\n", run.c_str());
    told = true;
    std::this_thread::sleep_for(kPollInterval);
  }
  return !is_complete(run);
}

FollowSummary follow_run(const FollowConfig& config) {
  auto table = open_table(config.training.adjudication, config.training.rules);
  require_same_table(config.run, checkpoint_iterations(config.run).back(), table.get());
  return Follower(config, std::move(table)).run();
}

}  // namespace awale::training
