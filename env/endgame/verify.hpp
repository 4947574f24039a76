// Checks a table against its own definition, by other code than that which built it: every entry
// must be what its moves, played by the rules, lead to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "env/endgame/table.hpp"

namespace awale::env {

struct EndgameMismatch {
  Board board;
  Guarantees expected;  // from the entries of the boards that its moves lead to
  Guarantees found;
};

// What the entries of the boards that the moves of `board` lead to say of it. All must be covered.
Guarantees from_successors(const EndgameTable& table, const Board& board);

// The first entry, in the order of the table, that differs from what its successors say; nothing if
// all agree. `report` is told of boards that are done, from any thread.
std::optional<EndgameMismatch> find_mismatch(
    const EndgameTable& table, int threads,
    const std::function<void(std::uint64_t boards)>& report);

}  // namespace awale::env
