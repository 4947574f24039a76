// Plays by batched tree search with any evaluator: `mcts` with a network's, `uniform-mcts` with the
// one that knows nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mcts/batched_search.hpp"
#include "mcts/player.hpp"

namespace awale::mcts {

struct SearchPlayerConfig {
  SearchConfig search;  // noise_weight is ignored: a player never adds noise
  // The first sampled_plies plies of a game are drawn from visits^(1/temperature), later ones are
  // the most visited move.
  int sampled_plies = 0;
  double temperature = 1.0;

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

class SearchPlayer final : public Player {
 public:
  // `name` is what name() gives, e.g. "mcts:64 runs/quickstart". Throws InputError(kUsage) if
  // `config` is not valid.
  SearchPlayer(const env::RuleSet& rules, const SearchPlayerConfig& config, std::uint64_t seed,
               std::unique_ptr<nn::Evaluator> evaluator, std::string name);

  // The games must be under the player's rules. All of them are searched as one batch. With
  // search.reuse_tree a game goes on with the tree of the call before, found by its id. Uses
  // RandomPurpose::kMove for sampled plies.
  void choose_moves(std::span<const env::Game* const> games,
                    std::span<const std::uint64_t> game_ids, std::span<env::Move> moves) override;
  std::string name() const override { return name_; }

 private:
  env::RuleSet rules_;
  SearchPlayerConfig config_;
  std::uint64_t seed_;
  std::unique_ptr<nn::Evaluator> evaluator_;
  std::string name_;
  BatchedSearch search_;

  // One call's batch, kept to avoid allocation.
  std::vector<SearchRoot> roots_;
  std::vector<SearchResult> results_;
};

}  // namespace awale::mcts
