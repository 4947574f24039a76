#include "tests/training/truth/naive_endgame.hpp"

#include <algorithm>
#include <numeric>

namespace awale::test {
namespace {

int pit_seeds(const env::Board& board) {
  return std::accumulate(board.pits.begin(), board.pits.end(), 0);
}

bool comes_before(const env::Board& left, const env::Board& right) {
  const int difference = pit_seeds(left) - pit_seeds(right);
  return difference != 0 ? difference < 0 : left.pits < right.pits;
}

}  // namespace

NaiveEndgame::NaiveEndgame(const env::RuleSet& rules, int seeds)
    : rules_(rules), circles_count_nothing_(env::cycle_score(rules) == env::CycleScore::kZero) {
  for (int n = 0; n <= seeds; ++n) {
    env::Board board;
    add_boards(board, 0, n);
  }
  std::sort(boards_.begin(), boards_.end(), comes_before);
  nodes_.resize(boards_.size());
  for (std::size_t i = 0; i < boards_.size(); ++i)
    connect(i);
  // Captures lead to boards with fewer seeds, which must be known first.
  for (int n = 0; n <= seeds; ++n) {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& node : nodes_)
        changed |= node.seeds == n && improve(node);
    }
  }
}

void NaiveEndgame::add_boards(env::Board& board, int pit, int seeds) {
  if (pit == env::kPits - 1) {
    board.pits[env::kPits - 1] = static_cast<std::uint8_t>(seeds);
    boards_.push_back(board);
    return;
  }
  for (int here = 0; here <= seeds; ++here) {
    board.pits.at(static_cast<std::size_t>(pit)) = static_cast<std::uint8_t>(here);
    add_boards(board, pit + 1, seeds - here);
  }
}

std::size_t NaiveEndgame::find(const env::Board& board) const {
  const auto found = std::lower_bound(boards_.begin(), boards_.end(), board, comes_before);
  return static_cast<std::size_t>(found - boards_.begin());
}

void NaiveEndgame::connect(std::size_t index) {
  const env::Board& board = boards_[index];
  Node& node = nodes_[index];
  node.seeds = pit_seeds(board);
  const auto legal = env::legal_moves(rules_, board);
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    env::Board next = board;
    const int captured = env::play(rules_, next, move);
    node.steps.push_back({find(next), captured});
  }
  if (!node.steps.empty()) return;
  const int own = env::row_to_move_seeds(board);
  const int other = env::row_opponent_seeds(board);
  node.win = circles_count_nothing_ ? std::max(0, own - other) : own;
  node.loss = circles_count_nothing_ ? std::max(0, other - own) : other;
}

bool NaiveEndgame::improve(Node& node) const {
  if (node.steps.empty()) return false;
  int win = 0;
  int loss = node.seeds;
  for (const auto& [index, captured] : node.steps) {
    const Node& child = nodes_[index];
    int mine = captured + child.loss;
    int his = child.win;
    if (circles_count_nothing_) {
      const int margin = mine - his;
      mine = std::max(0, margin);
      his = std::max(0, -margin);
    }
    win = std::max(win, mine);
    loss = std::min(loss, his);
  }
  const bool better = win > node.win || loss > node.loss;
  node.win = win;
  node.loss = loss;
  return better;
}

env::FutureMargin NaiveEndgame::margin(const env::Board& board) const {
  const Node& node = nodes_[find(board)];
  if (circles_count_nothing_) return {node.win - node.loss, node.win - node.loss};
  return {2 * node.win - node.seeds, node.seeds - 2 * node.loss};
}

}  // namespace awale::test
