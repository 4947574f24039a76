#include "training/pipeline.hpp"

#include <array>
#include <cstdio>
#include <iterator>
#include <utility>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "training/adjudication.hpp"
#include "training/external/workers.hpp"
#include "training/interrupt.hpp"
#include "training/overlap.hpp"

namespace awale::training {
namespace {

// What one group has done in one iteration.
struct GroupTurn {
  std::vector<GameRecord> finished;
  std::vector<GameRecord> open;  // only where a checkpoint is written
  SelfPlayStats stats;           // since construction
};

// What the groups play with in one iteration.
struct Acting {
  std::shared_ptr<const nn::NetworkSource> network;
  int simulations = 0;
};

class Pipeline {
 public:
  Pipeline(const TrainingConfig& config, const RunDir& directory, Checkpoint checkpoint,
           std::shared_ptr<const env::EndgameTable> table)
      : config_(config),
        run_(config, directory, std::move(checkpoint), table ? env::describe(*table) : ""),
        self_play_({config.self_play, config.rule_sets(), config.search, config.run.seed,
                    UINT64_MAX, std::move(table), config.adjudication.play_out_share}),
        players_(static_cast<std::size_t>(config.run.threads)) {
    self_play_.restore(run_.state().open_games);
    for (auto& turns : turns_)
      turns.resize(static_cast<std::size_t>(self_play_.groups()));
  }

  void run() {
    if (run_.complete()) return;
    const std::uint32_t first = run_.state().iteration + 1;
    prepare_acting(first);
    run_overlapped(
        config_.run.threads, self_play_.groups(), first,
        static_cast<std::uint32_t>(config_.run.iterations),
        {[this](int group, std::uint32_t iteration, int worker) { play(group, iteration, worker); },
         [this](std::uint32_t iteration) {
           run_.learn(steps_limit(config_));
           prepare_acting(iteration + 1);
         },
         [this](std::uint32_t iteration) { return finish(iteration); }});
  }

  void close() { run_.close(); }

  TrainingSummary summary() const {
    auto summary = run_.summary();
    summary.self_play = self_play_.stats();
    return summary;
  }

 private:
  // Only iteration k and the next one are under way at once.
  template <typename Pair>
  static auto& of_iteration(Pair& pair, std::uint32_t iteration) {
    return pair[iteration % 2];
  }

  void prepare_acting(std::uint32_t iteration) {
    auto& acting = of_iteration(acting_, iteration);
    acting.network = nn::make_network_source(run_.averaged(), config_.evaluator, config_.rules);
    acting.simulations = config_.simulations_of(iteration);
    tell_evaluator(acting.network->name());
  }

  // At the start, and when a network is too much for the evaluator of the one before.
  void tell_evaluator(const std::string& name) {
    if (name != evaluator_) std::fprintf(stderr, "self-play evaluates with %s\n", name.c_str());
    evaluator_ = name;
  }

  void play(int index, std::uint32_t iteration, int worker) {
    const auto& acting = of_iteration(acting_, iteration);
    auto& player = players_[static_cast<std::size_t>(worker)];
    if (player.iteration != iteration) player = {iteration, acting.network->make()};
    auto& group = self_play_.group(index);
    GroupTurn turn;
    group.advance(config_.self_play.plies_per_iteration, iteration, acting.simulations,
                  *player.evaluator, turn.finished);
    turn.stats = group.stats();
    // In every iteration, because none knows whether it will be the last.
    group.append_open_games(turn.open);
    of_iteration(turns_, iteration)[static_cast<std::size_t>(index)] = std::move(turn);
  }

  bool finish(std::uint32_t iteration) {
    auto& turns = of_iteration(turns_, iteration);
    std::vector<GameRecord> games;
    SelfPlayStats stats;
    for (auto& turn : turns) {
      std::move(turn.finished.begin(), turn.finished.end(), std::back_inserter(games));
      stats = stats + turn.stats;
    }
    run_.add(std::move(games));
    run_.end_iteration({stats - stats_, config_.run.threads});
    stats_ = stats;
    const bool over = run_.complete();  // once: a clock may decide it
    if (run_.is_saved(iteration) || over) save(turns);
    return !over && !stops(iteration);
  }

  // An interrupted run goes on to where it is saved anyway, so that its files are those of one that
  // was never interrupted.
  bool stops(std::uint32_t iteration) {
    if (!interrupted() || run_.is_saved(iteration)) return interrupted();
    if (!stopping_) {
      const auto every = static_cast<std::uint32_t>(config_.run.save_every);
      std::fprintf(stderr,
                   "interrupted: going on to iteration %u, where the run is saved; a second Ctrl-C "
                   "stops at once, and what came after iteration %u is then played again\n",
                   (iteration / every + 1) * every, iteration / every * every);
    }
    stopping_ = true;
    return false;
  }

  void save(std::vector<GroupTurn>& turns) {
    std::vector<GameRecord> open;
    for (auto& turn : turns)
      std::move(turn.open.begin(), turn.open.end(), std::back_inserter(open));
    run_.save(std::move(open));
  }

  struct Player {
    std::uint32_t iteration = 0;
    std::unique_ptr<nn::Evaluator> evaluator;  // of its network
  };

  TrainingConfig config_;
  TrainingRun run_;
  SelfPlay self_play_;
  std::array<Acting, 2> acting_;                 // of_iteration()
  std::array<std::vector<GroupTurn>, 2> turns_;  // of_iteration(), [group]
  std::vector<Player> players_;                  // [worker]
  SelfPlayStats stats_;                          // at the end of the last iteration
  std::string evaluator_;                        // of the last iteration
  bool stopping_ = false;                        // at the next save
};

// Their games are played again: but not those that others have played.
void remove_uncounted_shards(const RunDir& directory, std::uint32_t iteration) {
  const auto shards = directory.uncounted_shards(iteration);
  if (!shards.empty() && others_have_played(directory.path())) {
    const std::string run = directory.path().string();
    throw InputError(ErrorKind::kFile, run +
                                           ": holds games of other processes that no checkpoint "
                                           "counts; `awale train --external --run " +
                                           run + " --resume` takes them in");
  }
  for (const auto& shard : shards)
    std::filesystem::remove(shard);
}

}  // namespace

TrainingSummary run_training(const TrainingConfig& config, const ConfigText& text,
                             const RunDir& directory, bool resume) {
  auto table = open_table(config.adjudication, config.rules);
  ConfigText own_text = text;
  if (table) own_text.reproducible += table_line(*table);
  Checkpoint checkpoint = open_run(config, own_text, directory, resume);
  remove_uncounted_shards(directory, checkpoint.iteration);
  Pipeline pipeline(config, directory, std::move(checkpoint), std::move(table));
  pipeline.run();
  pipeline.close();
  return pipeline.summary();
}

}  // namespace awale::training
