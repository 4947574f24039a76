// Recorded plies, games and perft counts as text, a record a line: what another program found, to
// be checked against these rules (reference_check).
//
//   plies  POSITION LEGAL MOVE NEXT          LEGAL: bit i is the mover's pit i; NEXT is the
//   position
//                                            after the move, before any final sweep
//   games  MOVES END CAPTURED SCORE          from the start; CAPTURED is the stores before the
//   final
//                                            sweep, SCORE the final score, both South-North
//   perft  POSITION COUNT COUNT ...          for depth 1, 2, ...: leaves/of these ended exactly
//   here/
//                                            ended earlier
//
// END is a name of to_string(EndReason) or, as OpenSpiel has it, `majority` (target) or
// `cannot_feed` (no_moves); for a game that goes on it is `none`, and SCORE repeats the stores.
// Fields are separated by blanks; lines that are empty or begin with # are skipped. What editors of
// Windows add, a byte order mark and a carriage return before the end of a line, is ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "env/board.hpp"
#include "env/final_score.hpp"
#include "env/perft.hpp"

namespace awale::env {

struct RecordedPly {
  Board board;
  LegalMask legal = 0;
  Move move = 0;
  Board next;
};

struct RecordedGame {
  std::string moves;  // South's and North's letters in turn
  EndReason end = EndReason::kNone;
  FinalScore captured;
  FinalScore score;
};

struct RecordedPerft {
  Board board;
  std::vector<PerftCount> counts;  // of depth 1, 2, ...; at least one
};

// The record of a line. Malformed text, which any rule set would refuse, throws InputError: a
// position that holds more than 48 seeds, a letter of the wrong side. Whether a move is legal and a
// number right is not looked at. Study positions of fewer seeds are records like others.
RecordedPly parse_ply(std::string_view line);
RecordedGame parse_game(std::string_view line);
RecordedPerft parse_perft(std::string_view line);

// Calls `use` for each record line of `stream` with its number, from 1. Throws InputError(kFile)
// that begins with "name:number: " for an InputError from `use`, and for a line that holds a 0 byte
// or more than 100,000 characters; also when `stream` cannot be read or holds no record at all.
void for_each_record(std::istream& stream, const std::string& name,
                     const std::function<void(std::string_view line, std::uint64_t number)>& use);

}  // namespace awale::env
