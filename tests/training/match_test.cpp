#include "training/match.hpp"

#include <atomic>
#include <bit>
#include <mutex>
#include <set>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"

namespace env = awale::env;
using awale::InputError;
using awale::training::make_openings;
using awale::training::Match;
using awale::training::MatchConfig;
using awale::training::MatchGame;
using awale::training::PlayerFactory;
using awale::training::Progress;

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

TEST_CASE("Openings are legal, of the stated length, unfinished and look different to the mover") {
  const env::RuleSet rules;
  const auto openings = make_openings(rules, 7, 20'000);
  REQUIRE(openings.size() == 20'000);
  std::set<std::string> boards;
  std::set<std::size_t> lengths;
  for (const auto& opening : openings) {
    const env::Game game = env::replay(rules, env::initial_board(), opening);
    CHECK_FALSE(game.over());
    env::Board board = game.board();
    board.to_move = env::Side::kSouth;
    boards.insert(env::to_text(board));
    lengths.insert(opening.size());
  }
  CHECK(boards.size() == openings.size());
  CHECK(lengths == std::set<std::size_t>{4, 5, 6, 7, 8});
}

TEST_CASE("Openings depend on the seed, and more of them begin with the fewer") {
  const env::RuleSet rules;
  const auto few = make_openings(rules, 1, 10);
  auto many = make_openings(rules, 1, 50);
  many.resize(10);
  CHECK(few == many);
  CHECK(few != make_openings(rules, 2, 10));
}

TEST_CASE("A seed with too few openings is refused, not repeated") {
  env::RuleSet rules;
  rules.target_seeds = 1;  // the first capture ends the game: few openings survive
  rules.ply_limit = 5;     // and only those of four plies
  try {
    make_openings(rules, 1, 500'000);
    FAIL("expected an error");
  } catch (const InputError& error) {
    CHECK(error.kind() == awale::ErrorKind::kUsage);
    CHECK(std::string(error.what()).find("games: expected at most ") == 0);
  }
}

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
  CHECK(one.first_time.moves == three.first_time.moves);
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
  std::uint64_t plies = 0;
  for (const auto& game : match.games) {
    plies += game.moves.size() - static_cast<std::size_t>(game.opening_plies);
  }
  CHECK(match.first_time.moves + match.second_time.moves == plies);
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
