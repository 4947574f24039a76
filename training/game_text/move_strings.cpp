#include "training/game_text/move_strings.hpp"

#include <sstream>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "env/printable.hpp"

namespace awale::training {
namespace {

constexpr const char* kMovesWord = "moves";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

env::Board read_start(const std::string& text, const std::string& place) {
  try {
    return env::parse_board(text, env::SeedCount::kStudy);
  } catch (const InputError& error) {
    throw InputError(error.kind(), place + ": " + env::printable(error.what()));
  }
}

PlayedGame read_line(const std::vector<std::string>& words, const std::string& place,
                     const env::RuleSet& rules) {
  const bool starts_with_position = words.front().find('-') != std::string::npos;
  const bool moves_only = words.size() == 1 && !starts_with_position;
  const bool position_only = words.size() == 1 && starts_with_position;
  const bool both = words.size() == 3 && starts_with_position && words[1] == kMovesWord;
  if (!moves_only && !position_only && !both) {
    throw InputError(ErrorKind::kPosition,
                     place + ": expected MOVES or POSITION moves MOVES, found " +
                         std::to_string(words.size()) + " words, the first '" +
                         env::printable(words[0]) + "'");
  }
  if (moves_only) return replay_game(rules, env::initial_board(), words[0], place);
  return replay_game(rules, read_start(words[0], place), both ? words[2] : "", place);
}

}  // namespace

std::vector<PlayedGame> read_move_strings(std::string_view text, const std::string& name,
                                          const env::RuleSet& rules) {
  std::istringstream lines{std::string(text)};
  std::vector<PlayedGame> games;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto words = words_of(line);
    if (words.empty() || words.front().front() == '#') continue;
    games.push_back(read_line(words, name + ", line " + std::to_string(number), rules));
  }
  return games;
}

std::string write_move_strings(std::span<const PlayedGame> games) {
  std::string text;
  for (const auto& game : games) {
    const bool plain = game.start == env::initial_board() && !game.moves.empty();
    if (!plain) text += env::to_text(game.start);
    if (!plain && !game.moves.empty()) text += std::string(" ") + kMovesWord + " ";
    text += game.moves + "\n";
  }
  return text;
}

}  // namespace awale::training
