// Naive rules == scalar board == batch under every kernel: on every small position under every
// preset, and on random games under every preset and under random mixtures of all parameters.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/env/side_by_side.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::Board;
using env::RandomStream;
using env::RuleSet;

constexpr int kMostSmallSeeds = 6;

// All ways to lay `seeds` seeds into pits `first`..11 of `board`.
void lay(int seeds, int first, Board board, std::vector<Board>& found) {
  if (first + 1 == env::kPits) {
    board.pits[first] = static_cast<std::uint8_t>(seeds);
    found.push_back(board);
    return;
  }
  for (int here = 0; here <= seeds; ++here) {
    board.pits[first] = static_cast<std::uint8_t>(here);
    lay(seeds - here, first + 1, board, found);
  }
}

struct Stores {
  int to_move = 0;
  int opponent = 0;
};

// Empty, one and two short of the target on either side, and beyond it.
std::vector<Stores> stores_near_target(const RuleSet& rules) {
  const int target = rules.target_seeds > 0 ? rules.target_seeds : 25;
  const int other = env::kSeeds - kMostSmallSeeds - target;  // all three sum to 48 at most
  return {{0, 0}, {target - 1, other}, {target - 2, other}, {other, target - 1}, {target, other}};
}

// Every position of up to six seeds with these stores, whoever is to move.
std::vector<Board> small_positions(const Stores& stores) {
  std::vector<Board> boards;
  for (int seeds = 0; seeds <= kMostSmallSeeds; ++seeds) {
    for (const env::Side side : {env::Side::kSouth, env::Side::kNorth}) {
      Board board;
      board.store_to_move = static_cast<std::uint8_t>(stores.to_move);
      board.store_opponent = static_cast<std::uint8_t>(stores.opponent);
      board.to_move = side;
      lay(seeds, 0, board, boards);
    }
  }
  return boards;
}

// Every pit with every number of seeds, while each other pit holds none, one or two.
std::vector<Board> big_pits() {
  std::vector<Board> boards;
  for (int pit = 0; pit < env::kPits; ++pit) {
    for (int others = 0; others <= 2; ++others) {
      for (int seeds = 1; seeds + (env::kPits - 1) * others <= env::kSeeds; ++seeds) {
        Board board;
        board.pits.fill(static_cast<std::uint8_t>(others));
        board.pits[pit] = static_cast<std::uint8_t>(seeds);
        boards.push_back(board);
      }
    }
  }
  return boards;
}

// Compares the positions, and what each legal move makes of them.
void compare_moves(const RuleSet& rules, const std::vector<Board>& boards) {
  const SideBySide positions(rules, boards);
  for (int rank = 0; rank < env::kMoves; ++rank) {
    std::vector<Board> starts;
    for (int i = 0; i < positions.size(); ++i) {
      if (std::popcount(positions.game(i).legal()) > rank) starts.push_back(boards[i]);
    }
    SideBySide games(rules, starts);
    games.step(draw_moves(games, [&](int, std::uint32_t) { return rank; }));
  }
}

