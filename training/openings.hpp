// Different random openings, so that deterministic players do not play one game again and again.
//
// An opening is a number of uniformly random legal plies from the start, drawn from
// OpeningPlies::min..max, that do not end the game. Two openings are the same if they look alike to
// the player to move, whichever side that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "env/random.hpp"
#include "env/rules.hpp"

namespace awale::training {

struct OpeningPlies {
  int min = 4;
  int max = 8;  // 0: every game begins at the start position

  // Throws InputError(kUsage) naming --opening-plies.
  void validate() const;
};

// The openings of a seed, one after the other. Uses RandomPurpose::kMatch, ply 0.
class Openings {
 public:
  Openings(const env::RuleSet& rules, std::uint64_t seed, OpeningPlies plies = {});

  // The next opening as moves in notation, different from all before; "" again and again if they
  // have no plies. Nothing once no other can be found. Throws InputError(kUsage) if the rules end
  // every game before it gets so far.
  std::optional<std::string> next();

 private:
  struct BoardHash {
    std::size_t operator()(const env::Board& board) const { return env::hash(board); }
  };

  env::RuleSet rules_;
  std::uint64_t seed_;
  OpeningPlies plies_;
  std::uint64_t candidate_ = 0;
  std::unordered_set<env::Board, BoardHash> seen_;
};

}  // namespace awale::training
