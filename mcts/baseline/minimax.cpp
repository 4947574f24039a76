#include "mcts/baseline/minimax.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "env/error.hpp"

namespace awale::mcts {
namespace {

constexpr int kInfinity = 1000;
constexpr env::Move kNoMove = env::kMoves;
// A look into the table costs more than the search of a node with one ply to go.
constexpr int kMinTableDepth = 2;
constexpr std::uint64_t kNodesPerClockCheck = 1024;  // a power of two

void require(bool valid, const std::string& field, const std::string& expected, int found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage, "minimax." + field + ": expected " + expected + ", found " +
                                          std::to_string(found));
}

int terminal_score(int margin) {
  if (margin == 0) return 0;
  return margin > 0 ? kDecidedScore + margin : margin - kDecidedScore;
}

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93ULL;
  return value ^ (value >> 32);
}

// False only where no line of at most `plies` quiet plies leads from `from` to `to`: a pit that has
// to lose seeds must be emptied, and each ply empties one pit of its mover.
bool may_reach(const env::Board& from, const env::Board& to, int plies) {
  const bool same_mover = from.to_move == to.to_move;
  if (same_mover != (plies % 2 == 0)) --plies;
  const int to_mover = same_mover ? 0 : env::kPitsPerSide;  // where the row of from's mover begins
  const int to_other = env::kPitsPerSide - to_mover;
  int mover_pits = 0;
  int other_pits = 0;
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    mover_pits += from.pits[pit] > to.pits[to_mover + pit];
    other_pits += from.pits[env::kPitsPerSide + pit] > to.pits[to_other + pit];
  }
  return mover_pits <= (plies + 1) / 2 && other_pits <= plies / 2;
}

struct Child {
  env::Board board;
  int captured;
  env::Move move;
};

// The children in the order of search: the move `first`, then by seeds captured, then by move.
class Children {
 public:
  Children(const env::RuleSet& rules, const env::Board& board, env::LegalMask legal,
           env::Move first) {
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((legal >> move & 1) == 0) continue;
      Child& child = children_[move];
      child.board = board;
      child.move = move;
      child.captured = play(rules, child.board, move);
      const int priority = move == first ? kInfinity : child.captured;
      int rank = size_++;
      for (; rank > 0 && priority > priorities_[rank - 1]; --rank) {
        priorities_[rank] = priorities_[rank - 1];
        order_[rank] = order_[rank - 1];
      }
      priorities_[rank] = priority;
      order_[rank] = move;
    }
  }

  int size() const { return size_; }
  const Child& operator[](int rank) const { return children_[order_[rank]]; }

 private:
  std::array<Child, env::kMoves> children_;  // by move
  std::array<env::Move, env::kMoves> order_;
  std::array<int, env::kMoves> priorities_;  // in the order of search
  int size_ = 0;
};

// A position that is not over, the last of the path.
struct Node {
  env::LegalMask legal = 0;
  int first = 0;  // index in the path of the first position since the last capture
  int ply = 0;    // of the game
  int depth = 0;  // plies still to search, >= 1
};

// Whether the score of `entry` decides a node searched with the window (alpha, beta).
bool proves(const TranspositionTable::Entry& entry, int alpha, int beta) {
  switch (entry.bound) {
    case Bound::kExact:
      return true;
    case Bound::kLower:
      return entry.score >= beta;
    case Bound::kUpper:
      return entry.score <= alpha;
  }
  return false;
}

// The search of one game.
class Search {
 public:
  Search(const env::Game& game, int time_ms, TranspositionTable& table)
      : game_(game),
        rules_(game.rules()),
        table_(table),
        time_ms_(time_ms),
        deadline_(std::chrono::steady_clock::now() + std::chrono::milliseconds(time_ms)) {}

  std::uint64_t nodes() const { return nodes_; }

  // Searches to `depth` plies; false and `result` as it was if the time ran out before.
  bool iterate(int depth, MinimaxResult& result);

 private:
  struct Best {
    int score = -kInfinity;
    env::Move move = kNoMove;
  };

  void start_path(int depth);
  int visit(const Child& child, const Node& parent, int alpha, int beta);
  int search_moves(const Node& node, int alpha, int beta);
  Best search_children(const Node& node, env::Move first, int alpha, int beta);
  std::uint64_t key(const Node& node) const;
  bool out_of_time();

  const env::Game& game_;
  const env::RuleSet& rules_;
  TranspositionTable& table_;
  int time_ms_;
  bool timed_ = false;  // whether this iteration may be stopped
  bool stopped_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::uint64_t nodes_ = 0;
  // The game's positions since the last capture as far as they matter, then the line looked at.
  std::vector<env::Board> path_;
};

