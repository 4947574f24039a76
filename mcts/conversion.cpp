#include "mcts/conversion.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace awale::mcts {
namespace {

constexpr int kNone = -1;

struct BoardHash {
  std::size_t operator()(const env::Board& board) const { return env::hash(board); }
};

// The quiet positions ahead. The owner is the player to move at the root.
class Ways {
 public:
  Ways(const env::EndgameTable& table, const env::RuleSet& rules, const env::Position& position,
       std::span<const env::Board> history, int granted)
      : table_(table),
        rules_(rules),
        root_(position),
        history_(history),
        granted_(granted),
        owner_(position.board.to_move) {
    for (const env::Board& board : history)
      ++seen_[board];
  }

  env::LegalMask search(env::LegalMask moves);

 private:
  struct Node {
    env::Board board;
    int ply = 0;          // below the root
    int open = 0;         // of the opponent's: moves that are not settled
    int parents = kNone;  // the first of them in links_
    bool settled = false;
  };
  struct Link {
    int parent;
    int next;
  };
  enum class Result { kKept, kLost, kGoesOn };

  Result judge(const env::Board& child, bool captured, int ply) const;
  int margin_of_owner(const env::Board& board, int margin_to_move) const {
    return board.to_move == owner_ ? margin_to_move : -margin_to_move;
  }
  int add_node(const env::Board& board, int ply, int parent);
  void expand(int index);
  void settle(int index);

  const env::EndgameTable& table_;
  const env::RuleSet& rules_;
  const env::Position& root_;
  std::span<const env::Board> history_;
  int granted_;
  env::Side owner_;
  std::unordered_map<env::Board, int, BoardHash> seen_;  // in the game: how often
  std::unordered_map<env::Board, int, BoardHash> index_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
};

// What a position means that a move has led to.
Ways::Result Ways::judge(const env::Board& child, bool captured, int ply) const {
  const auto kept = [this, &child](int margin_to_move) {
    return margin_of_owner(child, margin_to_move) >= granted_ ? Result::kKept : Result::kLost;
  };
  const env::LegalMask legal = env::legal_moves(rules_, child);
  const auto earlier = captured ? seen_.end() : seen_.find(child);
  const int occurrences = 1 + (earlier == seen_.end() ? 0 : earlier->second);
  const auto reason = env::end_reason(rules_, child, legal, occurrences, root_.ply + ply);
  if (reason != env::EndReason::kNone)
    return kept(env::final_margin_to_move(rules_, child, reason));
  const auto bounds = *env::final_margin_bounds(table_, rules_, child);
  const int least = child.to_move == owner_ ? bounds.low : -bounds.high;
  if (least < granted_) return Result::kLost;
  return captured ? Result::kKept : Result::kGoesOn;
}

int Ways::add_node(const env::Board& board, int ply, int parent) {
  const auto [entry, is_new] = index_.try_emplace(board, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back({board, ply});
  links_.push_back({parent, nodes_[static_cast<std::size_t>(entry->second)].parents});
  nodes_[static_cast<std::size_t>(entry->second)].parents = static_cast<int>(links_.size()) - 1;
  return entry->second;
}

void Ways::expand(int index) {
  const auto place = static_cast<std::size_t>(index);
  const env::Board board = nodes_[place].board;
  const int ply = nodes_[place].ply + 1;
  const bool owner = board.to_move == owner_;
  const env::LegalMask legal = env::legal_moves(rules_, board);
  int open = 0;
  bool kept = false;
  bool lost = false;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    env::Board child = board;
    const bool captured = env::play(rules_, child, move) > 0;
    const Result result = judge(child, captured, ply);
    kept = kept || result == Result::kKept;
    lost = lost || result == Result::kLost;
    if (result != Result::kGoesOn) continue;
    const int below = add_node(child, ply, index);
    if (nodes_[static_cast<std::size_t>(below)].settled) {
      kept = true;
    } else {
      ++open;
    }
  }
  // A move of the opponent's that loses what is granted is a way that never closes.
  nodes_[place].open = open + (lost ? 1 : 0);
  if (owner ? kept : nodes_[place].open == 0) settle(index);
}

void Ways::settle(int first) {
  std::vector<int> waiting = {first};
  while (!waiting.empty()) {
    Node& node = nodes_[static_cast<std::size_t>(waiting.back())];
    waiting.pop_back();
    if (node.settled) continue;
    node.settled = true;
    for (int link = node.parents; link != kNone;
         link = links_[static_cast<std::size_t>(link)].next) {
      const int parent = links_[static_cast<std::size_t>(link)].parent;
      if (parent == kNone) continue;  // the root
      Node& above = nodes_[static_cast<std::size_t>(parent)];
      if (above.board.to_move == owner_ || --above.open == 0) waiting.push_back(parent);
    }
  }
}

env::LegalMask Ways::search(env::LegalMask moves) {
  env::LegalMask found = 0;
  std::vector<std::pair<env::Move, int>> children;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((moves >> move & 1) == 0) continue;
    env::Board child = root_.board;
    const bool captured = env::play(rules_, child, move) > 0;
    const Result result = judge(child, captured, 1);
    if (result == Result::kKept) found = static_cast<env::LegalMask>(found | 1 << move);
    if (result == Result::kGoesOn) children.emplace_back(move, add_node(child, 1, kNone));
  }
  const auto add_settled = [&] {
    for (const auto& [move, node] : children) {
      if (nodes_[static_cast<std::size_t>(node)].settled)
        found = static_cast<env::LegalMask>(found | 1 << move);
    }
  };
  for (int next = 0; next < static_cast<int>(nodes_.size()); ++next) {
    if (next >= (found == 0 ? kConversionNodes : kConversionNodesOfAllMoves)) break;
    if (nodes_[static_cast<std::size_t>(next)].settled) continue;
    expand(next);
    add_settled();
    if (found == moves) break;
  }
  return found == 0 ? moves : found;
}

}  // namespace

env::LegalMask converting_moves(const env::EndgameTable& table, const env::RuleSet& rules,
                                const env::Position& position, std::span<const env::Board> history,
                                env::LegalMask moves, int granted) {
  return Ways(table, rules, position, history, granted).search(moves);
}

}  // namespace awale::mcts
