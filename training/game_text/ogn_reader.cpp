#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "env/error.hpp"
#include "env/final_score.hpp"
#include "env/notation.hpp"
#include "env/printable.hpp"
#include "training/game_text/ogn.hpp"
#include "training/game_text/ogn_rules.hpp"
#include "training/game_text/ogn_scanner.hpp"

namespace awale::training {
namespace {

constexpr int kNotSaid = -1;
constexpr const char* kChessDraw = "1/2-1/2";

// One game as it stands in the text.
struct GameText {
  int line = 0;
  std::vector<Tag> tags;
  std::vector<std::pair<char, int>> moves;  // the letter, and the seeds it is said to take
  std::string result;                       // behind the moves, "" for none
};

const std::string* find_tag(const std::vector<Tag>& tags, const std::string& name) {
  const auto is_it = [&name](const Tag& tag) { return tag.name == name; };
  const auto found = std::find_if(tags.begin(), tags.end(), is_it);
  return found == tags.end() ? nullptr : &found->value;
}

std::string tag_value(const std::vector<Tag>& tags, const std::string& name) {
  const std::string* value = find_tag(tags, name);
  return value == nullptr ? "" : *value;
}

[[noreturn]] void refuse(const std::string& problem) {
  throw InputError(ErrorKind::kPosition, problem);
}

void take_tags(OgnScanner& scanner, OgnToken& token, std::vector<Tag>& tags) {
  for (; token.kind == OgnToken::Kind::kTag; token = scanner.next()) {
    if (find_tag(tags, token.text) != nullptr) {
      scanner.fail(token.line, "tag " + token.text + " stands twice in the tags of a game");
    }
    tags.push_back({token.text, token.value});
  }
}

void check_number(const OgnScanner& scanner, const OgnToken& token, std::size_t plies) {
  const std::string expected = std::to_string(plies / 2 + 1);
  if (token.text == expected) return;
  const char* other = plies > 0 ? " or a result that ends the game" : "";
  scanner.fail(token.line, "expected move number " + expected + other + ", found " + token.text);
}

// Tags, then numbered moves, then a result: where this order begins anew the next game begins.
GameText take_game(OgnScanner& scanner, OgnToken& token) {
  using Kind = OgnToken::Kind;
  GameText game;
  game.line = token.line;
  take_tags(scanner, token, game.tags);
  for (; token.kind == Kind::kNumber || token.kind == Kind::kMoves; token = scanner.next()) {
    if (token.kind == Kind::kNumber) {
      check_number(scanner, token, game.moves.size());
      continue;
    }
    for (const char letter : token.text)
      game.moves.emplace_back(letter, kNotSaid);
    game.moves.back().second = token.captured;
  }
  if (token.kind == Kind::kResult) {
    game.result = token.text;
    token = scanner.next();
  }
  if (game.moves.empty() && game.result.empty() && find_tag(game.tags, "Result") == nullptr) {
    scanner.fail(game.line,
                 "expected moves or a result (*: none yet) of the game that begins here");
  }
  return game;
}

int half_seeds_of(const env::Game& game, env::Side side) {
  const auto reason = game.over() ? game.outcome().reason : env::EndReason::kNone;
  const auto score = env::final_score(game.rules(), game.board(), reason);
  return side == env::Side::kSouth ? score.south_half_seeds : score.north_half_seeds;
}

void play_move(env::Game& game, char letter, int said) {
  const int ply = game.position().ply + 1;
  const env::Side mover = game.board().to_move;
  const int store = game.board().store_to_move;
  const int captured = game.play(env::parse_move(letter, mover, ply));
  if (said == kNotSaid || said == captured) return;
  // Aualé adds to the last capture what the mover keeps of the board at the end.
  if (game.over() && 2 * (said + store) == half_seeds_of(game, mover)) return;
  refuse("ply " + std::to_string(ply) + ": " + letter + " takes " + std::to_string(captured) +
         " by the rules " + env::describe(game.rules()) + ", found +" + std::to_string(said));
}

// The result that the file states, after the moves or as a tag; "*" if it states none.
std::string stated_result(const GameText& game) {
  const std::string tag = tag_value(game.tags, "Result");
  if (tag.empty() || tag == "?") return game.result.empty() ? "*" : game.result;
  if (!game.result.empty() && tag != game.result) {
    refuse("tag Result says " + tag + ", the end of the moves " + game.result);
  }
  return tag;
}

// "28" or "24.5", in half seeds.
std::optional<int> parse_half_seeds(std::string_view text) {
  const bool half = text.ends_with(".5");
  if (half) text.remove_suffix(2);
  int seeds = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seeds);
  const bool valid =
      error == std::errc() && rest == end && text.front() != '-' && seeds <= env::kSeeds;
  return valid ? std::optional(2 * seeds + (half ? 1 : 0)) : std::nullopt;
}

// "28-20", "24.5-23.5".
env::FinalScore parse_score(const std::string& result) {
  const auto dash = std::min(result.find('-'), result.size());
  const auto south = parse_half_seeds(std::string_view(result).substr(0, dash));
  const auto north =
      parse_half_seeds(std::string_view(result).substr(std::min(dash + 1, result.size())));
  if (!south || !north || *south + *north > 2 * env::kSeeds) {
    refuse(
        "result: expected South's seeds, - and North's seeds, together at most 48, or *, found '" +
        result + "'");
  }
  return {*south, *north};
}

// As chess does.
bool says_winner_only(const std::string& result) {
  return result == "1-0" || result == "0-1" || result == kChessDraw;
}

// 1 if South has won, -1 North, 0 for a draw.
int winner_of(const std::string& result) {
  if (result == kChessDraw) return 0;
  const auto [south, north] = parse_score(result);
  return (south > north) - (south < north);
}

int winner_of(const env::Outcome& outcome) {
  return (outcome.margin_south_seeds > 0) - (outcome.margin_south_seeds < 0);
}

// People may end a game before the rules do, with any seeds that it could still have given them.
void check_agreed(const env::Game& game, const std::string& result) {
  const env::Board& board = game.board();
  const auto stores = env::final_score(game.rules(), board, env::EndReason::kNone);
  const int all = 2 * env::total_seeds(board);
  const auto possible = [&] {
    const auto [south, north] = parse_score(result);
    return south >= stores.south_half_seeds && north >= stores.north_half_seeds &&
           south + north <= all;
  };
  if (!says_winner_only(result) && possible()) return;
  refuse("result: the rules " + env::describe(game.rules()) + " have not ended the game at " +
         env::to_text(stores) + "; expected seeds that it can still end with, or *, found " +
         result);
}

// All but what the game itself says.
std::vector<Tag> remaining_tags(std::vector<Tag> tags) {
  const auto is_derived = [](const Tag& tag) {
    return tag.name == "Variant" || tag.name == "Rules" || tag.name == "FEN" ||
           tag.name == "Result";
  };
  tags.erase(std::remove_if(tags.begin(), tags.end(), is_derived), tags.end());
  return tags;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const std::optional<env::RuleSet>& rules)
      : scanner_(text, name), name_(name), rules_(rules) {}

