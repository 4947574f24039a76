#include "training/match.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

namespace env = awale::env;
using awale::InputError;
using awale::training::Match;
using awale::training::MatchConfig;
using awale::training::MatchGame;
using awale::training::MatchLog;
using awale::training::PlayerFactory;
using awale::training::Progress;
using awale::training::SprtConfig;

namespace {

// Uniformly random, from (seed, game id, ply) alone.
class DicePlayer final : public awale::mcts::Player {
 public:
  explicit DicePlayer(std::uint64_t seed) : seed_(seed) {}

  void choose_moves(std::span<const env::Game* const> games, std::span<const std::uint64_t> ids,
                    std::span<env::Move> moves) override {
    for (std::size_t i = 0; i < games.size(); ++i) {
      env::RandomStream random(seed_, env::RandomPurpose::kTest, ids[i], games[i]->position().ply);
      do {
        moves[i] = static_cast<env::Move>(random.below(env::kMoves));
      } while ((games[i]->legal() >> moves[i] & 1) == 0);
    }
  }
  std::string name() const override { return "dice"; }

 private:
  std::uint64_t seed_;
};

// The pit nearest to its own left that may be played: deterministic and bad.
class LowestPitPlayer final : public awale::mcts::Player {
 public:
  void choose_moves(std::span<const env::Game* const> games, std::span<const std::uint64_t>,
                    std::span<env::Move> moves) override {
    for (std::size_t i = 0; i < games.size(); ++i) {
      moves[i] = static_cast<env::Move>(std::countr_zero(games[i]->legal()));
    }
  }
  std::string name() const override { return "lowest-pit"; }
};

class FailingPlayer final : public awale::mcts::Player {
 public:
  void choose_moves(std::span<const env::Game* const>, std::span<const std::uint64_t>,
                    std::span<env::Move>) override {
    throw InputError(awale::ErrorKind::kFile, "the player's file is gone");
  }
  std::string name() const override { return "failing"; }
};

// Plays as LowestPitPlayer and keeps the ids of the games it is asked about.
class IdNotingPlayer final : public awale::mcts::Player {
 public:
  explicit IdNotingPlayer(std::set<std::uint64_t>& ids) : ids_(ids) {}

  void choose_moves(std::span<const env::Game* const> games, std::span<const std::uint64_t> ids,
                    std::span<env::Move> moves) override {
    ids_.insert(ids.begin(), ids.end());
    LowestPitPlayer().choose_moves(games, ids, moves);
  }
  std::string name() const override { return "id-noting"; }

 private:
  std::set<std::uint64_t>& ids_;
};

PlayerFactory noting_ids(std::set<std::uint64_t>& ids) {
  return [&ids] { return std::make_unique<IdNotingPlayer>(ids); };
}
PlayerFactory dice(std::uint64_t seed) {
  return [seed] { return std::make_unique<DicePlayer>(seed); };
}
PlayerFactory lowest_pit() {
  return [] { return std::make_unique<LowestPitPlayer>(); };
}

Match play(const MatchConfig& config, const PlayerFactory& first, const PlayerFactory& second,
           const env::RuleSet& rules = {}) {
  Progress progress("test", "games", static_cast<std::uint64_t>(config.games));
  return awale::training::play_match(rules, config, first, second, progress);
}

// A log in a fresh directory, opened anew by each call.
class FreshLog {
 public:
  std::string path() const { return (directory_.path() / "games.csv").string(); }
  std::unique_ptr<MatchLog> open() const {
    return std::make_unique<MatchLog>(path(), nlohmann::ordered_json{{"awale", "test"}},
                                      env::RuleSet{},
                                      std::vector<awale::training::Pairing>{{"one", "two"}});
  }

 private:
  awale::tests::TempDir directory_;
};

// Dice against dice, logged; left after `most` new games.
Match play_logged(const MatchConfig& config, const FreshLog& file, int most = 1'000'000) {
  const auto log = file.open();
  Progress progress("test", "games", 1);
  const std::size_t before = log->game_count();
  // The log's lines, because a match does not say how far it is.
  const auto enough = [&] {
    std::ifstream lines(file.path());
    const auto count = std::count(std::istreambuf_iterator<char>(lines), {}, '\n') - 2;
    return count >= static_cast<long>(before) + most;
  };
  return awale::training::play_match({}, config, dice(1), dice(2), progress, {log.get(), 0},
                                     enough);
}

std::vector<std::string> move_texts(const Match& match) {
  std::vector<std::string> texts;
  for (const auto& game : match.games)
    texts.push_back(game.moves);
  return texts;
}

std::string opening_of(const MatchGame& game) {
  return game.moves.substr(0, static_cast<std::size_t>(game.opening_plies));
}

}  // namespace

