#include "training/game_text/ogn.hpp"

#include <sstream>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/golden.hpp"
#include "tests/training/random_games.hpp"
#include "training/game_text/game_records.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;

namespace {

using Rules = std::optional<env::RuleSet>;

OgnGames read(const std::string& text, const Rules& rules = std::nullopt) {
  return read_ogn(text, "'games.ogn'", rules);
}

PlayedGame read_one(const std::string& text, const Rules& rules = std::nullopt) {
  const auto games = read(text, rules).games;
  REQUIRE(games.size() == 1);
  return games.front();
}

std::string refusal(const std::string& text, ErrorKind kind = ErrorKind::kPosition,
                    const Rules& rules = std::nullopt) {
  return error_of(kind, [&] { read(text, rules); });
}

PlayedGame random_played_game(const env::RuleSet& rules, std::uint64_t id) {
  return to_played_game(tests::random_game(rules, id), {{rules}, 1, "", 0, ""});
}

void require_equal(const PlayedGame& left, const PlayedGame& right) {
  REQUIRE(left.rules.name == right.rules.name);
  REQUIRE(left.rules.same_game(right.rules));
  REQUIRE(left.start == right.start);
  REQUIRE(left.moves == right.moves);
  REQUIRE(left.outcome.reason == right.outcome.reason);
  REQUIRE(left.outcome.margin_south_seeds == right.outcome.margin_south_seeds);
  REQUIRE(left.tags == right.tags);
}

// One game of each kind that has something of its own.
std::vector<PlayedGame> varied_games() {
  const std::vector<Tag> roster = {{"Event", "?"}, {"Site", "?"},  {"Date", "?"},
                                   {"Round", "?"}, {"South", "?"}, {"North", "?"}};
  std::vector<PlayedGame> games;
  games.push_back(random_played_game({}, 1));
  games.back().tags = {{"Event", "Aual\xC3\xA9 open"}, {"Site", "C:\\games\\"},
                       {"Date", "2024.05.01"},         {"Round", "2"},
                       {"South", "Ann \"Seed\" Lee"},  {"North", "minimax:4"},
                       {"Annotator", "nobody"}};
  games.push_back(random_played_game(env::preset("awari"), 2));
  games.back().tags = roster;

  const auto custom = env::from_key_values({}, {{"grand_slam", "capture"}, {"ply_limit", "60"}});
  games.push_back(random_played_game(custom, 3));
  games.back().tags = roster;

  PlayedGame unfinished;  // North begins in the middle of a game
  unfinished.start = env::parse_board("4-4-4-4-0-5-5-5-5-4-4-4-0-0-N");
  unfinished.moves = "fFa";
  unfinished.tags = roster;
  games.push_back(unfinished);
  PlayedGame agreed;
  agreed.moves = "FfBe";
  agreed.tags = roster;
  agreed.tags.push_back({"Result", "25-23"});
  games.push_back(agreed);
  PlayedGame not_begun;
  not_begun.tags = roster;
  games.push_back(not_begun);
  return games;
}

// As Aualé writes a game that ends by a repetition: the last capture holds North's row.
constexpr const char* kAualeGame = R"([Variant "Oware Abapa"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "?"]
[South "Joan"]
[North "Aalina"]
[Result "23-25"]
[FEN "0-0-0-0-0-2-0-0-0-0-0-2-21-23-S"]

1. F f 2. A a 3. B b { a circle } 4. C c 5. D d 6. E e+2 23-25
)";

}  // namespace

TEST_CASE("games are written as the golden file has them, and read back") {
  const auto games = varied_games();
  const std::string text = write_ogn(games);
  test::check_golden("games.ogn", text);
  const auto found = read(text);
  REQUIRE(found.games.size() == games.size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    INFO("game " << i + 1);
    require_equal(found.games[i], games[i]);
  }
  CHECK(write_ogn(found.games) == text);
}

TEST_CASE("lines of moves are shorter than 80 characters") {
  std::istringstream lines(write_ogn(std::vector{random_played_game({}, 5)}));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, line.size());
  CHECK(longest <= 79);
  CHECK(longest >= 74);  // and full
}

TEST_CASE("random games of every preset survive the way through text") {
  for (const auto& name : env::preset_names()) {
    for (std::uint64_t id = 0; id < 20; ++id) {
      const auto game = random_played_game(env::preset(name), id);
      CAPTURE(name, id);
      const auto found = read_one(write_ogn(std::vector{game}));
      CHECK(found.rules.name == name);
      CHECK(found.moves == game.moves);
      CHECK(found.outcome.reason == game.outcome.reason);
      CHECK(found.outcome.margin_south_seeds == game.outcome.margin_south_seeds);
    }
  }
}

