// The fields of SearchConfig with their names and what they mean, in one list for the command line,
// config files and players' texts.
#pragma once

#include <string_view>

#include "mcts/search_config.hpp"

namespace awale::mcts {

// Who needs a field: a search that plays itself needs all of them, a player none of the noise.
enum class FieldUse { kSimulations, kPlayer, kNoise };

// Calls visit(name, field, help, use) for each field; `config` may be const.
template <typename Config, typename Visit>
void visit_fields(Config& config, const Visit& visit) {
  visit("simulations", config.simulations, "simulations a move, 1..60000", FieldUse::kSimulations);
  visit("algorithm", config.algorithm, "tree search: puct, gumbel", FieldUse::kPlayer);
  visit("margin_weight", config.margin_weight,
        "weight of the seed margin in a position's value, [0, 0.9]", FieldUse::kPlayer);
  visit("solve", config.solve, "true: exact results found in the tree bound the values above them",
        FieldUse::kPlayer);
  visit("backup_sharpness", config.backup_sharpness,
        "how much more better moves count in the value that a position passes up, 0: all alike, "
        "[0, 40]",
        FieldUse::kPlayer);
  visit("reuse_tree", config.reuse_tree,
        "true: go on with the last search's tree of the same game (self-play: of the iteration)",
        FieldUse::kPlayer);
  visit("leaves", config.leaves, "leaves of a tree that are evaluated together, 1..255",
        FieldUse::kPlayer);
  visit("considered_moves", config.considered_moves, "gumbel: moves considered at the root, 1..6",
        FieldUse::kPlayer);
  visit("c_visit", config.c_visit,
        "gumbel: visits added to the largest count in the weight of Q, [0, 10000]",
        FieldUse::kPlayer);
  visit("c_scale", config.c_scale, "gumbel: weight of Q against the priors, (0, 100]",
        FieldUse::kPlayer);
  visit("visit_cap", config.visit_cap,
        "gumbel: visits beyond this do not add to the weight of Q, [0, 1e6]", FieldUse::kPlayer);
  visit("interior_exploration", config.interior_exploration,
        "gumbel: share of the visits below the root for all legal moves alike, [0, 1]",
        FieldUse::kPlayer);
  visit("gumbel_noise", config.gumbel_noise, "gumbel: scale of the noise at the root, [0, 100]",
        FieldUse::kNoise);
  visit("c_puct", config.c_puct, "puct: exploration constant, (0, 100]", FieldUse::kPlayer);
  visit("fpu_reduction", config.fpu_reduction,
        "puct: value that an unvisited move loses against its parent, [0, 2]", FieldUse::kPlayer);
  visit("noise_weight", config.noise_weight,
        "puct: share of Dirichlet noise in the root's priors, [0, 1]", FieldUse::kNoise);
  visit("noise_total", config.noise_total, "puct: total concentration of the noise, (0, 1000]",
        FieldUse::kNoise);
  visit("forced_playouts", config.forced_playouts,
        "puct: with noise a visited root move gets sqrt(this * prior * simulations) visits at "
        "least, 0: none",
        FieldUse::kNoise);
}

// Sets the player's field called `name`. Throws InputError(kUsage) for an unknown name, listing
// the known ones, and for a value of the wrong type; ranges are validate()'s.
void set_player_field(SearchConfig& config, std::string_view name, std::string_view value);

}  // namespace awale::mcts
