// Plays one game at a time by a search on several threads.
#pragma once

#include <string>

#include "mcts/game_search.hpp"
#include "mcts/player.hpp"

namespace awale::mcts {

class GamePlayer final : public Player {
 public:
  // Never adds noise. `name` is what name() gives. Throws InputError(kUsage) if `config` is not
  // valid.
  GamePlayer(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed, int threads,
             const MakeEvaluator& make_evaluator, std::string name);

  // The games must be under the player's rules. They are searched one after the other.
  void choose_moves(std::span<const env::Game* const> games,
                    std::span<const std::uint64_t> game_ids, std::span<env::Move> moves) override;
  std::string name() const override { return name_; }

 private:
  env::RuleSet rules_;
  std::string name_;
  GameSearch search_;
};

}  // namespace awale::mcts
