// Naive rules == scalar board == batch: on every small position under every preset, and on random
// games under every preset and under random mixtures of all parameters.
#include <algorithm>
#include <map>
#include <numeric>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/env/snapshot.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::RandomStream;
using env::RuleSet;

// All ways to lay `seeds` seeds into pits `first`..11.
void lay(int seeds, std::size_t first, naive::Pits& pits, std::vector<naive::Pits>& found) {
  if (first + 1 == pits.size()) {
    pits[first] = seeds;
    found.push_back(pits);
    return;
  }
  for (int here = 0; here <= seeds; ++here) {
    pits[first] = here;
    lay(seeds - here, first + 1, pits, found);
  }
}

std::string position_text(const naive::Pits& pits, int store_south, int store_north, char side) {
  std::string text;
  for (const int pit : pits)
    text += std::to_string(pit) + "-";
  return text + std::to_string(store_south) + "-" + std::to_string(store_north) + "-" + side;
}

// Every position of up to four seeds, with empty stores and with stores just short of the target.
std::vector<std::string> small_positions(const RuleSet& rules) {
  const int near_target = rules.target_seeds > 0 ? rules.target_seeds - 2 : 22;
  std::vector<std::string> positions;
  for (int seeds = 0; seeds <= 4; ++seeds) {
    naive::Pits pits = {};
    std::vector<naive::Pits> boards;
    lay(seeds, 0, pits, boards);
    for (const auto& board : boards) {
      for (const char side : {'S', 'N'}) {
        positions.push_back(position_text(board, 0, 0, side));
        positions.push_back(position_text(board, near_target, near_target - 2, side));
      }
    }
  }
  return positions;
}

// Plays the `rank`-th legal move of every position; where there are fewer, the position stays.
void compare_moves(const RuleSet& rules, const std::vector<std::string>& positions,
                   const std::vector<env::Board>& boards, env::BatchEnv& batch, unsigned rank) {
  std::vector<int> chosen;
  std::vector<env::Board> starts;
  for (int i = 0; i < batch.size(); ++i) {
    chosen.push_back(i);
    starts.push_back(boards[i]);
  }
  batch.reset(chosen, starts);
  std::vector<env::Move> moves(boards.size(), env::kNoMove);
  for (int i = 0; i < batch.size(); ++i) {
    const std::string legal = naive::Game(rules, positions[i]).legal();
    if (legal.empty()) continue;
    const char letter = legal[std::min<std::size_t>(rank, legal.size() - 1)];
    moves[i] = env::parse_move(letter, boards[i].to_move);
  }
  batch.step(moves);
  for (int i = 0; i < batch.size(); ++i) {
    if (moves[i] == env::kNoMove) continue;
    naive::Game naive_game(rules, positions[i]);
    env::Game game(rules, boards[i]);
    const int captured = naive_game.play(env::move_letter(boards[i].to_move, moves[i]));
    REQUIRE(game.play(moves[i]) == captured);
    const std::string expected = snapshot(naive_game);
    REQUIRE(snapshot(game) == expected);
    REQUIRE(snapshot(batch, i) == expected);
  }
}

// A start position with few seeds, so that circles, empty rows and grand slams are common.
std::string sparse_position(RandomStream& random) {
  naive::Pits pits = {};
  int seeds = 0;
  const auto put = [&](std::size_t pit) {
    ++pits[pit];
    ++seeds;
  };
  if (random.below(2) == 0) {  // one seed each, at the same place of both rows, can go round
    const std::size_t pit = random.below(6);
    put(pit);
    put(pit + 6);
  } else {
    for (unsigned more = 1 + random.below(14); more > 0; --more)
      put(random.below(12));
  }
  const int stores = env::kSeeds - seeds;
  const int south = std::clamp(stores / 2 - 3 + static_cast<int>(random.below(7)), 0, stores);
  return position_text(pits, south, stores - south, random.below(2) == 0 ? 'S' : 'N');
}

RuleSet random_rules(RandomStream& random) {
  RuleSet rules;
  rules.name = "mixture";
  rules.grand_slam = static_cast<env::GrandSlam>(random.below(4));
  rules.capture_counts = static_cast<env::CaptureCounts>(random.below(2));
  rules.must_feed = random.below(4) != 0;
  rules.cannot_feed = static_cast<env::CannotFeed>(random.below(2));
  const int targets[] = {0, 1, 21, 25, 25, 25, 48};
  rules.target_seeds = targets[random.below(7)];
  rules.sweep_at_target = random.below(2) == 0;
  const int occurrences[] = {0, 2, 2, 3, 4};
  rules.repetition_occurrence = occurrences[random.below(5)];
  rules.repetition_score = static_cast<env::CutOffScore>(random.below(3));
  rules.limit_score = static_cast<env::CutOffScore>(random.below(3));
  const bool small_limit = random.below(3) == 0;
  rules.ply_limit = small_limit ? 1 + static_cast<int>(random.below(40)) : 150;
  rules.validate();
  return rules;
}