TEST_CASE("comments, variations, annotations and numbers are stepped over and counted") {
  const auto read_games = read(
      "[Variant \"abapa\"]\r\n% another program's line: A a A\r\n\r\n"
      "{before} 1. F! f?? {a comment (with A) in it} 2... B $14 (2. A (2. C c) {x) } a) e ; A a\r\n"
      "B3.c *");
  REQUIRE(read_games.games.size() == 1);
  CHECK(read_games.games[0].moves == "FfBeBc");
  CHECK(read_games.skipped.comments == 3);
  CHECK(read_games.skipped.variations == 1);
  CHECK(read_games.skipped.annotations == 3);
}

TEST_CASE("moves need no numbers and no spaces") {
  CHECK(read_one("FfBeBc").moves == "FfBeBc");
  CHECK(read_one("1.Ff 2.BeBc*").moves == "FfBeBc");
}

TEST_CASE("move numbers, where there are any, are those of their pairs") {
  CHECK(read_one("1. F 1... f 2. B 2... e 3. *").moves == "FfBe");
  CHECK(contains(refusal("1. F f\n\n1. E e"),
                 "'games.ogn', line 3: expected move number 2 or a result that ends the game, "
                 "found 1"));
  CHECK(contains(refusal("7. F f 3. B e *"), "line 1: expected move number 1, found 7"));
  CHECK(contains(refusal("1. F 2. f"), "expected move number 1 or a result"));
  CHECK(contains(refusal("1. F f 1.5 B"), "found 1.5"));
  CHECK(contains(refusal("99999999999999999999. F"), "found 99999999999999999999"));
}

TEST_CASE("a game ends with its result, or where the next one's tags begin") {
  const auto count = [](const std::string& text) { return read(text).games.size(); };
  CHECK(count("") == 0);
  CHECK(count("; nothing but a comment") == 0);
  CHECK(count("1. F f * 1. A a *") == 2);
  CHECK(count("[Event \"1\"] F f [Event \"2\"] A a") == 2);
  CHECK(count("[Event \"no moves\"] * [Event \"no moves\"] *") == 2);
  CHECK(count("[Event \"as Aual\xC3\xA9 writes no moves\"] [Result \"*\"]") == 1);
}

TEST_CASE("tags without moves and result, or twice in a game, are refused") {
  CHECK(contains(refusal("F f *\n[Event \"x\"] [Site \"y\"]\n"),
                 "'games.ogn', line 2: expected moves or a result"));
  CHECK(contains(refusal("[Event \"x\"] 1."), "expected moves or a result"));
  CHECK(contains(refusal("[Variant \"awari\"]\n[Variant \"abapa\"]\n\n1. F f *"),
                 "'games.ogn', line 2: tag Variant stands twice in the tags of a game"));
}

TEST_CASE("tag values are unescaped and may hold anything") {
  const auto game = read_one("[ Event  \"a \\\"b\\\" \\\\ c]\" ]\n[South \"\"]F");
  CHECK(game.tags == std::vector<Tag>{{"Event", "a \"b\" \\ c]"}, {"South", ""}});
}

TEST_CASE("a tag's value stays on its line, whatever a player is called") {
  PlayedGame game;
  game.tags = {{"South", "a\r\nb"}};
  CHECK(contains(write_ogn(std::vector{game}), "[South \"a  b\"]\n"));
}

TEST_CASE("bytes outside ASCII are escaped in messages") {
  CHECK(contains(refusal("[Variant \"\xC3\xA9\"] F", ErrorKind::kMismatch),
                 R"(no rule set '\xc3\xa9')"));
}

TEST_CASE("a file of Aualé reads as Aualé played it") {
  const auto game = read_one(kAualeGame);
  CHECK(env::describe(game.rules) == "custom (sweep_at_target=false)");
  CHECK(game.moves == "FfAaBbCcDdEe");
  CHECK(game.outcome.reason == env::EndReason::kRepetition);
  CHECK(game.outcome.margin_south_seeds == -2);
  CHECK(game.tags[4] == Tag{"South", "Joan"});
}

TEST_CASE("Aualé's name of the rules yields to those that are asked for") {
  const std::string text = "[Variant \"Oware Abapa\"]\n1. F f *";
  CHECK(read_one(text).rules.sweep_at_target == false);
  CHECK(read_one(text, env::preset("abapa")).rules.sweep_at_target);
  CHECK(contains(write_ogn(std::vector{read_one(text)}), "[Variant \"Oware Abapa\"]\n"));
}

TEST_CASE("a file without rules has the default's or those that are asked for") {
  for (const char* variant : {"", "[Variant \"?\"]", "[Variant \"\"]"}) {
    CHECK(read_one(std::string(variant) + "F").rules.name == "abapa");
    CHECK(read_one(std::string(variant) + "F", env::preset("awari")).rules.name == "awari");
  }
}