bool Search::iterate(int depth, MinimaxResult& result) {
  timed_ = time_ms_ > 0 && depth > 1;  // there is always a move
  start_path(depth);
  const Node root{game_.legal(), 0, game_.position().ply, depth};
  MinimaxResult found;
  found.score = -kInfinity;
  found.depth = depth;
  const Children children(rules_, path_.back(), root.legal, result.move);
  for (int rank = 0; rank < children.size(); ++rank) {
    const Child& child = children[rank];
    // Open just below the best score, so that an equal one is told from a lower one.
    const int score = -visit(child, root, -kInfinity, -(found.score - 1));
    if (stopped_) return false;
    if (score < found.score) continue;
    if (score > found.score) found.best_moves = 0;
    found.score = score;
    found.best_moves = static_cast<env::LegalMask>(found.best_moves | 1 << child.move);
  }
  found.move = static_cast<env::Move>(std::countr_zero(found.best_moves));
  result = found;
  return true;
}

void Search::start_path(int depth) {
  path_.clear();
  for (const env::Board& board : game_.history().first(game_.history().size() - 1)) {
    if (rules_.repetition_occurrence > 0 && may_reach(game_.board(), board, depth)) {
      path_.push_back(board);
    }
  }
  path_.push_back(game_.board());
}

// The score of `child` for its player to move.
int Search::visit(const Child& child, const Node& parent, int alpha, int beta) {
  if (out_of_time()) return 0;
  ++nodes_;
  const env::Board& board = child.board;
  Node node{legal_moves(rules_, board), parent.first, parent.ply + 1, parent.depth - 1};
  if (child.captured > 0) node.first = static_cast<int>(path_.size());
  const int occurrences = count_occurrences(std::span(path_).subspan(node.first), board) + 1;
  const env::EndReason reason = end_reason(rules_, board, node.legal, occurrences, node.ply);
  if (reason != env::EndReason::kNone) {
    return terminal_score(final_margin_to_move(rules_, board, reason));
  }
  if (node.depth == 0) return board.store_to_move - board.store_opponent;
  path_.push_back(board);
  const int score = search_moves(node, alpha, beta);
  path_.pop_back();
  return score;
}

int Search::search_moves(const Node& node, int alpha, int beta) {
  if (node.depth < kMinTableDepth) return search_children(node, kNoMove, alpha, beta).score;
  const std::uint64_t node_key = key(node);
  env::Move first = kNoMove;
  if (const auto* entry = table_.find(node_key)) {
    if (entry->depth == node.depth && proves(*entry, alpha, beta)) return entry->score;
    first = entry->move;
  }
  const auto [score, move] = search_children(node, first, alpha, beta);
  if (stopped_) return 0;
  const Bound bound = score >= beta    ? Bound::kLower
                      : score <= alpha ? Bound::kUpper
                                       : Bound::kExact;
  table_.store(node_key, node.depth, score, bound, move);
  return score;
}

Search::Best Search::search_children(const Node& node, env::Move first, int alpha, int beta) {
  const Children children(rules_, path_.back(), node.legal, first);
  Best best;
  for (int rank = 0; rank < children.size(); ++rank) {
    const int score = -visit(children[rank], node, -beta, -std::max(alpha, best.score));
    if (stopped_) break;
    if (score > best.score) best = {score, children[rank].move};
    if (score >= beta) break;
  }
  return best;
}

// Names all that the score of `node` at its depth depends on.
std::uint64_t Search::key(const Node& node) const {
  const env::Board& board = path_.back();
  std::uint64_t past = 0;
  if (rules_.repetition_occurrence > 0) {
    for (std::size_t i = node.first; i + 1 < path_.size(); ++i) {
      if (may_reach(board, path_[i], node.depth)) past += hash(path_[i]);  // in any order
    }
  }
  if (rules_.ply_limit > 0 && node.ply + node.depth >= rules_.ply_limit) past += mix(node.ply);
  return hash(board) ^ mix(past);
}

bool Search::out_of_time() {
  if (timed_ && nodes_ % kNodesPerClockCheck == 0 &&
      std::chrono::steady_clock::now() >= deadline_) {
    stopped_ = true;
  }
  return stopped_;
}

}  // namespace

void MinimaxConfig::validate() const {
  require(depth >= 1 && depth <= 99, "depth", "1..99", depth);
  require(time_ms >= 0, "time_ms", "0 (none) or a number of milliseconds", time_ms);
  require(table_log2_entries >= 0 && table_log2_entries <= 30, "table_log2_entries", "0..30",
          table_log2_entries);
}

Minimax::Minimax(const MinimaxConfig& config)
    : config_((config.validate(), config)), table_(config.table_log2_entries) {}

MinimaxResult Minimax::search(const env::Game& game) {
  AWALE_CHECK(!game.over(), "search of a game that is over at " << game.board());
  table_.begin_search();
  Search search(game, config_.time_ms, table_);
  MinimaxResult result;
  for (int depth = 1; depth <= config_.depth; ++depth) {
    if (!search.iterate(depth, result)) break;
  }
  result.nodes = search.nodes();
  return result;
}

}  // namespace awale::mcts
