// The tree of the slow search: nodes with pointers, a copy of the whole game in each, every number
// computed anew from a list of what came back.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "env/game.hpp"
#include "mcts/oracle.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator.hpp"
#include "tests/mcts/naive_gumbel.hpp"

namespace awale::test {

struct ReferenceEdge {
  float prior = 0;
  std::vector<float> utilities;  // what came back, seen from the player to move at the node
  std::vector<float> margins;
  float total = 0;  // of the utilities, until the node below says what it is worth
  int pending = 0;
  std::unique_ptr<struct ReferenceNode> child;

  float visits() const { return static_cast<float>(utilities.size()); }
};

struct ReferenceNode {
  explicit ReferenceNode(env::Game state) : game(std::move(state)) {}
  bool legal(int move) const { return (game.legal() & searched) >> move & 1; }

  env::Game game;
  env::LegalMask searched = 63;              // at the root an endgame table may rule out moves
  std::optional<mcts::OracleLimits> oracle;  // what an endgame table knows, below the root
  bool evaluated = false;
  nn::Evaluation evaluation;
  float utility = 0;       // of the evaluation, within the oracle's limits
  float margin_seeds = 0;  // likewise
  std::array<ReferenceEdge, env::kMoves> edges;
};

// The least and the most that the final margin can be, in seeds of the mover.
struct Range {
  int lower = 0;
  int upper = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

// What is certain at a node, found by looking at the whole tree below it.
struct Certain {
  std::array<Range, env::kMoves> moves;  // of the legal ones
  Range node;
  bool known = false;   // of the moves: more than the stores say
  bool passed = false;  // of the node: that, or what an endgame table says; the node above is told
  bool settled() const { return passed && node.lower == node.upper; }
};
// `solve` false: only endings are certain.
Certain certain(const ReferenceNode& node, bool solve);

// The moves that are not certainly worse than another one.
std::vector<bool> contenders(const ReferenceNode& node, const Certain& bounds);
// Those whose margin is not certain, or all if there are none.
std::vector<bool> open_contenders(const ReferenceNode& node, const Certain& bounds);

// (1 - w) * result + w * margin / 24, the margin's share at most 1.
float utility_of(float result, float margin_seeds, float margin_weight);
float utility_of_end(int margin_seeds, float margin_weight);
int margin_of(const env::Game& over);  // of the player to move

// Q of every move, `unvisited` where nothing has come back, within what is certain.
Numbers values_of(const ReferenceNode& node, const Certain& bounds, float unvisited,
                  float margin_weight);
Numbers within(const ReferenceNode& node, const Certain& bounds, Numbers values,
               float margin_weight);

Numbers visits_of(const ReferenceNode& node);
Numbers pending_of(const ReferenceNode& node);
Numbers priors_of(const ReferenceNode& node);
std::vector<bool> legal_of(const ReferenceNode& node);

}  // namespace awale::test
