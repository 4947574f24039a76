#include "mcts/baseline/alpha_beta.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "env/endgame/final_bounds.hpp"

namespace awale::mcts {
namespace {

constexpr int kInfinity = 30000;
constexpr int kNoMove = kNoMinimaxMove;
constexpr int kBeyondReach = env::kSeeds + 1;
// Below, a look into the table costs more than the search.
constexpr int kMinTableDepth = 4;
constexpr std::uint64_t kNodesPerClockCheck = 4096;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

constexpr int kMostCaptured = env::kPitsPerSide * 3;

int decided_score(int margin) {
  if (margin == 0) return 0;
  return margin > 0 ? kDecidedScore + margin : margin - kDecidedScore;
}

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93ULL;
  return value ^ (value >> 32);
}

}  // namespace

// A pit of three is beyond capture: a chain takes only pits that the same move has sown into.
SearchRules::SearchRules(const env::RuleSet& rules)
    : all(rules),
      captures(rules),
      target(rules.target_seeds > 0 ? rules.target_seeds : kBeyondReach),
      slams_limited(rules.grand_slam == env::GrandSlam::kIllegal ||
                    rules.grand_slam == env::GrandSlam::kIllegalUnlessOnly),
      guard(rules.grand_slam == env::GrandSlam::kNoCapture ? 1 : 3) {}

env::LegalMask SearchRules::legal_moves(const Rows& rows) const {
  if (pits_with(rows.other, slams_limited ? guard : 1) != 0) {
    return to_mask(pits_with(rows.own, 1));
  }
  return env::legal_moves(all, to_board(rows, env::Side::kSouth));
}

template <typename Evaluation>
AlphaBeta<Evaluation>::AlphaBeta(const env::Game& game, const MinimaxConfig& config,
                                 TranspositionTable& table)
    : game_(game),
      rules_(game.rules()),
      endgame_(config.endgame),
      table_(table),
      most_nodes_(config.nodes > 0 ? static_cast<std::uint64_t>(config.nodes) : kNever),
      timed_(config.time_ms > 0),
      deadline_(std::chrono::steady_clock::now() + std::chrono::milliseconds(config.time_ms)) {}

template <typename Evaluation>
bool AlphaBeta<Evaluation>::iterate(int depth, MinimaxResult& result) {
  const bool first = result.depth == 0;
  next_check_ = first ? kNever : 0;  // there is always a move
  const int ply_limit = rules_.all.ply_limit;
  limit_in_reach_ = ply_limit > 0 && game_.position().ply + depth >= ply_limit;
  shortcuts_ = Evaluation::kStoresOnly && !limit_in_reach_ &&
               rules_.all.grand_slam != env::GrandSlam::kIllegal;
  Node root{packed_rows(game_.board()), game_.legal(), 0, depth, {}};
  if (rules_.all.repetition_occurrence > 0) root.past = past_.begin(game_, depth);
  OrderedMoves moves(history_, root.rows, 0, root.legal, captures_of(rules_.captures, root.rows),
                     first ? kNoMove : result.move);
  MinimaxResult found;
  found.score = -kInfinity;
  found.depth = depth;
  while (!moves.empty()) {
    const int move = moves.next();
    const int guess = found.best_moves == 0 ? result.score : found.score;
    const int score = resolve(root, move, guess, found.score);
    if (stopped_) return false;
    if (score < found.score) continue;
    if (score > found.score) found.best_moves = 0;
    found.score = score;
    found.best_moves = static_cast<env::LegalMask>(found.best_moves | 1 << move);
  }
  found.move = static_cast<env::Move>(std::countr_zero(found.best_moves));
  result = found;
  return true;
}

// The score of a move at the root where it is `at_least` or more, else something below. Null
// windows close in on it, the first one at `guess`.
template <typename Evaluation>
int AlphaBeta<Evaluation>::resolve(const Node& root, int move, int guess, int at_least) {
  int lower = -kInfinity;
  int upper = kInfinity;
  int beta = std::max(guess, at_least);
  while (lower < upper && upper >= at_least) {
    const int score = -visit(root, move, -beta, -(beta - 1));
    if (stopped_) return 0;
    (score < beta ? upper : lower) = score;
    beta = score < beta ? score : score + 1;
  }
  return upper;
}