// What happened in the games compared, so that a test can tell that it tested something.
struct Coverage {
  std::map<std::string, int> endings;
  int cancelled_grand_slams = 0;
  int forced_feeding = 0;  // legal moves are fewer than own pits
  int third_occurrences = 0;
};

// Plays `count` random games under `rules` in all three implementations at once.
void compare_games(const RuleSet& rules, int count, std::uint64_t seed, Coverage& coverage) {
  std::vector<naive::Game> naive_games;
  std::vector<env::Game> games;
  env::BatchEnv batch(rules, count);
  for (int i = 0; i < count; ++i) {
    RandomStream random(seed, env::RandomPurpose::kTest, i, 0);
    const std::string start = i % 4 == 0 ? to_text(env::initial_board()) : sparse_position(random);
    naive_games.emplace_back(rules, start);
    games.emplace_back(rules, env::parse_board(start));
    batch.reset(std::vector<int>{i}, std::vector<env::Board>{games[i].board()});
    REQUIRE(snapshot(batch, i) == snapshot(naive_games[i]));
  }
  bool playing = true;
  for (std::uint32_t ply = 1; playing; ++ply) {
    playing = false;
    std::vector<env::Move> moves(count, env::kNoMove);
    for (int i = 0; i < count; ++i) {
      naive::Game& game = naive_games[i];
      const std::string legal = game.legal();
      if (legal.empty()) continue;
      playing = true;
      REQUIRE(previews(rules, games[i].board()) == previews(game));
      RandomStream random(seed, env::RandomPurpose::kTest, i, ply);
      const char letter = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
      moves[i] = env::parse_move(letter, games[i].board().to_move);
      coverage.cancelled_grand_slams += game.effect(letter).cancelled_grand_slam;
      coverage.forced_feeding += legal.size() < game.own_pits().size();
      REQUIRE(games[i].play(moves[i]) == game.play(letter));
      coverage.third_occurrences += games[i].position().repetitions == 2;
      if (game.reason() != "none") ++coverage.endings[game.reason()];
    }
    batch.step(moves);
    for (int i = 0; i < count; ++i) {
      if (moves[i] == env::kNoMove) continue;
      const std::string expected = snapshot(naive_games[i]);
      REQUIRE(snapshot(games[i]) == expected);
      REQUIRE(snapshot(batch, i) == expected);
    }
  }
}

}  // namespace

TEST_CASE("all three rules agree on every position of up to four seeds") {
  const std::string name = GENERATE(from_range(env::preset_names()));
  INFO(name);
  const RuleSet rules = env::preset(name);
  const auto positions = small_positions(rules);
  std::vector<env::Board> boards;
  for (const auto& position : positions) {
    boards.push_back(env::parse_board(position, env::SeedCount::kStudy));
    const naive::Game game(rules, position);
    REQUIRE(snapshot(env::Game(rules, boards.back())) == snapshot(game));
    REQUIRE(previews(rules, boards.back()) == previews(game));
  }
  env::BatchEnv batch(rules, static_cast<int>(boards.size()));
  for (unsigned rank = 0; rank < 4; ++rank)  // four seeds fill at most four pits
    compare_moves(rules, positions, boards, batch, rank);
}

TEST_CASE("all three rules agree on random games under every preset") {
  Coverage coverage;
  for (const auto& name : env::preset_names()) {
    INFO(name);
    compare_games(env::preset(name), 100, 1, coverage);
  }
  CHECK(coverage.endings["target"] > 50);
  CHECK(coverage.endings["no_moves"] > 50);
  CHECK(coverage.endings["repetition"] > 20);
  CHECK(coverage.cancelled_grand_slams > 5);
}

TEST_CASE("all three rules agree on random games under random mixtures of all parameters") {
  Coverage coverage;
  for (std::uint64_t mixture = 0; mixture < 300; ++mixture) {
    RandomStream random(2, env::RandomPurpose::kTest, mixture, 0);
    const RuleSet rules = random_rules(random);
    INFO(mixture << ": " << describe(rules));
    compare_games(rules, 4, mixture, coverage);
  }
  CHECK(coverage.endings["target"] > 50);
  CHECK(coverage.endings["no_moves"] > 50);
  CHECK(coverage.endings["repetition"] > 50);
  CHECK(coverage.endings["ply_limit"] > 50);
  CHECK(coverage.cancelled_grand_slams > 20);
  CHECK(coverage.forced_feeding > 50);
  CHECK(coverage.third_occurrences > 20);
}

}  // namespace awale::test
