#include "training/self_play.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "env/random.hpp"
#include "mcts/root_policy.hpp"
#include "training/adjudication.hpp"
#include "training/parallel.hpp"
#include "training/search_record.hpp"

namespace awale::training {
namespace {

// Few games, and few stretches without a capture, are longer; where one is, its memory grows.
constexpr std::size_t kUsualPlies = 192;
constexpr std::size_t kUsualQuietPlies = 64;

bool is_fork(const GameRecord& game) {
  return game.start != env::initial_board();
}

// How a game begins.
struct Opening {
  std::optional<env::Board> start;  // nothing: the rules' own
  int random_plies = 0;
};

// A fork begins where the slot's last game has been, with one random move, unless that is the
// start; other games at the start, a share of them with random moves.
Opening draw_opening(const SelfPlaySetup& setup, std::uint64_t game_id,
                     const GameRecord* previous) {
  const auto& config = setup.config;
  env::RandomStream stream(setup.seed, env::RandomPurpose::kOpening, game_id, 0);
  const double share = stream.uniform();
  if (previous != nullptr && !previous->plies.empty() && share >= 1 - config.fork_share) {
    const auto ply = stream.below(static_cast<std::uint32_t>(previous->plies.size()));
    const auto& board = previous->plies[ply].position.board;
    // is_fork() must know a fork by its start.
    return board == env::initial_board() ? Opening{} : Opening{board, 1};
  }
  if (config.random_opening_plies == 0 || share >= config.random_opening_share) return {};
  const auto most = static_cast<std::uint32_t>(config.random_opening_plies);
  return {std::nullopt, 1 + static_cast<int>(stream.below(most))};
}

// The slot that plays a game, among all slots.
int slot_of(const SelfPlaySetup& setup, std::uint64_t game_id) {
  return static_cast<int>((game_id - setup.first_game) %
                          static_cast<std::uint64_t>(setup.config.games));
}

}  // namespace

SelfPlayStats operator-(const SelfPlayStats& left, const SelfPlayStats& right) {
  return {left.simulations - right.simulations,
          left.evaluations - right.evaluations,
          left.batches - right.batches,
          left.evaluator_seconds - right.evaluator_seconds,
          left.selection_seconds - right.selection_seconds,
          left.backup_seconds - right.backup_seconds,
          left.busy_seconds - right.busy_seconds};
}

SelfPlayStats operator+(const SelfPlayStats& left, const SelfPlayStats& right) {
  return {left.simulations + right.simulations,
          left.evaluations + right.evaluations,
          left.batches + right.batches,
          left.evaluator_seconds + right.evaluator_seconds,
          left.selection_seconds + right.selection_seconds,
          left.backup_seconds + right.backup_seconds,
          left.busy_seconds + right.busy_seconds};
}

SelfPlayGroup::SelfPlayGroup(const SelfPlaySetup& setup, int first_slot)
    : setup_(setup),
      rules_index_(static_cast<std::uint8_t>(
          static_cast<std::size_t>(first_slot / setup.config.group_games) % setup.rules.size())),
      rules_(setup.rules[rules_index_]),
      first_slot_(first_slot),
      env_(rules_, std::min(setup.config.group_games, setup.config.games - first_slot)),
      search_(rules_, setup.search, setup.seed),
      slots_(static_cast<std::size_t>(env_.size())),
      histories_(slots_.size()),
      moves_(slots_.size(), env::kNoMove) {
  for (auto& history : histories_)
    history.reserve(kUsualQuietPlies);
  for (int slot = 0; slot < env_.size(); ++slot) {
    start_game(slot, setup_.first_game + static_cast<std::uint64_t>(first_slot_ + slot));
  }
}

// The environment wants no moves of a game that is over.
void SelfPlayGroup::park(int slot) {
  env::Board over;
  over.pits = {};
  env_.reset({&slot, 1}, {&over, 1});
}

void SelfPlayGroup::start_game(int slot, std::uint64_t game_id, const GameRecord* previous) {
  auto& state = slots_[slot];
  active_slots_ -= state.active ? 1 : 0;
  state = Slot{};
  state.active = game_id < setup_.game_limit;
  if (!state.active) {
    park(slot);
    return;
  }
  ++active_slots_;
  const auto opening = draw_opening(setup_, game_id, previous);
  if (opening.start) {
    env_.reset({&slot, 1}, {&*opening.start, 1});
  } else {
    env_.reset({&slot, 1});
  }
  state.record.game_id = game_id;
  state.record.rules_index = rules_index_;
  state.record.start = env_.position(slot).board;
  state.record.plies.reserve(kUsualPlies);
  state.random_plies = opening.random_plies;
  state.plays_out = !setup_.endgame || plays_out(setup_.seed, game_id, setup_.play_out_share);
}

bool SelfPlayGroup::in_opening(int slot) const {
  return env_.position(slot).ply < slots_[slot].random_plies;
}

bool SelfPlayGroup::full_search(std::uint64_t game_id, int ply) const {
  if (setup_.config.full_search_share >= 1) return true;
  env::RandomStream stream(setup_.seed, env::RandomPurpose::kPlayoutCap, game_id,
                           static_cast<std::uint32_t>(ply));
  return stream.uniform() < setup_.config.full_search_share;
}

void SelfPlayGroup::advance(int plies, std::uint32_t iteration, int simulations,
                            nn::Evaluator& evaluator, std::vector<GameRecord>& finished) {
  const auto begin = std::chrono::steady_clock::now();
  // Trees live for an iteration: the next one has another network, and perhaps another process.
  search_.forget_trees();
  for (int ply = 0; ply < plies && active(); ++ply) {
    search(iteration, simulations, evaluator);
    for (int slot = 0; slot < env_.size(); ++slot) {
      if (slots_[slot].active && in_opening(slot)) choose_opening_move(slot);
    }
    for (std::size_t i = 0; i < searched_slots_.size(); ++i) {
      choose_searched_move(searched_slots_[i], results_[i]);
    }
    env_.step(moves_);
    collect_finished(iteration, finished);
  }
  busy_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void SelfPlayGroup::search(std::uint32_t iteration, int simulations, nn::Evaluator& evaluator) {
  searched_slots_.clear();
  roots_.clear();
  for (int slot = 0; slot < env_.size(); ++slot) {
    auto& state = slots_[slot];
    moves_[slot] = env::kNoMove;
    if (!state.active) continue;
    if (state.record.plies.empty()) state.record.first_iteration = iteration;
    if (in_opening(slot)) continue;
    searched_slots_.push_back(slot);
    auto& history = histories_[static_cast<std::size_t>(slot)];
    env_.copy_history(slot, history);
    const env::Position position = env_.position(slot);
    const bool full = full_search(state.record.game_id, position.ply);
    roots_.push_back({position, history, state.record.game_id,
                      full ? simulations : std::min(simulations, setup_.config.fast_simulations),
                      full});
  }
  results_.resize(roots_.size());
  search_.run(roots_, evaluator, results_);
}

void SelfPlayGroup::choose_searched_move(int slot, const mcts::SearchResult& result) {
  auto& record = slots_[slot].record;
  const env::Position position = env_.position(slot);
  PlyRecord ply;
  ply.position = position;
  ply.legal = env_.legal_masks()[static_cast<std::size_t>(slot)];
  record_search(result, setup_.search.margin_weight, full_search(record.game_id, position.ply),
                ply);
  ply.move = result.best;
  const bool puct = setup_.search.algorithm == mcts::Algorithm::kPuct;
  if (puct && position.ply < setup_.config.sampled_plies) {
    env::RandomStream stream(setup_.seed, env::RandomPurpose::kMove, record.game_id, position.ply);
    ply.move = mcts::sample_move(result, setup_.config.temperature, stream);
    ply.flags |= kSampledMove;
  }
  moves_[slot] = ply.move;
  record.plies.push_back(ply);
}

void SelfPlayGroup::choose_opening_move(int slot) {
  auto& record = slots_[slot].record;
  PlyRecord ply;
  ply.position = env_.position(slot);
  ply.legal = env_.legal_masks()[slot];
  env::RandomStream stream(setup_.seed, env::RandomPurpose::kMove, record.game_id,
                           ply.position.ply);
  ply.move = env::random_move(ply.legal, stream);
  ply.flags = kUnsearchedPly;
  moves_[slot] = ply.move;
  record.plies.push_back(ply);
}

// Whether the slot's game has ended, by the rules or by the table; the record says how.
bool SelfPlayGroup::end_game(int slot) {
  auto& state = slots_[slot];
  if (env_.over(slot)) {
    state.record.outcome = env_.outcome(slot);
    return true;
  }
  if (state.plays_out) return false;
  const env::Position position = env_.position(slot);
  const auto margin = certain_margin(*setup_.endgame, rules_, position);
  if (!margin) return false;
  const bool south = position.board.to_move == env::Side::kSouth;
  state.record.outcome = {env::EndReason::kNone, south ? *margin : -*margin};
  state.record.adjudicated = true;
  return true;
}

void SelfPlayGroup::collect_finished(std::uint32_t iteration, std::vector<GameRecord>& finished) {
  for (int slot = 0; slot < env_.size(); ++slot) {
    auto& state = slots_[slot];
    if (!state.active || !end_game(slot)) continue;
    state.record.last_iteration = iteration;
    const auto next_id = state.record.game_id + static_cast<std::uint64_t>(setup_.config.games);
    finished.push_back(std::move(state.record));
    start_game(slot, next_id, &finished.back());
  }
}

void SelfPlayGroup::append_open_games(std::vector<GameRecord>& games) const {
  for (const auto& slot : slots_) {
    if (slot.active) games.push_back(slot.record);
  }
}

void SelfPlayGroup::restore(const GameRecord& game) {
  const int slot = slot_of(setup_, game.game_id) - first_slot_;
  start_game(slot, game.game_id);
  env::Game state(rules_, game.start);
  for (const auto& ply : game.plies)
    state.play(ply.move);
  env_.load(slot, state);
  slots_[slot].record = game;
  if (is_fork(game)) slots_[slot].random_plies = 1;
}

SelfPlayStats SelfPlayGroup::stats() const {
  const auto& search = search_.stats();
  return {search.simulations,       search.evaluations,    search.batches, search.evaluator_seconds,
          search.selection_seconds, search.backup_seconds, busy_seconds_};
}

SelfPlay::SelfPlay(const SelfPlaySetup& setup) : setup_(setup) {
  for (int slot = 0; slot < setup.config.games; slot += setup.config.group_games) {
    groups_.push_back(std::make_unique<SelfPlayGroup>(setup, slot));
  }
}

std::vector<GameRecord> SelfPlay::advance(std::uint32_t iteration, int threads,
                                          const EvaluatorFactory& make_evaluator) {
  return advance(iteration, threads, make_evaluator, setup_.search.simulations);
}

std::vector<GameRecord> SelfPlay::advance(std::uint32_t iteration, int threads,
                                          const EvaluatorFactory& make_evaluator, int simulations) {
  std::vector<std::vector<GameRecord>> finished(groups_.size());
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators(static_cast<std::size_t>(threads));
  run_jobs(threads, groups(), [&](int index, int worker) {
    auto& evaluator = evaluators[static_cast<std::size_t>(worker)];
    if (!evaluator) evaluator = make_evaluator();
    group(index).advance(setup_.config.plies_per_iteration, iteration, simulations, *evaluator,
                         finished[static_cast<std::size_t>(index)]);
  });
  std::vector<GameRecord> games;
  for (auto& part : finished)
    std::move(part.begin(), part.end(), std::back_inserter(games));
  return games;
}

std::vector<GameRecord> SelfPlay::open_games() const {
  std::vector<GameRecord> games;
  for (const auto& group : groups_)
    group->append_open_games(games);
  return games;
}

void SelfPlay::restore(std::span<const GameRecord> games) {
  for (const auto& game : games) {
    group(slot_of(setup_, game.game_id) / setup_.config.group_games).restore(game);
  }
}

bool SelfPlay::active() const {
  for (const auto& group : groups_) {
    if (group->active()) return true;
  }
  return false;
}

SelfPlayStats SelfPlay::stats() const {
  SelfPlayStats sum;
  for (const auto& group : groups_)
    sum = sum + group->stats();
  return sum;
}

}  // namespace awale::training
