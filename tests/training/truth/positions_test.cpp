#include "training/truth/positions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "env/game.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/truth/tables.hpp"

namespace awale::test {
namespace {

using training::fixed_positions;
using training::game_positions;
using training::PositionSet;

std::vector<std::string> texts(const PositionSet& set) {
  std::vector<std::string> list;
  for (const auto& position : set.positions)
    list.push_back(env::to_text(position.board));
  return list;
}

// Positions by seeds and result (-1, 0, 1).
std::map<int, std::array<int, 3>> counts(const PositionSet& set) {
  std::map<int, std::array<int, 3>> found;
  for (const auto& position : set.positions) {
    const auto result = training::known_result(position.truth.at_end);
    REQUIRE(result);
    ++found[position.seeds].at(static_cast<std::size_t>(*result + 1));
  }
  return found;
}

TEST_CASE("the fixed set is balanced") {
  for (const auto* name : {"abapa", "awari"}) {
    const auto set = fixed_positions(small_table(name, 10), env::preset(name), 810, 1);
    const auto found = counts(set);
    for (int seeds = 6; seeds <= 10; ++seeds) {
      CAPTURE(name, seeds, found.at(seeds));
      CHECK(found.at(seeds) == std::array<int, 3>{30, 30, 30});
    }
    for (const auto& [seeds, by_result] : found) {
      CHECK(by_result[0] == by_result[2]);
      CHECK(by_result[1] <= by_result[2]);
    }
  }
}

TEST_CASE("in the fixed set something hangs on every move, and a game could have got there") {
  for (const auto* name : {"abapa", "awari", "wari_caribbean"}) {
    const auto rules = env::preset(name);
    for (const auto& [board, seeds, cluster, truth] :
         fixed_positions(small_table(name), rules, 600, 3).positions) {
      INFO(name << " " << board);
      const env::Game game(rules, board);
      CHECK_FALSE(game.over());
      CHECK(env::total_seeds(board) == env::kSeeds);
      CHECK(board.to_move == env::Side::kSouth);
      CHECK(std::count(board.pits.begin() + 6, board.pits.end(), 0) > 0);
      int kept = 0;
      int lost = 0;
      for (env::Move move = 0; move < env::kMoves; ++move) {
        if ((game.legal() >> move & 1) == 0) continue;
        const auto change = training::result_change(truth, move);
        kept += change == training::ResultChange::kKept ? 1 : 0;
        lost += change == training::ResultChange::kLost ? 1 : 0;
      }
      CHECK(kept > 0);
      if (training::known_result(truth.at_end) != -1) {
        CHECK(lost > 0);
      } else {
        CHECK(training::has_choice(truth));
      }
    }
  }
}

TEST_CASE("the fixed set is distinct and depends on its arguments alone") {
  const auto rules = env::preset("abapa");
  const auto list = texts(fixed_positions(small_table("abapa"), rules, 600, 1));
  CHECK(std::set(list.begin(), list.end()).size() == list.size());
  const bool again = texts(fixed_positions(small_table("abapa"), rules, 600, 1)) == list;
  const bool other_seed = texts(fixed_positions(small_table("abapa"), rules, 600, 2)) == list;
  CHECK(again);
  CHECK_FALSE(other_seed);
}

TEST_CASE("the fixed set of this version") {
  // A change of these numbers is a new kFixedSetVersion.
  const auto signature = [](const char* name) {
    std::uint64_t sum = 0;
    for (const auto& position :
         fixed_positions(small_table(name), env::preset(name), 600, 1).positions) {
      sum = sum * 31 + env::hash(position.board);
    }
    return sum;
  };
  REQUIRE(training::kFixedSetVersion == 1);
  CHECK(signature("abapa") == 0xd4d83b135617c670U);
  CHECK(signature("awari") == 0xe1e8caa49f45a1b8U);
}

// A random game as moves.
std::string random_moves(const env::RuleSet& rules, std::uint64_t id) {
  env::Game game(rules);
  std::string moves;
  env::RandomStream random(5, env::RandomPurpose::kTest, id, 0);
  while (!game.over()) {
    const env::Move move = env::random_move(game.legal(), random);
    moves += env::move_letter(game.board().to_move, move);
    game.play(move);
  }
  return moves;
}

TEST_CASE("of games all positions are taken that the table covers, each once") {
  const auto rules = env::preset("abapa");
  const auto& table = small_table("abapa", 10);
  std::vector<std::string> games;
  for (std::uint64_t id = 0; id < 30; ++id)
    games.push_back(random_moves(rules, id));
  games.push_back(games.front());
  std::set<std::string> expected;
  for (const auto& moves : games) {
    for (std::size_t plies = 0; plies < moves.size(); ++plies) {
      const auto game = env::replay(rules, env::initial_board(), moves.substr(0, plies));
      auto board = game.board();
      board.to_move = env::Side::kSouth;
      if (env::row_to_move_seeds(board) + env::row_opponent_seeds(board) <= 10) {
        expected.insert(env::to_text(board));
      }
    }
  }
  const auto set = game_positions(table, rules, games);
  const auto list = texts(set);
  CHECK(expected.size() > 100);
  CHECK(list.size() == expected.size());
  const bool same = std::set(list.begin(), list.end()) == expected;
  CHECK(same);
  for (const auto& position : set.positions)
    CHECK(position.cluster < 30);
}

}  // namespace
}  // namespace awale::test