TEST_CASE("rules that contradict what is asked for, or are unknown, are a mismatch") {
  const auto mismatch = [](const std::string& text, const Rules& rules) {
    return refusal(text, ErrorKind::kMismatch, rules);
  };
  CHECK(contains(mismatch("F *\n[Variant \"awari\"] F", env::preset("abapa")),
                 "'games.ogn', game 2 (line 2): played by the rules awari"));
  CHECK(mismatch("[Variant \"openspiel\"] F", env::preset("abapa")).empty());  // the same game
  CHECK(contains(mismatch("[Variant \"Kalah\"] F", std::nullopt), "no rule set 'Kalah' here"));
  CHECK(read_one("[Variant \"Kalah\"] F", env::preset("abapa")).rules.name == "abapa");
}

TEST_CASE("custom rules must be complete and well-formed") {
  const std::string all =
      "grand_slam=capture; capture_counts=2,3; must_feed=true; cannot_feed=ends; target_seeds=25; "
      "sweep_at_target=true; repetition_occurrence=2; repetition_score=own_row; ply_limit=60; "
      "limit_score=own_row";
  const auto custom = [](const std::string& parameters, const std::string& variant = "custom") {
    return "[Variant \"" + variant + "\"]\n[Rules \"" + parameters + "\"]\nF";
  };
  CHECK(read_one(custom(all)).rules.ply_limit == 60);
  CHECK(contains(refusal(custom("ply_limit=60")),
                 "tag Rules: expected every parameter once, found grand_slam 0 times"));
  CHECK(contains(refusal(custom(all + "; ply_limit=70")), "found ply_limit 2 times"));
  CHECK(contains(refusal(custom(all + "; kroo=true")), "rules.kroo: no such rule parameter"));
  CHECK(contains(refusal(custom(all + "; nonsense")), "expected KEY=VALUE, found 'nonsense'"));
  CHECK(contains(refusal(custom("name=awari; " + all)), "found name 1 times"));
  CHECK(contains(refusal(custom(all, "abapa")), "tag Rules: contradicts tag Variant, abapa"));
  CHECK(contains(refusal("[Variant \"custom\"] F"), "found grand_slam 0 times"));
}

TEST_CASE("captures must be the rules', but the last may hold what the mover keeps") {
  const std::string start = "[FEN \"0-0-0-0-0-6-1-1-5-1-2-1-20-11-S\"]\n";  // F takes 7, then 5
  CHECK(read_one(start + "F+7 *").outcome.margin_south_seeds == 27 - 21);
  CHECK(read_one(start + "F *").moves == "F");
  CHECK(contains(refusal(start + "F+6 *"), "'games.ogn', game 1 (line 1): ply 1: F takes 7"));
  CHECK(contains(refusal("F+1 f"), "ply 1: F takes 0 by the rules abapa, found +1"));

  // The last move repeats the position: North takes the 2 seeds of his row.
  const std::string circle = "[FEN \"0-0-0-0-0-2-0-0-0-0-0-2-21-23-S\"] FfAaBbCcDdE";
  CHECK(finished(read_one(circle + "e")));
  CHECK(finished(read_one(circle + "e+0")));
  CHECK(finished(read_one(circle + "e+2")));
  CHECK(contains(refusal(circle + "e+1"), "ply 12: e takes 0"));
  CHECK(contains(refusal("[FEN \"0-0-0-0-0-2-0-0-0-0-0-2-21-23-S\"] F f+2"), "ply 2: f takes 0"));
}

TEST_CASE("the winner must be the rules' winner; other seeds are noted") {
  const std::string start = "[FEN \"0-0-0-0-0-6-1-1-5-1-2-1-20-11-S\"]\n";  // 27-21, swept
  CHECK(read(start + "F 27-21").other_seeds == 0);
  const auto other = read(start + "F 27-11\n" + start + "F 27-11");
  CHECK(other.other_seeds == 2);
  CHECK(contains(other.first_other_seeds, "game 1 (line 1): result 27-21 by the rules abapa"));
  CHECK(read(start + "F 1-0").other_seeds == 0);  // as chess says it
  CHECK(contains(refusal(start + "F 21-27"), "result 27-21 by the rules abapa, found 21-27"));
  CHECK(contains(refusal(start + "F 1/2-1/2"), "found 1/2-1/2"));
  CHECK(contains(refusal("[Result \"27-21\"]" + start + "F 27-11"),
                 "tag Result says 27-21, the end of the moves 27-11"));
}