// A start position with few seeds, so that circles, empty rows and grand slams are common.
Board sparse_position(RandomStream& random) {
  Board board;
  int seeds = 0;
  const auto put = [&](std::size_t pit) {
    ++board.pits[pit];
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
  const int own = std::clamp(stores / 2 - 3 + static_cast<int>(random.below(7)), 0, stores);
  board.store_to_move = static_cast<std::uint8_t>(own);
  board.store_opponent = static_cast<std::uint8_t>(stores - own);
  board.to_move = static_cast<env::Side>(random.below(2));
  return board;
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
  std::map<std::string, std::int64_t> endings;
  std::int64_t plies = 0;
  std::int64_t cancelled_grand_slams = 0;
  std::int64_t forced_feeding = 0;  // legal moves are fewer than own pits
  std::int64_t third_occurrences = 0;
  std::int64_t late_captures = 0;  // after 256 or more plies without one
};

void count_before(const SideBySide& games, const std::vector<env::Move>& moves,
                  Coverage& coverage) {
  for (int i = 0; i < games.size(); ++i) {
    if (moves[i] == env::kNoMove) continue;
    const naive::Game& game = games.naive_game(i);
    const char letter = env::move_letter(games.game(i).board().to_move, moves[i]);
    const naive::Effect effect = game.effect(letter);
    coverage.cancelled_grand_slams += effect.cancelled_grand_slam;
    coverage.late_captures += effect.captured_seeds > 0 && game.quiet_plies() > 255;
    coverage.forced_feeding += game.legal().size() < game.own_pits().size();
    ++coverage.plies;
  }
}

void count_after(const SideBySide& games, const std::vector<env::Move>& moves, Coverage& coverage) {
  for (int i = 0; i < games.size(); ++i) {
    if (moves[i] == env::kNoMove) continue;
    coverage.third_occurrences += games.game(i).position().repetitions == 2;
    if (games.game(i).over()) ++coverage.endings[games.naive_game(i).reason()];
  }
}

// One ply in every game that goes on; draw as in draw_moves.
template <typename Draw>
void counted_step(SideBySide& games, const Draw& draw, Coverage& coverage) {
  const auto moves = draw_moves(games, draw);
  count_before(games, moves, coverage);
  games.step(moves);
  count_after(games, moves, coverage);
}

void random_step(SideBySide& games, RandomStream& random, Coverage& coverage) {
  counted_step(
      games, [&](int, std::uint32_t count) { return random.below(count); }, coverage);
}

// The rank of a move that captures if that is `wanted`, of one that does not if it is not; of any
// where no such one is found.
std::uint32_t capturing_rank(const naive::Game& game, bool wanted, RandomStream& random) {
  const std::string legal = game.legal();
  std::uint32_t rank = 0;
  for (int tries = 0; tries < 20; ++tries) {
    rank = random.below(static_cast<std::uint32_t>(legal.size()));
    if ((game.effect(legal[rank]).captured_seeds > 0) == wanted) break;
  }
  return rank;
}

// A quarter of the games from the start, the others from few seeds.
std::vector<Board> random_starts(int count, RandomStream& random) {
  std::vector<Board> starts;
  for (int i = 0; i < count; ++i)
    starts.push_back(i % 4 == 0 ? env::initial_board() : sparse_position(random));
  return starts;
}

bool all_over(const SideBySide& games) {
  for (int i = 0; i < games.size(); ++i) {
    if (!games.game(i).over()) return false;
  }
  return true;
}

// Plays `count` random games to their ends.
void compare_games(const RuleSet& rules, int count, std::uint64_t seed, Coverage& coverage) {
  RandomStream start(seed, env::RandomPurpose::kTest, 0, 0);
  SideBySide games(rules, random_starts(count, start));
  for (std::uint32_t ply = 1; !all_over(games); ++ply) {
    RandomStream random(seed, env::RandomPurpose::kTest, 0, ply);
    random_step(games, random, coverage);
  }
}

// Plays `plies` plies; a game that has ended begins anew, some turn into a copy of another.
void compare_restarting_games(const RuleSet& rules, int count, int plies, std::uint64_t seed,
                              Coverage& coverage) {
  RandomStream random(seed, env::RandomPurpose::kTest, 1, 0);
  SideBySide games(rules, random_starts(count, random));
  for (int ply = 0; ply < plies; ++ply) {
    random_step(games, random, coverage);
    std::vector<int> ended;
    for (int i = 0; i < games.size(); ++i) {
      if (games.game(i).over() && random.below(4) != 0) ended.push_back(i);
    }
    games.reset(ended, random_starts(static_cast<int>(ended.size()), random));
    if (random.below(8) == 0) games.load(random.below(count), random.below(count));
  }
}

// AWALE_RANDOM_PLIES=10000000 compares so many plies under each preset.
std::int64_t random_plies() {
  const char* wanted = std::getenv("AWALE_RANDOM_PLIES");
  return wanted == nullptr ? 200000 : std::atoll(wanted);
}

}  // namespace

TEST_CASE("all implementations agree on every position of up to six seeds") {
  const std::string name = GENERATE(from_range(env::preset_names()));
  INFO(name);
  const RuleSet rules = env::preset(name);
  for (const Stores& stores : stores_near_target(rules))
    compare_moves(rules, small_positions(stores));
}

TEST_CASE("all implementations agree on pits of any number of seeds") {
  for (const auto& name : env::preset_names()) {
    INFO(name);
    compare_moves(env::preset(name), big_pits());
  }
}

TEST_CASE("all implementations agree on random games under every preset") {
  Coverage coverage;
  for (const auto& name : env::preset_names()) {
    INFO(name);
    const std::int64_t enough = coverage.plies + random_plies();
    for (std::uint64_t seed = 1; coverage.plies < enough; ++seed)
      compare_games(env::preset(name), 150, seed, coverage);
  }
  CHECK(coverage.endings["target"] > 50);
  CHECK(coverage.endings["no_moves"] > 50);
  CHECK(coverage.endings["repetition"] > 20);
  CHECK(coverage.cancelled_grand_slams > 5);
}

TEST_CASE("all implementations agree on random games under random mixtures of all parameters") {
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

TEST_CASE("all implementations agree on captures after a long time without any") {
  RuleSet rules = env::preset("auale");
  rules.repetition_occurrence = 0;
  rules.ply_limit = 1500;
  RandomStream random(4, env::RandomPurpose::kTest, 0, 0);
  SideBySide games(rules, random_starts(100, random));
  Coverage coverage;
  while (!all_over(games)) {
    const auto late = [&](int i, std::uint32_t) {
      const naive::Game& game = games.naive_game(i);
      return capturing_rank(game, game.quiet_plies() > 255, random);
    };
    counted_step(games, late, coverage);
  }
  CHECK(coverage.late_captures > 20);
}

TEST_CASE("all implementations agree on games that are reset and loaded while others go on") {
  Coverage coverage;
  for (std::uint64_t mixture = 0; mixture < 100; ++mixture) {
    RandomStream random(3, env::RandomPurpose::kTest, mixture, 0);
    const RuleSet rules = random_rules(random);
    INFO(mixture << ": " << describe(rules));
    const int count = 1 + static_cast<int>(random.below(150));  // up to three blocks of 64
    compare_restarting_games(rules, count, 60, mixture, coverage);
  }
  CHECK(coverage.endings["target"] > 50);
  CHECK(coverage.endings["no_moves"] > 50);
  CHECK(coverage.endings["repetition"] > 50);
  CHECK(coverage.endings["ply_limit"] > 50);
  CHECK(coverage.third_occurrences > 20);
}

}  // namespace awale::test
