#include <algorithm>
#include <array>

#include "env/final_score.hpp"
#include "env/notation.hpp"
#include "training/game_text/ogn.hpp"
#include "training/game_text/ogn_rules.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kLongestLine = 79;
constexpr std::array<const char*, 6> kRoster = {"Event", "Site",  "Date",
                                                "Round", "South", "North"};  // after Variant

std::string tag_line(const std::string& name, const std::string& value) {
  std::string line = "[" + name + " \"";
  for (const char c : value) {
    if (c == '\\' || c == '"') line += '\\';
    line += c == '\n' || c == '\r' ? ' ' : c;  // a value stays on its line
  }
  return line + "\"]\n";
}

std::string value_of(const PlayedGame& game, const std::string& name, const std::string& missing) {
  for (const auto& tag : game.tags) {
    if (tag.name == name) return tag.value;
  }
  return missing;
}

bool is_other(const Tag& tag) {
  return tag.name != "Result" &&
         std::find(kRoster.begin(), kRoster.end(), tag.name) == kRoster.end();
}

// Words on lines of limited length.
class Lines {
 public:
  void add(const std::string& word) {
    const bool fits = line_.size() + 1 + word.size() <= kLongestLine;
    if (!line_.empty() && !fits) end_line();
    line_ += (line_.empty() ? "" : " ") + word;
  }

  std::string take() {
    end_line();
    return std::move(text_);
  }

 private:
  void end_line() {
    text_ += line_ + "\n";
    line_.clear();
  }

  std::string text_;
  std::string line_;
};

struct Movetext {
  std::string lines;
  std::string result;
};

Movetext movetext(const PlayedGame& played) {
  env::Game game(played.rules, played.start);
  Lines lines;
  for (const char letter : played.moves) {
    const int ply = game.position().ply;
    if (ply % 2 == 0) lines.add(std::to_string(ply / 2 + 1) + ".");
    const int captured = game.play(env::parse_move(letter, game.board().to_move, ply + 1));
    std::string move(1, letter);
    if (captured > 0) move.append("+").append(std::to_string(captured));
    lines.add(move);
  }
  const std::string result =
      game.over() ? to_text(env::final_score(game.rules(), game.board(), game.outcome().reason))
                  : value_of(played, "Result", "*");
  lines.add(result);
  return {lines.take(), result};
}

std::string game_text(const PlayedGame& game) {
  const auto [lines, result] = movetext(game);
  std::string text = tag_line("Variant", variant_of(game.rules));
  for (const char* name : kRoster)
    text += tag_line(name, value_of(game, name, "?"));
  text += tag_line("Result", result);
  const std::string parameters = parameters_of(game.rules);
  if (!parameters.empty()) text += tag_line("Rules", parameters);
  if (!(game.start == env::initial_board())) text += tag_line("FEN", env::to_text(game.start));
  for (const auto& tag : game.tags) {
    if (is_other(tag)) text += tag_line(tag.name, tag.value);
  }
  return text + "\n" + lines;
}

}  // namespace

std::string write_ogn(std::span<const PlayedGame> games) {
  std::string text;
  for (const auto& game : games) {
    if (!text.empty()) text += '\n';
    text += game_text(game);
  }
  return text;
}

}  // namespace awale::training
