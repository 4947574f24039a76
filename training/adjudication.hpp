// Games of self-play that are stopped where their end is certain: an endgame table knows it, and
// what the agents would still play teaches less than it costs.
//
// Only a certain end stops a game: the table's guarantees meet, so that the final margin under best
// play of both is one number, and nothing in the game's past can change it (env::holds_from_here:
// where the rules count repetitions, right after a capture). A certain winner is not enough,
// because the margin is learned, too. The games of a share are played to their end all the same, so
// that the agent goes on learning how a won endgame is won.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "env/endgame/table.hpp"
#include "env/game.hpp"
#include "training/config.hpp"

namespace awale::training {

// The table of `config`, null where it names none. Throws InputError: kFile and kMismatch as
// env::EndgameTable::open() does, kUsage under a ply limit so close that no table is ever sure.
std::shared_ptr<const env::EndgameTable> open_table(const AdjudicationConfig& config,
                                                    const env::RuleSet& rules);

// The final seeds of the player to move minus his opponent's under best play of both, where the
// table knows it for certain. The game goes on at the position, and `table` is one for `rules`.
std::optional<int> certain_margin(const env::EndgameTable& table, const env::RuleSet& rules,
                                  const env::Position& position);

// Whether a game is one of the share that no table ends. Uses RandomPurpose::kPlayOut.
bool plays_out(std::uint64_t seed, std::uint64_t game_id, double play_out_share);

}  // namespace awale::training