TEST_CASE("Both games of a pair start from one opening with colours swapped") {
  const Match match = play({.games = 150, .seed = 3, .threads = 1}, dice(1), lowest_pit());
  REQUIRE(match.games.size() == 150);
  std::set<std::string> openings;
  for (std::size_t i = 0; i < match.games.size(); i += 2) {
    CHECK(opening_of(match.games[i]) == opening_of(match.games[i + 1]));
    CHECK(match.games[i].first_side == env::Side::kSouth);
    CHECK(match.games[i + 1].first_side == env::Side::kNorth);
    openings.insert(opening_of(match.games[i]));
  }
  CHECK(openings.size() == 75);
}

TEST_CASE("The record of a game replays to its outcome, each player on its side") {
  const env::RuleSet rules = env::preset("codingame");
  const Match match = play({.games = 40, .seed = 5, .threads = 2}, lowest_pit(), dice(9), rules);
  for (const auto& record : match.games) {
    env::Game game(rules);
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
      const env::Side side = game.board().to_move;
      const env::Move move = env::parse_move(record.moves[ply], side);
      if (static_cast<int>(ply) >= record.opening_plies && side == record.first_side) {
        CHECK(move == std::countr_zero(game.legal()));
      }
      game.play(move);
    }
    REQUIRE(game.over());
    CHECK(game.outcome().reason == record.outcome.reason);
    CHECK(game.outcome().margin_south_seeds == record.outcome.margin_south_seeds);
    const int sign = record.first_side == env::Side::kSouth ? 1 : -1;
    CHECK(record.margin_first_seeds() == sign * record.outcome.margin_south_seeds);
  }
}

TEST_CASE("A match does not depend on the number of threads") {
  const auto one = play({.games = 300, .seed = 11, .threads = 1}, dice(1), dice(2));
  const auto three = play({.games = 300, .seed = 11, .threads = 3}, dice(1), dice(2));
  CHECK(move_texts(one) == move_texts(three));
  for (std::size_t i = 0; i < one.games.size(); ++i)
    CHECK(one.games[i].first_time.moves == three.games[i].first_time.moves);
}

TEST_CASE("Players are built by the workers that get work, one pair each") {
  std::mutex mutex;
  std::set<const void*> built;
  const PlayerFactory counted = [&] {
    auto player = std::make_unique<DicePlayer>(1);
    const std::lock_guard lock(mutex);
    built.insert(player.get());
    return player;
  };
  play({.games = 2, .seed = 1, .threads = 4}, counted, lowest_pit());
  CHECK(built.size() == 1);  // a single group needs a single worker
}

TEST_CASE("Every game has an id of its own, the same for both players") {
  std::set<std::uint64_t> first_ids;
  std::set<std::uint64_t> second_ids;
  play({.games = 150, .seed = 1, .threads = 1}, noting_ids(first_ids), noting_ids(second_ids));
  CHECK(first_ids.size() == 150);
  CHECK(first_ids == second_ids);
}

TEST_CASE("Thinking is counted for the plies after the opening only") {
  const Match match = play({.games = 20, .seed = 1, .threads = 1}, dice(1), lowest_pit());
  for (const auto& game : match.games) {
    CHECK(game.first_time.moves + game.second_time.moves ==
          game.moves.size() - static_cast<std::size_t>(game.opening_plies));
  }
}

TEST_CASE("An odd or missing number of games is refused by name") {
  for (const int games : {-2, 0, 1, 7, 1'000'002}) {
    try {
      play({.games = games, .seed = 1, .threads = 1}, dice(1), dice(1));
      FAIL("expected an error for " << games);
    } catch (const InputError& error) {
      CHECK(error.kind() == awale::ErrorKind::kUsage);
      CHECK(std::string(error.what()).find("games: expected an even number") == 0);
    }
  }
  CHECK_THROWS_AS(play({.games = 2, .seed = 1, .threads = 0}, dice(1), dice(1)), InputError);
}

TEST_CASE("A player's error ends the match and comes out of it") {
  CHECK_THROWS_AS(play({.games = 200, .seed = 1, .threads = 2}, dice(1),
                       [] { return std::make_unique<FailingPlayer>(); }),
                  InputError);
}