TEST_CASE("a result of a game that goes on is kept, if it is a possible one") {
  CHECK(read_one("F f 25-23").tags == std::vector<Tag>{{"Result", "25-23"}});
  CHECK(read_one("[Result \"24.5-23.5\"] F").tags == std::vector<Tag>{{"Result", "24.5-23.5"}});
  CHECK(read_one("[Result \"?\"] F *").tags.empty());
  const std::string start = "[FEN \"4-4-4-4-0-5-5-5-5-4-0-4-4-0-N\"] f ";
  CHECK(read_one(start + "4-44").tags == std::vector<Tag>{{"Result", "4-44"}});
  for (const std::string bad : {"3-45", "1-0", "0-1", "1/2-1/2"}) {
    CAPTURE(bad);
    CHECK(contains(refusal(start + bad),
                   "the rules abapa have not ended the game at 4-0; "
                   "expected seeds that it can still end with, or *"));
  }
  CHECK(contains(refusal("[FEN \"0-0-0-0-0-6-1-1-5-1-2-1-10-11-S\"] F 28-20"), "game at 17-11"));
  for (const char* bad : {"South", "25", "25-", "-23", "25-99", "25-24", "25-23-0", "1/2", ".5-23",
                          "2e1-23", "25.4-22.6", "25--3"}) {
    CAPTURE(bad);
    CHECK(contains(refusal("[Result \"" + std::string(bad) + "\"] F"),
                   "result: expected South's seeds, - and North's seeds, together at most 48"));
  }
}

TEST_CASE("tag Result and the result behind the moves are the same") {
  CHECK(contains(refusal("[Result \"25-23\"]\n\n1. F f *"),
                 "game 1 (line 1): tag Result says 25-23, the end of the moves *"));
  CHECK(contains(refusal("[Result \"*\"]\n\n1. F f 25-23"),
                 "tag Result says *, the end of the moves 25-23"));
}

TEST_CASE("illegal moves are named by game, line and ply") {
  CHECK(contains(refusal("1. F f *\n\n[Event \"2\"]\n1. A b\n2. A"),
                 "'games.ogn', game 2 (line 3): ply 3 at 0-5-5-5-5-4-4-0-5-5-5-5-0-0-S: illegal "
                 "move A, legal are B C D E F"));
  CHECK(contains(refusal("1. F F"), "game 1 (line 1): ply 2: expected one of a b c d e f"));
  CHECK(contains(refusal("[FEN \"4-4\"] F"), "game 1 (line 1): position '4-4'"));
}

TEST_CASE("damaged text is refused, or read as games that are written and read alike") {
  const std::string golden = write_ogn(varied_games());
  const std::string bytes = "[]{}()\"\\*+-;%$!?019.=/AaFfZ \n\xFF";
  const auto at = [](env::RandomStream& random, const std::string& text) {
    return random.below(static_cast<std::uint32_t>(text.size()));
  };
  int accepted = 0;
  for (std::uint64_t id = 0; id < 2000; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 0);
    std::string damaged = golden;
    damaged.replace(at(random, golden), random.below(3), 1, bytes[at(random, bytes)]);
    try {
      const std::string text = write_ogn(read(damaged).games);
      CAPTURE(damaged);
      REQUIRE(write_ogn(read(text).games) == text);
      ++accepted;
    } catch (const InputError&) {
    }
  }
  CHECK(accepted > 100);
  CHECK(accepted < 1900);
}

TEST_CASE("malformed text is refused by line") {
  CHECK(contains(refusal("1. F f\n2. Zug"), "line 2: expected a move A..F or a..f, found 'Zug'"));
  CHECK(contains(refusal("\n{ F f"), "line 2: a comment begins with { and nowhere ends"));
  CHECK(contains(refusal("F (f (A) "), "line 1: a variation begins with ( and nowhere ends"));
  CHECK(contains(refusal("F (f {A) "), "line 1: a comment begins"));
  CHECK(contains(refusal("[\"x\"]"), "line 1: expected the name of a tag after ["));
  CHECK(contains(refusal("[South Ann]"), "expected \" before the value of tag South, found 'A'"));
  CHECK(contains(refusal("[South \"Ann]\n"), "the value of tag South does not end with \""));
  CHECK(contains(refusal("[South \"Ann\\"), "the value of tag South does not end with \""));
  CHECK(contains(refusal("[South \"Ann\nLee\"] F"), "does not end with \" on its line"));
  CHECK(contains(refusal("[South \"Ann\\\nLee\"] F"), "does not end with \" on its line"));
  CHECK(contains(refusal("[South \"Ann\""), "expected ] after tag South, found the end"));
  CHECK(contains(refusal("F+ f"), "expected a number of seeds after +"));
  CHECK(contains(refusal("F #"), "expected a tag, a move or a result, found '#'"));
  CHECK(contains(refusal("F \xC3\xA9"), "found byte 195"));
}
