#include "mcts/players/search_player.hpp"

#include <utility>

#include "env/error.hpp"
#include "mcts/root_policy.hpp"

namespace awale::mcts {

void SearchPlayerConfig::validate() const {
  search.validate();
  if (sampled_plies < 0) {
    throw InputError(ErrorKind::kUsage, "player.sampled_plies: expected 0 or more, found " +
                                            std::to_string(sampled_plies));
  }
  if (!(temperature > 0)) {
    throw InputError(ErrorKind::kUsage, "player.temperature: expected a number above 0, found " +
                                            std::to_string(temperature));
  }
}

SearchPlayer::SearchPlayer(const env::RuleSet& rules, const SearchPlayerConfig& config,
                           std::uint64_t seed, std::unique_ptr<nn::Evaluator> evaluator,
                           std::string name)
    : rules_(rules),
      config_(config),
      seed_(seed),
      evaluator_(std::move(evaluator)),
      name_(std::move(name)),
      search_(rules, without_noise(config.search), seed) {
  config_.validate();
}

void SearchPlayer::choose_moves(std::span<const env::Game* const> games,
                                std::span<const std::uint64_t> game_ids,
                                std::span<env::Move> moves) {
  roots_.clear();
  for (std::size_t i = 0; i < games.size(); ++i) {
    AWALE_CHECK(games[i]->rules().same_game(rules_), "game under " << describe(games[i]->rules())
                                                                   << ", player under "
                                                                   << describe(rules_));
    roots_.push_back({games[i]->position(), games[i]->history(), game_ids[i]});
  }
  results_.resize(roots_.size());
  search_.run(roots_, *evaluator_, results_);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const int ply = games[i]->position().ply;
    if (ply < config_.sampled_plies) {
      env::RandomStream stream(seed_, env::RandomPurpose::kMove, game_ids[i],
                               static_cast<std::uint32_t>(ply));
      moves[i] = sample_move(results_[i], config_.temperature, stream);
    } else {
      moves[i] = results_[i].best;
    }
  }
}

}  // namespace awale::mcts
