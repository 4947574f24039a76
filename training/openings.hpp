// The openings of matches: all distinct positions after a number of plies from the start, each
// once, so that no two pairs of games begin alike and the set from which they are drawn is known.
//
// The set is enumerated ply by ply. A position that several move orders reach is kept once, with
// the first of them; after equally many plies the same side is to move, so equal boards look alike
// to the mover. Positions in which the game is over are left out, all others stay in, also lopsided
// ones: each opening is played with both colours, and its pair of games is the unit of the
// statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/random.hpp"
#include "env/rules.hpp"

namespace awale::training {

inline constexpr int kDefaultOpeningPlies = 6;
inline constexpr int kMostOpeningPlies = 8;

// Throws InputError(kUsage) naming --opening-plies unless 0 <= plies <= kMostOpeningPlies.
void check_opening_plies(int plies);

// An opening for each distinct position after `plies` plies, as moves in notation, in the order of
// moves A..F: 26,861 with 6 plies, in 30 ms, 683,970 with 8, in a second (abapa). Throws
// InputError(kUsage) if the rules end every game within so many plies.
std::vector<std::string> enumerate_openings(const env::RuleSet& rules, int plies);

// The openings of a seed, drawn one after the other without replacement. Uses
// RandomPurpose::kMatch, game 0, ply 0.
class Openings {
 public:
  Openings(const env::RuleSet& rules, std::uint64_t seed, int plies);

  // How many there are; 1 without plies: the start position.
  std::size_t set_size() const { return set_.size(); }

  // The next one; nothing once all have been drawn. Without plies "" again and again.
  std::optional<std::string> next();

 private:
  int plies_;
  std::vector<std::string> set_;  // those before drawn_ are drawn
  std::size_t drawn_ = 0;
  env::RandomStream random_;
};

}  // namespace awale::training