template <typename Evaluation>
int AlphaBeta<Evaluation>::terminal_score(const Rows& rows, env::EndReason reason) const {
  return Evaluation::kUnit * decided_score(env::final_margin_to_move(
                                 rules_.all, to_board(rows, env::Side::kSouth), reason));
}

// Of a position that a capture has led to; nothing if the table does not cover it.
template <typename Evaluation>
std::optional<int> AlphaBeta<Evaluation>::endgame_score(const Node& node) const {
  env::Position position;
  position.board = to_board(node.rows, env::Side::kSouth);
  position.ply = static_cast<std::uint16_t>(game_.position().ply + node.level);
  if (!env::holds_from_here(rules_.all, position)) return std::nullopt;
  const auto margin = env::final_margin_bounds(*endgame_, rules_.all, position.board);
  if (!margin) return std::nullopt;
  if (margin->low > 0) return Evaluation::kUnit * decided_score(margin->low);
  if (margin->high < 0) return Evaluation::kUnit * decided_score(margin->high);
  return Evaluation::kUnit * (margin->low + margin->high) / 2;
}

// Whether the endgame table may cover a position after `captured` more seeds have left the board.
template <typename Evaluation>
bool AlphaBeta<Evaluation>::table_in_reach(const Rows& rows, int captured) const {
  return endgame_ && seeds_in(rows.own) + seeds_in(rows.other) - captured <= endgame_->seeds();
}

// The score of the position after `move` for its player to move.
template <typename Evaluation>
int AlphaBeta<Evaluation>::visit(const Node& parent, int move, int alpha, int beta) {
  if (out_of_budget()) return 0;
  ++nodes_;
  const auto [rows, captured] = play(rules_.captures, parent.rows, move);
  if (captured > 0 && store_of(rows.other) >= rules_.target) {
    return terminal_score(rows, env::EndReason::kTarget);
  }
  Node node{rows, rules_.legal_moves(rows), parent.level + 1, parent.depth - 1, {}};
  if (node.legal == 0) return terminal_score(rows, env::EndReason::kNoMoves);
  node.past = {parent.past.end, parent.past.end};
  const int occurrence = rules_.all.repetition_occurrence;
  if (captured == 0 && occurrence > 0 &&
      (!parent.past.empty() || parent.depth >= env::kShortestCyclePlies)) {
    node.past = past_.descend(parent.past, parent.rows, move, rows, node.level, node.depth);
    if (past_.occurrences(node.past, rows, node.level) + 1 >= occurrence) {
      return terminal_score(rows, env::EndReason::kRepetition);
    }
  }
  if (limit_in_reach_ && game_.position().ply + node.level >= rules_.all.ply_limit) {
    return terminal_score(rows, env::EndReason::kPlyLimit);
  }
  if (endgame_ && captured > 0) {
    if (const auto score = endgame_score(node)) return *score;
  }
  if (node.depth == 0) return Evaluation::value(rules_.captures, rows);
  return search(node, alpha, beta);
}

template <typename Evaluation>
int AlphaBeta<Evaluation>::search(const Node& node, int alpha, int beta) {
  if (node.depth >= kMinTableDepth) return search_with_table(node, alpha, beta);
  if (shortcuts_ && node.depth <= 2 && node.past.empty() && rules_.calm(node.rows)) {
    return node.depth == 1 ? search_last_ply(node, alpha, beta)
                           : search_last_two_plies(node, alpha, beta);
  }
  return search_children(node, kNoMove, alpha, beta).score;
}

// Of a calm position. Only moves whose captures were needed are counted as nodes.
template <typename Evaluation>
int AlphaBeta<Evaluation>::search_last_ply(const Node& node, int alpha, int beta) {
  const int stores = store_difference(node.rows);
  if (stores >= beta) {
    ++nodes_;
    return stores;  // any move will do
  }
  const int captured = largest(captures_of(rules_.captures, node.rows));
  if (store_of(node.rows.own) + captured >= rules_.target || table_in_reach(node.rows, captured)) {
    return search_children(node, kNoMove, alpha, beta).score;
  }
  nodes_ += static_cast<std::uint64_t>(std::popcount(node.legal));
  return stores + captured;
}

