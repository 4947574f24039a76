#include "env/batch_env.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::env {
namespace {

constexpr unsigned kFirstTraceCapacity = 32;  // doubled as games need it

[[noreturn]] void reject(const std::string& problem) {
  throw InputError(ErrorKind::kPosition, "batch of games: " + problem);
}

std::size_t blocks_for(int games) {
  if (games < 0) {
    throw InputError(ErrorKind::kUsage,
                     "batch of games: expected a size >= 0, found " + std::to_string(games));
  }
  return (static_cast<std::size_t>(games) + kBlockGames - 1) / kBlockGames;
}

// A block of games that have ended, which no step touches.
Block unused_block() {
  Block block = {};
  std::memset(&block.reason, static_cast<int>(EndReason::kNoMoves), sizeof(block.reason));
  return block;
}

unsigned counter(const Row* rows, int lane) {
  return rows[0].game[lane] | static_cast<unsigned>(rows[1].game[lane]) << 8;
}

void set_counter(Row* rows, int lane, unsigned value) {
  rows[0].game[lane] = static_cast<std::uint8_t>(value & 0xff);
  rows[1].game[lane] = static_cast<std::uint8_t>(value >> 8);
}

Board read_board(const Block& block, int lane) {
  Board board;
  for (int pit = 0; pit < kPits; ++pit)
    board.pits[pit] = block.pits[pit].game[lane];
  board.store_to_move = block.store_to_move.game[lane];
  board.store_opponent = block.store_opponent.game[lane];
  board.to_move = static_cast<Side>(block.side.game[lane]);
  return board;
}

// The position right after the last capture: the stores and, after an odd number of plies, the side
// to move have changed places since.
Board read_quiet_start(const Block& block, int lane) {
  Board board = read_board(block, lane);
  if (counter(block.quiet_plies, lane) % 2 == 1) {
    std::swap(board.store_to_move, board.store_opponent);
    board.to_move = opponent(board.to_move);
  }
  for (int pit = 0; pit < kPits; ++pit)
    board.pits[pit] = block.quiet_start[pit].game[lane];
  return board;
}

// The move that led from `before` to `after` without a capture: its origin is the one pit of the
// mover that has lost seeds.
Move move_between(const Board& before, const Board& after) {
  Move move = 0;
  while (after.pits[move + kPitsPerSide] >= before.pits[move])
    ++move;
  return move;
}

}  // namespace

BatchEnv::BatchEnv(const RuleSet& rules, int games, const Kernel& kernel)
    : rules_(rules),
      kernel_rules_(rules),
      kernel_(&kernel),
      start_(rules),
      blocks_(blocks_for(games), unused_block()),
      legal_(blocks_.size() * kBlockGames) {
  size_ = games;
  finished_.reserve(static_cast<std::size_t>(games));  // no step allocates
  if (counts_repetition()) {
    trace_capacity_ = kFirstTraceCapacity;
    trace_.resize(blocks_.size() * trace_capacity_);
    suspect_history_.reserve(trace_capacity_);
  }
  reset();
}

void BatchEnv::reset() {
  for (int game = 0; game < size_; ++game)
    write(game, start_);
  finished_.clear();
}

void BatchEnv::reset(std::span<const int> games) {
  check_indices(games);
  for (const int game : games)
    write(game, start_);
  finished_.clear();  // last: `games` may be finished()
}

void BatchEnv::reset(std::span<const int> games, std::span<const Board> starts) {
  if (starts.size() != games.size()) {
    reject("expected a start position for each of " + std::to_string(games.size()) +
           " games to reset, found " + std::to_string(starts.size()));
  }
  check_indices(games);
  std::vector<Game> fresh;  // all are built before any is written, because a start may be refused
  fresh.reserve(games.size());
  for (const Board& start : starts)
    fresh.emplace_back(rules_, start);
  for (std::size_t i = 0; i < games.size(); ++i)
    write(games[i], fresh[i]);
  finished_.clear();
}

void BatchEnv::load(int game, const Game& state) {
  check_indices({&game, 1});
  if (!state.rules().same_game(rules_)) {
    reject("game " + std::to_string(game) + " to load: expected the rules " + describe(rules_) +
           ", found " + describe(state.rules()));
  }
  write(game, state);
}

void BatchEnv::step(std::span<const Move> moves) {
  check_moves(moves);
  finished_.clear();
  if (counts_repetition()) make_room_in_trace();
  ++clock_;
  const int whole = size_ / kBlockGames;
  step_blocks(0, whole, moves.data());
  step_blocks(whole, block_count() - whole, last_moves_.game);
  collect_events();
}

