#include "training/match_log.hpp"

#include <fstream>
#include <iterator>
#include <memory>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

namespace env = awale::env;
using awale::ErrorKind;
using awale::test::contains;
using awale::test::error_of;
using awale::training::MatchGame;
using awale::training::MatchLog;
using awale::training::Pairing;

namespace {

using Json = nlohmann::ordered_json;

const Json kIdentity = {{"awale", "match"}, {"seed", 1}};
const std::vector<Pairing> kPairings = {{"one", "two"}, {"a \"b\", c", "two"}};

MatchGame random_game(std::uint64_t id) {
  env::RandomStream random(5, env::RandomPurpose::kTest, id, 0);
  env::Game game{env::RuleSet{}};
  MatchGame record;
  record.id = id;
  record.first_side = id % 2 == 0 ? env::Side::kSouth : env::Side::kNorth;
  record.opening_plies = 3;
  while (!game.over()) {
    const env::Move move = env::random_move(game.legal(), random);
    record.moves += env::move_letter(game.board().to_move, move);
    game.play(move);
  }
  record.outcome = game.outcome();
  record.first_time = {31, 0.012345};
  record.second_time = {30, 1.5};
  return record;
}

class LogFile {
 public:
  std::string path() const { return (directory_ / "games.csv").string(); }

  std::unique_ptr<MatchLog> open(const Json& identity = kIdentity) const {
    return std::make_unique<MatchLog>(path(), identity, env::RuleSet{}, kPairings);
  }

  std::string text() const {
    std::ifstream file(path());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write(const std::string& text) const { std::ofstream(path()) << text; }

  void write_games(std::uint64_t count) const {
    const auto log = open();
    for (std::uint64_t id = 0; id < count; ++id)
      log->append(static_cast<int>(id % 2), random_game(id));
  }

  // What opening the file is refused with.
  std::string refusal(ErrorKind kind, const Json& identity = kIdentity) const {
    return error_of(kind, [&] { open(identity); });
  }

 private:
  awale::tests::TempDir directory_;
};

}  // namespace

TEST_CASE("A log gives back the games that it was told") {
  const LogFile file;
  file.write_games(10);
  const auto log = file.open();
  CHECK(log->game_count() == 10);
  for (int pairing = 0; pairing < 2; ++pairing) {
    REQUIRE(log->games(pairing).size() == 5);
    for (const auto& found : log->games(pairing)) {
      const MatchGame expected = random_game(found.id);
      CHECK(static_cast<int>(found.id % 2) == pairing);
      CHECK(found.moves == expected.moves);
      CHECK(found.first_side == expected.first_side);
      CHECK(found.opening_plies == 3);
      CHECK(found.outcome.reason == expected.outcome.reason);
      CHECK(found.outcome.margin_south_seeds == expected.outcome.margin_south_seeds);
      CHECK(found.first_time.moves == 31);
      CHECK(found.first_time.seconds == Approx(0.012345));
      CHECK(found.second_time.seconds == Approx(1.5));
    }
  }
}

TEST_CASE("A log that is opened again and again stays the same file") {
  const LogFile file;
  file.write_games(4);
  const std::string text = file.text();
  file.open();
  CHECK(file.text() == text);
  CHECK(text.rfind("# {\"awale\":\"match\",\"seed\":1}\nfirst,second,game,pair,", 0) == 0);
  CHECK(awale::training::logged_identity(file.path()) == kIdentity);
}

TEST_CASE("A log that was cut off anywhere loses its last line only") {
  const LogFile file;
  file.write_games(3);
  const std::string text = file.text();
  for (std::size_t size = 0; size < text.size(); size += 3) {
    file.write(text.substr(0, size));
    const auto lines = std::count(text.begin(), text.begin() + static_cast<long>(size), '\n');
    {
      const auto log = file.open();
      REQUIRE(log->game_count() == static_cast<std::size_t>(std::max<long>(0, lines - 2)));
      log->append(0, random_game(8));
    }
    REQUIRE(file.open()->game_count() == static_cast<std::size_t>(std::max<long>(1, lines - 1)));
  }
}

TEST_CASE("A log of another match is refused, naming the difference, and left alone") {
  const LogFile file;
  file.write_games(2);
  const std::string text = file.text();
  CHECK(contains(file.refusal(ErrorKind::kMismatch, {{"awale", "match"}, {"seed", 2}}),
                 "holds another match: seed: expected 2, found 1; choose another name"));
  CHECK(contains(file.refusal(ErrorKind::kMismatch, {{"awale", "match"}}),
                 "seed: expected nothing, found 1"));
  CHECK(contains(file.refusal(ErrorKind::kMismatch, {{"awale", "match"}, {"seed", 1}, {"x", 3}}),
                 "x: expected 3, found nothing"));
  CHECK(file.text() == text);
}

TEST_CASE("A file that is no log is refused and left alone") {
  for (const char* text : {"x", "a,b\n1,2\n", "# hello\n", "# {\"awale\":\"ma\n", "\n"}) {
    CAPTURE(text);
    const LogFile file;
    file.write(text);
    CHECK(contains(file.refusal(ErrorKind::kFile), "is no log of a match"));
    CHECK(file.text() == text);
  }
}

TEST_CASE("Damage within a log is named by line") {
  const LogFile file;
  file.write_games(3);
  const std::string text = file.text();
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const auto where = changed.find(from, changed.find('\n', changed.find('\n') + 1));
    REQUIRE(where != std::string::npos);
    file.write(changed.replace(where, from.size(), to));
    return file.refusal(ErrorKind::kFile);
  };
  const std::string moves = random_game(0).moves;
  CHECK(contains(damaged(moves + ",", moves.substr(0, 9) + ","),
                 "line 3: moves: the game is not over"));
  CHECK(contains(damaged(moves + ",", "ZZ,"), "line 3: moves: "));
  CHECK(contains(damaged(",South,", ",North,"), "line 3: the columns contradict each other"));
  CHECK(
      contains(damaged("one,two,0,", "one,two,x,"), "line 3: game: expected a number, found 'x'"));
  CHECK(contains(damaged("one,two", "one,three"), "line 3: players that do not meet"));
  CHECK(contains(damaged("one,two", "one"), "line 3: expected 15 columns, found 14"));
  file.write(std::string(text).replace(text.find("first,second"), 5, "frist"));
  CHECK(contains(file.refusal(ErrorKind::kFile), "line 2: expected the columns first,second"));
}

TEST_CASE("A log is open once") {
  const LogFile file;
  const auto log = file.open();
  CHECK(contains(file.refusal(ErrorKind::kWrite), "another process has it open"));
}

TEST_CASE("What cannot be a log is refused") {
  const auto refusal = [](const std::string& path) {
    return error_of(ErrorKind::kWrite, [&] { MatchLog(path, kIdentity, {}, kPairings); });
  };
  CHECK(contains(refusal("/no/such/games.csv"), "cannot write '/no/such/games.csv': opening it"));
  CHECK(contains(refusal("/dev/null"), "no regular file"));
  CHECK(contains(refusal("/"), "cannot write '/'"));
}
