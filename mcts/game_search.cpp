#include "mcts/game_search.hpp"

#include <algorithm>

#include "env/error.hpp"

namespace awale::mcts {

GameSearch::GameSearch(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed,
                       int threads, const MakeEvaluator& make_evaluator) {
  if (threads < 1) {
    throw InputError(ErrorKind::kUsage,
                     "threads: expected 1 or more, found " + std::to_string(threads));
  }
  if (config.algorithm == Algorithm::kPuct) {
    evaluators_.push_back(make_evaluator(threads));
    batched_ = std::make_unique<BatchedSearch>(rules, config, seed);
    return;
  }
  const int useful = std::min(threads, SplitSearch::kMostThreads);
  for (int thread = 0; thread < useful; ++thread)
    evaluators_.push_back(make_evaluator(1));
  split_ = std::make_unique<SplitSearch>(rules, config, seed, useful);
}

SearchResult GameSearch::run(const SearchRoot& root) {
  if (split_) return split_->run(root, evaluators_);
  SearchResult result;
  batched_->run(std::span(&root, 1), *evaluators_.front(), std::span(&result, 1));
  return result;
}

std::vector<env::Move> GameSearch::principal_variation(int max_plies) const {
  return split_ ? split_->principal_variation(max_plies)
                : batched_->principal_variation(0, max_plies);
}

std::string GameSearch::evaluator_name() const {
  const std::string name = evaluators_.front()->name();
  if (evaluators_.size() == 1) return name;
  return name + ", " + std::to_string(evaluators_.size()) + " threads";
}

}  // namespace awale::mcts