// Also leaves the moves of a last block that is not full, padded, in last_moves_.
void BatchEnv::check_moves(std::span<const Move> moves) {
  if (moves.size() != static_cast<std::size_t>(size_)) {
    reject("expected " + std::to_string(size_) + " moves, found " + std::to_string(moves.size()));
  }
  const int whole = size_ / kBlockGames;
  std::fill_n(last_moves_.game, kBlockGames, kNoMove);
  std::copy(moves.begin() + whole * kBlockGames, moves.end(), last_moves_.game);
  if (kernel_->moves_are_legal(legal_.data(), moves.data(), whole) &&
      kernel_->moves_are_legal(legal_.data() + whole * kBlockGames, last_moves_.game,
                               block_count() - whole)) {
    return;
  }
  int game = 0;
  while (legal_[game] == 0 ? moves[game] == kNoMove
                           : moves[game] < kMoves && (legal_[game] >> moves[game] & 1) != 0) {
    ++game;
  }
  const Position state = position(game);
  const Side side = state.board.to_move;
  reject("game " + std::to_string(game) + ", ply " + std::to_string(state.ply + 1) + ": expected " +
         (over(game) ? std::string("kNoMove because the game is over")
                     : "one of " + moves_text(side, legal_[game])) +
         ", found " +
         (moves[game] < kMoves ? std::string(1, move_letter(side, moves[game]))
                               : std::to_string(moves[game])));
}

void BatchEnv::step_blocks(int first, int count, const Move* moves) {
  KernelStep step;
  step.rules = &kernel_rules_;
  step.block = blocks_.data() + first;
  step.legal = legal_.data() + static_cast<std::size_t>(first) * kBlockGames;
  step.moves = moves;
  step.trace = trace_.data() + static_cast<std::size_t>(first) * trace_capacity_;
  step.trace_capacity = trace_capacity_;
  step.clock = clock_;
  step.blocks = count;
  kernel_->step(step);
}

// Most blocks bring one event or none.
void BatchEnv::collect_events() {
  constexpr int kWord = sizeof(std::uint64_t);
  for (int block = 0; block < block_count(); ++block) {
    const Row& event = blocks_[block].event;
    for (int first = 0; first < kBlockGames; first += kWord) {
      std::uint64_t word;
      std::memcpy(&word, event.game + first, kWord);
      if (word == 0) continue;
      for (int lane = first; lane < first + kWord; ++lane) {
        if (event.game[lane] != 0) take_event(block * kBlockGames + lane, event.game[lane]);
      }
    }
  }
}

void BatchEnv::take_event(int game, std::uint8_t event) {
  auto reason = static_cast<EndReason>(event & ~kSuspect);
  if ((event & kSuspect) != 0 && judge_repetition(game, reason)) reason = EndReason::kRepetition;
  if (reason != EndReason::kNone) finished_.push_back(game);
}

// Counts the earlier occurrences of the position; whether they end the game, which has so far ended
// for `reason` or goes on.
bool BatchEnv::judge_repetition(int game, EndReason reason) {
  Block& block = blocks_[game / kBlockGames];
  const int lane = game % kBlockGames;
  block.reason.game[lane] = 0;  // the history of a game that has ended is not kept
  copy_history(game, suspect_history_);
  const int occurrences = count_occurrences(suspect_history_, suspect_history_.back());
  block.repetitions.game[lane] = static_cast<std::uint8_t>(std::min(occurrences - 1, 255));
  const bool ends = occurrences >= rules_.repetition_occurrence &&
                    (reason == EndReason::kNone || reason == EndReason::kPlyLimit);
  if (ends) reason = EndReason::kRepetition;
  block.reason.game[lane] = static_cast<std::uint8_t>(reason);
  if (ends) legal_[game] = 0;
  return ends;
}

bool BatchEnv::over(int game) const {
  check_index(game);
  return blocks_[game / kBlockGames].reason.game[game % kBlockGames] != 0;
}

Outcome BatchEnv::outcome(int game) const {
  const Board board = position(game).board;
  AWALE_CHECK(over(game), "outcome of game " << game << ", which goes on at " << board);
  const auto reason =
      static_cast<EndReason>(blocks_[game / kBlockGames].reason.game[game % kBlockGames]);
  const int margin = final_margin_to_move(rules_, board, reason);
  return {reason, board.to_move == Side::kSouth ? margin : -margin};
}

