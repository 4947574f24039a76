// A line of the protocol as a command. Pure functions; nothing here knows of searches and threads.
//
// The protocol is the dialect of chess's UCI that Aualé and its engines speak (joansalasoler/auale,
// src/auale/uci; joansalasoler/oware, UCIService.java): moves are the letters of pits, a game's
// moves are written without spaces, a position is "fen" and the notation of env/notation.hpp.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/game.hpp"

namespace awale::training {

// The words of a line, without the white space between them.
std::vector<std::string> uci_words(std::string_view line);

// What "go" asks for. A number that cannot be read is an error in `errors` and as if it were not
// there, because whoever says "go" waits for a move.
struct GoCommand {
  std::optional<int> depth;
  std::optional<std::chrono::milliseconds> movetime;
  std::optional<int> nodes;
  bool infinite = false;
  bool ponder = false;
  std::vector<std::string> errors;
};

// `words` are those after "go".
GoCommand parse_go(const std::vector<std::string>& words);

// What "position" sets up: [startpos | fen BOARD] [moves LETTERS]; `words` are those after it.
// Throws InputError(kPosition) naming the word, the field or the ply.
env::Game parse_uci_position(const std::vector<std::string>& words, const env::RuleSet& rules);

struct SetOption {
  std::string name;
  std::string value;  // "" where none is given
};

// name WORDS [value WORDS]; `words` are those after "setoption". Throws InputError(kUsage).
SetOption parse_set_option(const std::vector<std::string>& words);

}  // namespace awale::training
