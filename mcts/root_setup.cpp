#include "mcts/root_setup.hpp"

#include <algorithm>
#include <bit>

#include "env/error.hpp"
#include "env/random.hpp"
#include "mcts/gumbel.hpp"
#include "mcts/oracle.hpp"
#include "mcts/puct.hpp"

namespace awale::mcts {

RootSetup::RootSetup(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed)
    : rules_(rules), config_(config), quiet_config_(without_noise(config)), seed_(seed) {
  config.validate();
}

env::LegalMask RootSetup::legal_moves(const SearchRoot& root) const {
  const env::Position& position = root.position;
  const env::LegalMask legal = env::legal_moves(rules_, position.board);
  const auto reason =
      env::end_reason(rules_, position.board, legal, position.repetitions + 1, position.ply);
  AWALE_CHECK(reason == env::EndReason::kNone, "game " << root.game_id << " is over ("
                                                       << env::to_string(reason) << ") at "
                                                       << position.board);
  if (!config_.endgame) return legal;
  return outcome_keeping_moves(*config_.endgame, rules_, position, root.history, legal);
}

RootSearch RootSetup::search_of(const SearchRoot& root) const {
  AWALE_CHECK(root.simulations >= 0 && root.simulations <= config_.simulations,
              root.simulations << " simulations, at most " << config_.simulations);
  RootSearch search;
  search.config = root.noise ? &config_ : &quiet_config_;
  search.simulations = root.simulations > 0 ? root.simulations : config_.simulations;
  return search;
}

void RootSetup::add_noise(const SearchRoot& root, Node& node, RootSearch& search) const {
  env::RandomStream stream(seed_, env::RandomPurpose::kRootNoise, root.game_id, root.position.ply);
  if (config_.algorithm == Algorithm::kGumbel) {
    search.logits = root_logits(node, *search.config, stream);
  } else if (search.config->noise_weight > 0) {
    add_dirichlet_noise(node.priors, node.legal, config_.noise_weight, config_.noise_total, stream);
  }
}

int RootSetup::considered_moves(const Node& root) const {
  return std::min(config_.considered_moves, std::popcount(unsigned{root.legal}));
}

}  // namespace awale::mcts
