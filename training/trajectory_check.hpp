// Whether a record is a game: replays it move by move and compares everything that follows from the
// rules (boards, plies, repetitions, legal moves, outcome), and checks the ranges of the rest. That
// an adjudicated game was stopped rightly only the table knows: here its place and the range of its
// margin are checked.
#pragma once

#include <optional>
#include <string>

#include "env/rules.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

// The first thing wrong with `game`, e.g. "ply 12: move: expected one of A C, found B" (plies
// counted as in PlyRecord::position.ply, from 0); nothing if it is a game by `rules`, finished or
// not. Pure; `rules` must be valid.
std::optional<std::string> find_inconsistency(const env::RuleSet& rules, const GameRecord& game);

}  // namespace awale::training
