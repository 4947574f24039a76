// Self-play: many games at once, in fixed groups that each share one search batch.
//
// A group is a unit of its own (environment, search, games) and its random numbers depend only on
// run seed, game id and ply, so the games do not depend on which thread plays which group. A slot
// starts its next game as soon as one ends: slot s plays the games s, s + slots, s + 2 * slots,
// ..., counted from the first game's id.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "env/batch_env.hpp"
#include "env/endgame/table.hpp"
#include "mcts/batched_search.hpp"
#include "nn/evaluator.hpp"
#include "training/config.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct SelfPlaySetup {
  SelfPlayConfig config;
  std::vector<env::RuleSet> rules;  // the groups take them in turn
  mcts::SearchConfig search;
  std::uint64_t seed = 1;
  std::uint64_t game_limit = UINT64_MAX;  // games with this id and above are not started

  // Ends games whose end it knows for certain, but for a share that is played out; null: none.
  std::shared_ptr<const env::EndgameTable> endgame = nullptr;
  double play_out_share = 0;

  std::uint64_t first_game = 0;  // game id of slot 0's first game
};

// Work done; seconds are summed over the threads.
struct SelfPlayStats {
  std::uint64_t simulations = 0;
  std::uint64_t evaluations = 0;  // rows asked of the evaluator
  std::uint64_t batches = 0;      // they came in
  double evaluator_seconds = 0;   // inside the evaluator
  double selection_seconds = 0;   // parts of the search, estimated: mcts::SearchStats
  double backup_seconds = 0;
  double busy_seconds = 0;  // in self-play altogether
};
SelfPlayStats operator+(const SelfPlayStats& left, const SelfPlayStats& right);
SelfPlayStats operator-(const SelfPlayStats& left, const SelfPlayStats& right);

// One group: up to setup.config.group_games slots; used by one thread at a time.
class SelfPlayGroup {
 public:
  // `first_slot` is the number of the group's first slot among all setup.config.games. The last
  // group may be smaller than the others.
  SelfPlayGroup(const SelfPlaySetup& setup, int first_slot);

  // Every slot advances by `plies` plies, full searches having `simulations` (1 to the config's);
  // finished games are appended to `finished` in the order of (ply, slot). `iteration` is noted in
  // the records.
  void advance(int plies, std::uint32_t iteration, int simulations, nn::Evaluator& evaluator,
               std::vector<GameRecord>& finished);

  // The game of each slot that still plays, as far as it has come.
  void append_open_games(std::vector<GameRecord>& games) const;

  // Continues with an unfinished game of this group instead of the slot's current one. Throws
  // InputError(kFile) if its moves are not legal.
  void restore(const GameRecord& game);

  // False once every slot has reached the game limit.
  bool active() const { return active_slots_ > 0; }

  // Work since construction.
  SelfPlayStats stats() const;

  // Memory of the search: its trees and its batch.
  std::size_t search_bytes() const { return search_.bytes(); }

 private:
  struct Slot {
    GameRecord record;
    int random_plies = 0;   // opening plies without search
    bool plays_out = true;  // no table ends it
    bool active = false;
  };

  void park(int slot);
  void start_game(int slot, std::uint64_t game_id, const GameRecord* previous = nullptr);
  bool in_opening(int slot) const;
  bool full_search(std::uint64_t game_id, int ply) const;
  void search(std::uint32_t iteration, int simulations, nn::Evaluator& evaluator);
  void choose_searched_move(int slot, const mcts::SearchResult& result);
  void choose_opening_move(int slot);
  bool end_game(int slot);
  void collect_finished(std::uint32_t iteration, std::vector<GameRecord>& finished);

  SelfPlaySetup setup_;
  std::uint8_t rules_index_;
  env::RuleSet rules_;
  int first_slot_;
  env::BatchEnv env_;
  mcts::BatchedSearch search_;
  std::vector<Slot> slots_;
  int active_slots_ = 0;
  double busy_seconds_ = 0;

  // Scratch of one ply, kept to avoid allocation.
  std::vector<int> searched_slots_;
  std::vector<std::vector<env::Board>> histories_;
  std::vector<mcts::SearchRoot> roots_;
  std::vector<mcts::SearchResult> results_;
  std::vector<env::Move> moves_;
};

// All groups of a run.
class SelfPlay {
 public:
  explicit SelfPlay(const SelfPlaySetup& setup);

  // Builds a worker's own evaluator.
  using EvaluatorFactory = std::function<std::unique_ptr<nn::Evaluator>()>;

  // Every group advances by config.plies_per_iteration plies on `threads` threads, with the
  // config's simulations or as many as are given (SelfPlayGroup::advance()). Returns the finished
  // games in the order of (group, ply, slot).
  std::vector<GameRecord> advance(std::uint32_t iteration, int threads,
                                  const EvaluatorFactory& make_evaluator);
  std::vector<GameRecord> advance(std::uint32_t iteration, int threads,
                                  const EvaluatorFactory& make_evaluator, int simulations);

  // The groups, for those who advance them one by one; different ones on any threads.
  int groups() const { return static_cast<int>(groups_.size()); }
  SelfPlayGroup& group(int index) { return *groups_[static_cast<std::size_t>(index)]; }

  std::vector<GameRecord> open_games() const;
  // Restores what open_games() gave.
  void restore(std::span<const GameRecord> games);

  bool active() const;
  // Work since construction.
  SelfPlayStats stats() const;

 private:
  SelfPlaySetup setup_;
  std::vector<std::unique_ptr<SelfPlayGroup>> groups_;
};

}  // namespace awale::training
