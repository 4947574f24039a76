// Recorded data against these rules: every number of a record is worked out anew and compared.
//
// `expected` is what the record says, `found` what the rules say, both as text for people.
#pragma once

#include <string>
#include <vector>

#include "env/reference_data.hpp"
#include "env/rules.hpp"

namespace awale::env {

struct Mismatch {
  std::string what;  // of a few kinds: "legal moves", "leaves"
  std::string expected;
  std::string found;
};

// The differences of one record, none if it agrees. `rules` must be valid.
//
// A ply is compared in its legal moves, in whether its move is legal and, if so, in the next
// position; no store or history ends the game there. A game is played from the start and compared
// in its moves and, if they are legal to the end, in how it ended, stores and score. Perft is
// compared in the three counts of each depth.
std::vector<Mismatch> check(const RuleSet& rules, const RecordedPly& recorded);
std::vector<Mismatch> check(const RuleSet& rules, const RecordedGame& recorded);
std::vector<Mismatch> check(const RuleSet& rules, const RecordedPerft& recorded);

}  // namespace awale::env