Position BatchEnv::position(int game) const {
  check_index(game);
  const Block& block = blocks_[game / kBlockGames];
  const int lane = game % kBlockGames;
  Position position;
  position.board = read_board(block, lane);
  position.ply = static_cast<std::uint16_t>(counter(block.ply, lane));
  position.quiet_plies = static_cast<std::uint16_t>(counter(block.quiet_plies, lane));
  position.repetitions = block.repetitions.game[lane];
  return position;
}

std::vector<Board> BatchEnv::history(int game) const {
  std::vector<Board> boards;
  copy_history(game, boards);
  return boards;
}

void BatchEnv::copy_history(int game, std::vector<Board>& boards) const {
  const Position now = position(game);
  if (!counts_repetition() || over(game)) {
    boards.assign(1, now.board);
    return;
  }
  const int block = game / kBlockGames;
  const int lane = game % kBlockGames;
  boards.assign(1, read_quiet_start(blocks_[block], lane));
  for (unsigned left = now.quiet_plies; left > 0; --left) {
    Board board = boards.back();
    play(rules_, board, trace_entry(block, clock_ - left + 1).move.game[lane]);
    boards.push_back(board);
  }
}

void BatchEnv::write(int game, const Game& state) {
  Block& block = blocks_[game / kBlockGames];
  const int lane = game % kBlockGames;
  const Position& position = state.position();
  for (int pit = 0; pit < kPits; ++pit)
    block.pits[pit].game[lane] = position.board.pits[pit];
  block.store_to_move.game[lane] = position.board.store_to_move;
  block.store_opponent.game[lane] = position.board.store_opponent;
  block.side.game[lane] = static_cast<std::uint8_t>(position.board.to_move);
  block.reason.game[lane] =
      static_cast<std::uint8_t>(state.over() ? state.outcome().reason : EndReason::kNone);
  block.repetitions.game[lane] = position.repetitions;
  set_counter(block.ply, lane, position.ply);
  set_counter(block.quiet_plies, lane, position.quiet_plies);
  legal_[game] = state.legal();
  if (counts_repetition()) write_trace(game, state.history());
}

void BatchEnv::write_trace(int game, std::span<const Board> history) {
  const auto quiet = static_cast<unsigned>(history.size() - 1);
  longest_quiet_ = std::max(longest_quiet_, quiet);
  while (longest_quiet_ >= trace_capacity_)
    grow_trace();
  const int lane = game % kBlockGames;
  for (int pit = 0; pit < kPits; ++pit)
    blocks_[game / kBlockGames].quiet_start[pit].game[lane] = history.front().pits[pit];
  for (unsigned i = 0; i <= quiet; ++i) {
    TraceEntry& entry = trace_entry(game / kBlockGames, clock_ - quiet + i);
    entry.digest[0].game[lane] = digest(history[i].pits.data());
    entry.digest[1].game[lane] = digest(history[i].pits.data() + kPitsPerSide);
    if (i > 0) entry.move.game[lane] = move_between(history[i - 1], history[i]);
  }
}

// Before a step: every game may become one ply longer.
void BatchEnv::make_room_in_trace() {
  if (++longest_quiet_ < trace_capacity_) return;
  unsigned longest = 0;
  for (int game = 0; game < size_; ++game) {
    const Block& block = blocks_[game / kBlockGames];
    if (block.reason.game[game % kBlockGames] != 0) continue;
    longest = std::max(longest, counter(block.quiet_plies, game % kBlockGames));
  }
  longest_quiet_ = longest + 1;
  // Grown early, so that the games are not looked through before every step.
  if (longest_quiet_ >= trace_capacity_ / 4 * 3) grow_trace();
}

void BatchEnv::grow_trace() {
  const unsigned capacity = trace_capacity_ * 2;
  std::vector<TraceEntry> grown(blocks_.size() * capacity);
  for (int block = 0; block < block_count(); ++block) {
    for (unsigned back = 0; back < trace_capacity_; ++back) {
      grown[block * capacity + (clock_ - back) % capacity] = trace_entry(block, clock_ - back);
    }
  }
  trace_ = std::move(grown);
  trace_capacity_ = capacity;
}

void BatchEnv::check_index(int game) const {
  if (game < 0 || game >= size_) {
    throw std::out_of_range("game " + std::to_string(game) + " of a batch of " +
                            std::to_string(size_));
  }
}

void BatchEnv::check_indices(std::span<const int> games) const {
  std::vector<bool> listed(static_cast<std::size_t>(size_), false);
  for (const int game : games) {
    if (game < 0 || game >= size_) {
      reject("game " + std::to_string(game) + ": expected an index below " + std::to_string(size_));
    }
    if (listed[game]) reject("game " + std::to_string(game) + " is listed twice");
    listed[game] = true;
  }
}

}  // namespace awale::env
