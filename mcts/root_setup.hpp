// What a root is given before its search: the checks, its goal and its noise, the same for every
// search.
#pragma once

#include <cstdint>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "mcts/search_result.hpp"
#include "mcts/simulation.hpp"

namespace awale::mcts {

class RootSetup {
 public:
  // Throws InputError(kUsage) if `config` is not valid.
  RootSetup(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed);
  RootSetup(const RootSetup&) = delete;
  RootSetup& operator=(const RootSetup&) = delete;

  const SearchConfig& config() const { return config_; }

  // The moves to search: the legal ones, or of them those that keep what the endgame table grants.
  // Aborts if the position is over.
  env::LegalMask legal_moves(const SearchRoot& root) const;

  // With which config and how many simulations it is searched; the config is this object's. Aborts
  // on more than the config's.
  RootSearch search_of(const SearchRoot& root) const;

  // Makes the expanded root's noise, from RandomPurpose::kRootNoise: in the logits of `search`
  // (Gumbel), which are set with or without noise, or in the node's priors (PUCT).
  void add_noise(const SearchRoot& root, Node& node, RootSearch& search) const;

  // How many moves Gumbel considers at the root.
  int considered_moves(const Node& root) const;

 private:
  env::RuleSet rules_;
  SearchConfig config_;
  SearchConfig quiet_config_;
  std::uint64_t seed_;
};

}  // namespace awale::mcts
