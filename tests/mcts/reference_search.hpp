// A slow, obviously correct tree search of one game: pointers instead of indices, a copy of the
// whole game in every node, every number summed anew from a list of what came back, every bound
// found by looking at the whole tree. It shares no code with the fast search but the evaluator, the
// game, masked_softmax, the exponential and the Dirichlet noise, each of them tested by itself.
#pragma once

#include <memory>

#include "env/game.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator.hpp"
#include "tests/mcts/reference_rules.hpp"

namespace awale::test {

// What one root is searched with: as in SearchRoot.
struct ReferenceRequest {
  std::uint64_t seed = 1;
  std::uint64_t game_id = 0;
  int simulations = 0;
  bool noise = true;
};

class ReferenceSearch {
 public:
  ReferenceSearch(const mcts::SearchConfig& config, nn::Evaluator& evaluator)
      : config_(config), evaluator_(evaluator) {}

  // With config.reuse_tree, from what the last call has found below the moves played since.
  mcts::SearchResult run(const env::Game& game, const ReferenceRequest& request = {});
  const ReferenceNode& root() const { return *root_; }

 private:
  struct Step {
    ReferenceNode* node;
    int move;
  };
  struct Way {
    std::vector<Step> steps;
    ReferenceNode* leaf = nullptr;
  };

  void evaluate(ReferenceNode& node);
  void add_noise(const ReferenceRequest& request);
  void simulate();
  Way descend();
  void finish(const Way& way, float utility, float margin_seeds);

  mcts::SearchConfig config_;
  nn::Evaluator& evaluator_;
  std::unique_ptr<ReferenceNode> root_;
  ReferenceRoot search_;
};

// What BatchedSearch must find at the root. In float and with the same order of operations, so that
// the results can be compared for equality.
mcts::SearchResult reference_search(const env::Game& game, const mcts::SearchConfig& config,
                                    nn::Evaluator& evaluator, const ReferenceRequest& request = {});

// Equal to the last bit in everything that a result holds.
bool same_result(const mcts::SearchResult& left, const mcts::SearchResult& right);

}  // namespace awale::test