TEST_CASE("A longer match begins with the shorter one") {
  auto longer = move_texts(play({.games = 100, .seed = 4, .threads = 2}, dice(1), dice(2)));
  longer.resize(40);
  CHECK(longer == move_texts(play({.games = 40, .seed = 4, .threads = 1}, dice(1), dice(2))));
}

TEST_CASE("The games that advance together change no result") {
  const auto whole = play({.games = 100, .seed = 4, .threads = 1}, dice(1), dice(2));
  const auto pairs =
      play({.games = 100, .seed = 4, .threads = 2, .group_games = 2}, dice(1), dice(2));
  CHECK(move_texts(whole) == move_texts(pairs));
}

TEST_CASE("More pairs than openings are refused with the size of the set") {
  const auto refusal = awale::test::error_of(awale::ErrorKind::kUsage, [] {
    play({.games = 14, .seed = 1, .threads = 1, .opening_plies = 1}, dice(1), dice(1));
  });
  CHECK(
      refusal ==
      "games: expected at most 12, both colours of the 6 openings of --opening-plies 1, found 14");
}

TEST_CASE("A match that is stopped again and again equals an uninterrupted one") {
  const MatchConfig config = {.games = 200, .seed = 3, .threads = 2};
  const FreshLog file;
  std::size_t before = 0;
  int runs = 0;
  for (bool stopped = true; stopped; ++runs) {
    const Match part = play_logged(config, file, 30);
    stopped = part.stopped();
    CHECK(part.games.size() >= before);
    before = part.games.size();
  }
  CHECK(runs > 2);
  const Match resumed = play_logged(config, file);
  const Match whole = play(config, dice(1), dice(2));
  CHECK(move_texts(resumed) == move_texts(whole));
  for (std::size_t i = 0; i < whole.games.size(); ++i) {
    CHECK(resumed.games[i].outcome.reason == whole.games[i].outcome.reason);
    CHECK(resumed.games[i].margin_first_seeds() == whole.games[i].margin_first_seeds());
    CHECK(resumed.games[i].first_time.moves == whole.games[i].first_time.moves);
  }
}

TEST_CASE("A logged match can be asked for more games and for fewer") {
  const FreshLog file;
  play_logged({.games = 20, .seed = 3, .threads = 1}, file);
  const Match more = play_logged({.games = 60, .seed = 3, .threads = 1}, file);
  CHECK(move_texts(more) ==
        move_texts(play({.games = 60, .seed = 3, .threads = 1}, dice(1), dice(2))));
  CHECK(play_logged({.games = 10, .seed = 3, .threads = 1}, file).games.size() == 10);
}

TEST_CASE("A log with other openings is refused") {
  const FreshLog file;
  play_logged({.games = 20, .seed = 3, .threads = 1}, file);
  const auto refusal = awale::test::error_of(
      awale::ErrorKind::kFile, [&] { play_logged({.games = 20, .seed = 4, .threads = 1}, file); });
  CHECK(awale::test::contains(refusal, "expected the opening "));
}

TEST_CASE("A test stops a match at the same pair on any threads, resumed or not") {
  MatchConfig config = {.games = 2000, .seed = 6, .threads = 1};
  config.sprt = SprtConfig{.elo0 = -60, .elo1 = 60};
  const Match one = play(config, dice(1), dice(2));
  REQUIRE(one.decided());
  CHECK_FALSE(one.stopped());
  CHECK(one.games.size() < 2000);
  CHECK(static_cast<std::int64_t>(one.games.size()) == 2 * one.sprt->counts().total());
  config.threads = 3;
  CHECK(move_texts(play(config, dice(1), dice(2))) == move_texts(one));
  const FreshLog file;
  play_logged(config, file, 20);
  CHECK(move_texts(play_logged(config, file)) == move_texts(one));
  CHECK(play_logged(config, file).sprt->llr() == one.sprt->llr());
}

TEST_CASE("A test that the games do not decide is undecided") {
  MatchConfig config = {.games = 10, .seed = 6, .threads = 1};
  config.sprt = SprtConfig{.elo0 = 0, .elo1 = 1};
  const Match match = play(config, dice(1), dice(2));
  CHECK_FALSE(match.decided());
  CHECK_FALSE(match.stopped());
  CHECK(match.games.size() == 10);
  CHECK(match.sprt->counts().total() == 5);
}
