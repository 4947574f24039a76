// Between games as people exchange them and the records that shards store.
//
// Text says nothing of a search. A game from text becomes a record whose plies are all flagged as
// not searched: visits, values and margins are 0, `targets` makes no training row of them, and the
// games still count in statistics. The other way what the search said, and the ids, are left out.
#pragma once

#include <cstdint>

#include "training/game_text/played_game.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {

// `game` must be finished.
GameRecord to_record(const PlayedGame& game, std::uint64_t game_id);

// Event, Round and the players' tags tell run, game and network, where a network has played.
PlayedGame to_played_game(const GameRecord& record, const Provenance& provenance);

}  // namespace awale::training