  OgnGames read() {
    for (OgnToken token = scanner_.next(); token.kind != OgnToken::Kind::kEnd;)
      add(take_game(scanner_, token));
    result_.skipped = scanner_.skipped();
    return std::move(result_);
  }

 private:
  void add(const GameText& text) {
    const std::string place = name_ + ", game " + std::to_string(result_.games.size() + 1) +
                              " (line " + std::to_string(text.line) + ")";
    try {
      result_.games.push_back(played(text, place));
    } catch (const InputError& error) {
      throw InputError(error.kind(), place + ": " + env::printable(error.what()));
    }
  }

  PlayedGame played(const GameText& text, const std::string& place) {
    PlayedGame played;
    played.rules = rules_of(tag_value(text.tags, "Variant"), tag_value(text.tags, "Rules"), rules_);
    const std::string* start = find_tag(text.tags, "FEN");
    if (start != nullptr) played.start = env::parse_board(*start, env::SeedCount::kStudy);
    env::Game game(played.rules, played.start);
    for (const auto& [letter, captured] : text.moves) {
      play_move(game, letter, captured);
      played.moves += letter;
    }
    played.tags = remaining_tags(text.tags);
    const std::string result = stated_result(text);
    if (game.over()) {
      played.outcome = game.outcome();
      if (result != "*") compare_result(game, result, place);
    } else if (result != "*") {
      check_agreed(game, result);
      played.tags.push_back({"Result", result});
    }
    return played;
  }

  void compare_result(const env::Game& game, const std::string& stated, const std::string& place) {
    const std::string seeds =
        to_text(env::final_score(game.rules(), game.board(), game.outcome().reason));
    if (stated == seeds) return;
    const std::string difference =
        "result " + seeds + " by the rules " + env::describe(game.rules()) + ", found " + stated;
    if (winner_of(stated) != winner_of(game.outcome())) refuse(difference);
    if (says_winner_only(stated)) return;
    if (result_.other_seeds++ == 0) result_.first_other_seeds = place + ": " + difference;
  }

  OgnScanner scanner_;
  const std::string name_;
  const std::optional<env::RuleSet>& rules_;
  OgnGames result_;
};

}  // namespace

OgnGames read_ogn(std::string_view text, const std::string& name,
                  const std::optional<env::RuleSet>& rules) {
  return Reader(text, name, rules).read();
}

}  // namespace awale::training