// Of a calm position. A move gains at most what it captures if the opponent has an answer that does
// not end the game in his disfavour. He has one if two of his pits hold seeds after the move, one
// of which stays, and if he cannot empty the mover's row.
template <typename Evaluation>
int AlphaBeta<Evaluation>::search_last_two_plies(const Node& node, int alpha, int beta) {
  const Rows& rows = node.rows;
  const MoveWords captures = captures_of(rules_.captures, rows);
  const int most_captured = largest(captures);
  if (store_of(rows.own) + most_captured >= rules_.target ||
      table_in_reach(rows, most_captured + kMostCaptured)) {
    return search_children(node, kNoMove, alpha, beta).score;
  }
  const bool answered =
      two_or_more(pits_with(rows.own, rules_.guard)) && two_or_more(pits_with(rows.other, 1));
  const bool answered_after_capture = answered && two_or_more(pits_with(rows.other, 3));
  const int stores = store_difference(rows);
  int best = -kInfinity;
  OrderedMoves moves(history_, rows, node.level, node.legal, captures);
  while (!moves.empty()) {
    const int move = moves.next();
    const int most = stores + static_cast<int>(captures[move]);
    const int bound = std::max(alpha, best);
    if (most <= bound && (moves.quiet(move) ? answered : answered_after_capture)) {
      best = std::max(best, most);
      continue;
    }
    best = std::max(best, -visit(node, move, -beta, -bound));
    if (best >= beta || stopped_) break;
  }
  return best;
}

template <typename Evaluation>
int AlphaBeta<Evaluation>::search_with_table(const Node& node, int alpha, int beta) {
  const std::uint64_t node_key = key(node);
  int first = kNoMove;
  if (const auto* entry = table_.find(node_key)) {
    if (entry->depth == node.depth) {
      if (entry->lower >= beta || entry->lower == entry->upper) return entry->lower;
      if (entry->upper <= alpha) return entry->upper;
    }
    first = entry->move;
  }
  const auto [score, move] = search_children(node, first, alpha, beta);
  if (stopped_) return 0;
  table_.store(node_key, node.depth, score > alpha ? score : -TranspositionTable::kNoBound,
               score < beta ? score : TranspositionTable::kNoBound, static_cast<env::Move>(move));
  return score;
}

template <typename Evaluation>
typename AlphaBeta<Evaluation>::Best AlphaBeta<Evaluation>::search_children(const Node& node,
                                                                            int first, int alpha,
                                                                            int beta) {
  OrderedMoves moves(history_, node.rows, node.level, node.legal,
                     captures_of(rules_.captures, node.rows), first);
  Best best{-kInfinity, kNoMove};
  unsigned tried = 0;  // quiet moves
  while (!moves.empty()) {
    const int move = moves.next();
    const int bound = std::max(alpha, best.score);
    int score = bound;
    // All but the first are expected to be no better.
    const bool scout = best.move != kNoMove && beta - bound > 1;
    if (scout) score = -visit(node, move, -bound - 1, -bound);
    if (!scout || (score > bound && score < beta)) score = -visit(node, move, -beta, -bound);
    if (stopped_) break;
    if (score > best.score) best = {score, move};
    if (score >= beta) {
      if (moves.quiet(move)) {
        history_.learn(node.rows, node.level, node.depth, move, tried);
      }
      break;
    }
    tried |= static_cast<unsigned>(moves.quiet(move)) << move;
  }
  return best;
}

// Names all that the score of `node` at its depth depends on. The side to move is no part of it:
// the rules are the same for both.
template <typename Evaluation>
std::uint64_t AlphaBeta<Evaluation>::key(const Node& node) const {
  std::uint64_t key = hash(node.rows);
  if (!node.past.empty()) key ^= mix(past_.digest(node.past, node.level));
  if (limit_in_reach_) key ^= mix(static_cast<std::uint64_t>(node.level) + 1);
  return key;
}

template <typename Evaluation>
bool AlphaBeta<Evaluation>::out_of_budget() {
  if (nodes_ < next_check_) return stopped_;
  if (nodes_ >= most_nodes_) stopped_ = true;
  if (timed_ && std::chrono::steady_clock::now() >= deadline_) stopped_ = true;
  next_check_ = std::min(most_nodes_, nodes_ + kNodesPerClockCheck);
  return stopped_;
}

template class AlphaBeta<SeedsEvaluation>;
template class AlphaBeta<TunedEvaluation>;

}  // namespace awale::mcts
