// Alpha-beta with its table against plain exhaustive search that copies games and knows no tricks.
#include "mcts/baseline/minimax.hpp"

#include <algorithm>

#include "env/endgame/final_bounds.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/env/naive_rules.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::Game;
using env::LegalMask;
using env::Move;
using env::RuleSet;
using mcts::Minimax;
using mcts::MinimaxConfig;
using mcts::MinimaxEvaluation;
using mcts::MinimaxResult;

constexpr int kBelowAll = 30000;

// In the unit of the evaluation.
int plain_value(const Game& game, MinimaxEvaluation evaluation) {
  const env::Board& board = game.board();
  if (evaluation == MinimaxEvaluation::kSeeds) return board.store_to_move - board.store_opponent;
  return mcts::TunedEvaluation::value(mcts::CaptureRules(game.rules()), mcts::packed_rows(board));
}

int plain_score(const Game& game, int depth,
                MinimaxEvaluation evaluation = MinimaxEvaluation::kSeeds) {
  const int sign = game.board().to_move == env::Side::kSouth ? 1 : -1;
  if (game.over()) {
    const int margin = sign * game.outcome().margin_south_seeds;
    const int unit = evaluation == MinimaxEvaluation::kSeeds ? 1 : mcts::TunedEvaluation::kUnit;
    if (margin == 0) return 0;
    return unit * (margin + (margin > 0 ? mcts::kDecidedScore : -mcts::kDecidedScore));
  }
  if (depth == 0) return plain_value(game, evaluation);
  int best = -kBelowAll;
  for (Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    Game next = game;
    next.play(move);
    best = std::max(best, -plain_score(next, depth - 1, evaluation));
  }
  return best;
}

std::string text(int score, LegalMask best_moves) {
  return "score " + std::to_string(score) + " moves " +
         env::moves_text(env::Side::kSouth, best_moves);
}

// Score and all best moves by exhaustive search.
std::string plain_result(const Game& game, int depth,
                         MinimaxEvaluation evaluation = MinimaxEvaluation::kSeeds) {
  int best = -kBelowAll;
  LegalMask best_moves = 0;
  for (Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    Game next = game;
    next.play(move);
    const int score = -plain_score(next, depth - 1, evaluation);
    if (score > best) best_moves = 0;
    best = std::max(best, score);
    if (score == best) best_moves = static_cast<LegalMask>(best_moves | 1 << move);
  }
  return text(best, best_moves);
}

std::string result(Minimax& minimax, const Game& game) {
  const MinimaxResult found = minimax.search(game);
  return text(found.score, found.best_moves);
}

MinimaxConfig depth_config(int depth, int table_log2_entries = 16) {
  MinimaxConfig config;
  config.depth = depth;
  config.table_log2_entries = table_log2_entries;
  return config;
}

Move random_move(const Game& game, env::RandomStream& random) {
  Move move = 0;
  do {
    move = static_cast<Move>(random.below(env::kMoves));
  } while ((game.legal() >> move & 1) == 0);
  return move;
}

// A random game from `start`, stopped after at most `plies` plies and before its end.
Game random_game(const RuleSet& rules, const env::Board& start, unsigned plies,
                 env::RandomStream& random) {
  Game game(rules, start);
  for (unsigned ply = 0; ply < plies && !game.over(); ++ply) {
    Game next = game;
    next.play(random_move(game, random));
    if (next.over()) break;
    game = next;
  }
  return game;
}

// Few seeds and some history: circles are within reach.
Game circling_game(const RuleSet& rules, env::RandomStream& random) {
  env::Board board;
  for (unsigned seeds = 1 + random.below(2); seeds > 0; --seeds) {
    ++board.pits[random.below(6)];
    ++board.pits[6 + random.below(6)];
  }
  board.store_to_move = 20;
  board.store_opponent = 19;
  return random_game(rules, board, random.below(20), random);
}

std::vector<RuleSet> circling_rules() {
  std::vector<RuleSet> all;
  for (const char* name : {"abapa", "awari", "beginner", "codingame"}) {
    RuleSet rules = env::preset(name);
    rules.target_seeds = 0;
    for (const int occurrence : {0, 2, 3}) {
      rules.repetition_occurrence = occurrence;
      for (const int ply_limit : {22, 1000}) {
        rules.ply_limit = ply_limit;
        all.push_back(rules);
      }
    }
  }
  return all;
}

// Exhaustive search by the naive rules, which share nothing with env/.
int naive_score(const naive::Game& game, int depth) {
  const int sign = game.position().side == 'S' ? 1 : -1;
  if (game.reason() != "none") {
    const int margin = sign * game.margin_south();
    if (margin == 0) return 0;
    return margin + (margin > 0 ? mcts::kDecidedScore : -mcts::kDecidedScore);
  }
  if (depth == 0) return sign * (game.position().store_south - game.position().store_north);
  int best = -kBelowAll;
  for (const char letter : game.legal()) {
    naive::Game next = game;
    next.play(letter);
    best = std::max(best, -naive_score(next, depth - 1));
  }
  return best;
}

// A game that goes on near the end of a circle: few seeds move round and round without a capture,
// so that the plies played and the plies to search close it together.
std::optional<std::pair<Game, std::string>> long_quiet_game(const RuleSet& rules,
                                                            env::RandomStream& random) {
  Game game(rules, env::initial_board());
  std::string letters;
  while (!game.over() && game.position().ply < 300) {
    if (game.position().quiet_plies >= 8 && random.below(6) == 0) return std::pair(game, letters);
    const Move move = random_move(game, random);
    letters += env::move_letter(game.board().to_move, move);
    game.play(move);
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("minimax equals exhaustive search by the naive rules after long quiet play") {
  for (const auto& name : env::preset_names()) {
    const RuleSet rules = env::preset(name);
    int compared = 0;
    for (std::uint64_t id = 0; compared < 10; ++id) {
      env::RandomStream random(1, env::RandomPurpose::kTest, id, 6);
      const auto found = long_quiet_game(rules, random);
      if (!found) continue;
      ++compared;
      naive::Game naive(rules, env::to_text(env::initial_board()));
      for (const char letter : found->second)
        naive.play(letter);
      const int depth = 1 + static_cast<int>(random.below(5));
      INFO(name << " depth " << depth << " at " << naive.text());
      Minimax minimax(depth_config(depth));
      REQUIRE(minimax.search(found->first).score == naive_score(naive, depth));
    }
  }
}

// Where rows run empty: moves must feed or cannot, and slams end the game.
TEST_CASE("minimax equals exhaustive search on boards with few seeds") {
  for (const auto& name : env::preset_names()) {
    const RuleSet rules = env::preset(name);
    for (int depth = 2; depth <= 4; ++depth) {
      Minimax minimax(depth_config(depth));
      for (std::uint64_t id = 0; id < 1500; ++id) {
        env::RandomStream random(depth, env::RandomPurpose::kTest, id, 10);
        env::Board board;
        for (unsigned seeds = 2 + random.below(10); seeds > 0; --seeds)
          ++board.pits[random.below(env::kPits)];
        board.store_to_move = static_cast<std::uint8_t>(10 + random.below(9));
        board.store_opponent = static_cast<std::uint8_t>(10 + random.below(9));
        const Game game(rules, board);
        if (game.over()) continue;
        INFO(name << " depth " << depth << " at " << board);
        REQUIRE(result(minimax, game) == plain_result(game, depth));
      }
    }
  }
}

// Deep enough for the table, and across the ply limit.
TEST_CASE("minimax equals exhaustive search deep on boards with few seeds") {
  for (const char* name : {"abapa", "awari"}) {
    for (int depth = 7; depth <= 10; ++depth) {
      for (std::uint64_t id = 0; id < 400; ++id) {
        env::RandomStream random(depth, env::RandomPurpose::kTest, id, 11);
        RuleSet rules = env::preset(name);
        rules.ply_limit = 4 + static_cast<int>(random.below(10));
        env::Board board;
        for (unsigned seeds = 4 + random.below(4); seeds > 0; --seeds)
          ++board.pits[random.below(env::kPits)];
        board.store_to_move = 20;
        board.store_opponent = 20;
        const Game game(rules, board);
        if (game.over()) continue;
        INFO(name << " depth " << depth << " limit " << rules.ply_limit << " at " << board);
        Minimax minimax(depth_config(depth));
        REQUIRE(result(minimax, game) == plain_result(game, depth));
      }
    }
  }
}

TEST_CASE("minimax with the tuned evaluation equals exhaustive search") {
  for (const auto& name : env::preset_names()) {
    const RuleSet rules = env::preset(name);
    for (int depth = 1; depth <= 5; ++depth) {
      MinimaxConfig config = depth_config(depth);
      config.evaluation = MinimaxEvaluation::kTuned;
      Minimax minimax(config);
      for (std::uint64_t id = 0; id < (depth < 5 ? 20U : 5U); ++id) {
        env::RandomStream random(depth, env::RandomPurpose::kTest, id, 7);
        const Game game = random_game(rules, env::initial_board(), random.below(120), random);
        INFO(name << " depth " << depth << " at " << game.board());
        REQUIRE(result(minimax, game) == plain_result(game, depth, MinimaxEvaluation::kTuned));
      }
    }
  }
}

namespace {

// As plain_score, with what the table says after captures.
int plain_score_with(const env::EndgameTable& table, const Game& game, int depth, bool captured) {
  if (captured && !game.over() && env::holds_from_here(game.rules(), game.position())) {
    if (const auto margin = env::final_margin_bounds(table, game.rules(), game.board())) {
      if (margin->low > 0) return mcts::kDecidedScore + margin->low;
      if (margin->high < 0) return margin->high - mcts::kDecidedScore;
      return (margin->low + margin->high) / 2;
    }
  }
  if (game.over() || depth == 0) return plain_score(game, depth);
  int best = -kBelowAll;
  for (Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    Game next = game;
    const bool captures = next.play(move) > 0;
    best = std::max(best, -plain_score_with(table, next, depth - 1, captures));
  }
  return best;
}

}  // namespace

TEST_CASE("an endgame table judges what it covers right after a capture") {
  for (const char* name : {"abapa", "awari"}) {
    const RuleSet rules = env::preset(name);
    MinimaxConfig config = depth_config(5);
    config.endgame = small_table(rules, 9);
    Minimax minimax(config);
    Minimax plain(depth_config(5));
    int changed = 0;
    for (std::uint64_t id = 0; id < 400; ++id) {
      env::RandomStream random(1, env::RandomPurpose::kTest, id, 8);
      const Game game = random_game(rules, env::initial_board(), random.below(200), random);
      const int score = minimax.search(game).score;
      INFO(name << " at " << game.board());
      REQUIRE(score == plain_score_with(*config.endgame, game, 5, false));
      changed += score != plain.search(game).score ? 1 : 0;
    }
    CHECK(changed > 5);
  }
}

TEST_CASE("a budget of nodes gives the same result every time") {
  MinimaxConfig config = depth_config(99);
  config.nodes = 20000;
  Minimax used(config);
  for (std::uint64_t id = 0; id < 10; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 9);
    const Game game = random_game(RuleSet{}, env::initial_board(), random.below(60), random);
    const MinimaxResult one = used.search(game);
    const MinimaxResult two = Minimax(config).search(game);
    INFO(game.board());
    CHECK(one.nodes == two.nodes);
    CHECK(one.depth == two.depth);
    // What the unfinished iteration found is not used.
    Minimax deep(depth_config(one.depth));
    REQUIRE(text(one.score, one.best_moves) == result(deep, game));
    CHECK(one.nodes < 20010);
  }
  config.nodes = 1;
  CHECK(Minimax(config).search(Game(RuleSet{})).depth == 1);
}

TEST_CASE("minimax equals exhaustive search on random positions of every preset") {
  for (const auto& name : env::preset_names()) {
    const RuleSet rules = env::preset(name);
    for (int depth = 1; depth <= 5; ++depth) {
      Minimax minimax(depth_config(depth));
      for (std::uint64_t id = 0; id < (depth < 5 ? 60U : 15U); ++id) {
        env::RandomStream random(depth, env::RandomPurpose::kTest, id, 0);
        const Game game = random_game(rules, env::initial_board(), random.below(120), random);
        INFO(name << " depth " << depth << " at " << game.board());
        REQUIRE(result(minimax, game) == plain_result(game, depth));
      }
    }
  }
}

// A circle takes twelve plies with two seeds, so only deep searches see one close, meet a position
// again on another way or reach it at another ply.
TEST_CASE("minimax equals exhaustive search where positions repeat") {
  int repeated = 0;
  for (const RuleSet& rules : circling_rules()) {
    for (const int depth : {13, 15, 17}) {
      Minimax minimax(depth_config(depth));
      for (std::uint64_t id = 0; id < 8; ++id) {
        env::RandomStream random(depth, env::RandomPurpose::kTest, id, 1);
        const Game game = circling_game(rules, random);
        if (game.over()) continue;
        repeated += game.position().repetitions;
        INFO(describe(rules) << " depth " << depth << " at " << game.board() << " after "
                             << game.position().ply << " plies");
        REQUIRE(result(minimax, game) == plain_result(game, depth));
      }
    }
  }
  CHECK(repeated > 5);
}

TEST_CASE("minimax equals exhaustive search near the ply limit") {
  for (const auto limit_score : {env::CutOffScore::kOwnRow, env::CutOffScore::kCaptured}) {
    RuleSet rules;
    rules.limit_score = limit_score;
    for (std::uint64_t id = 0; id < 60; ++id) {
      env::RandomStream random(1, env::RandomPurpose::kTest, id, 2);
      rules.ply_limit = 20 + static_cast<int>(random.below(6));
      const Game game = random_game(rules, env::initial_board(), 19, random);
      INFO(game.board() << " limit " << rules.ply_limit);
      Minimax minimax(depth_config(4));
      REQUIRE(result(minimax, game) == plain_result(game, 4));
    }
  }
}

TEST_CASE("the size of the table changes no result") {
  const RuleSet rules = env::preset("awari");
  Minimax tiny(depth_config(8, 0));
  Minimax small(depth_config(8, 6));
  Minimax large(depth_config(8, 18));
  for (std::uint64_t id = 0; id < 16; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 3);
    const Game game = random_game(rules, env::initial_board(), random.below(120), random);
    INFO(game.board());
    const std::string expected = result(large, game);
    REQUIRE(result(tiny, game) == expected);
    REQUIRE(result(small, game) == expected);
  }
}

TEST_CASE("a search does not depend on earlier ones") {
  Minimax used(depth_config(6));
  used.search(env::replay(env::preset("awari"), env::initial_board(), "FfBeBc"));
  used.search(env::replay(RuleSet{}, env::initial_board(), "FfBeB"));
  Minimax fresh(depth_config(6));
  const Game game = env::replay(RuleSet{}, env::initial_board(), "FfBeBc");
  const MinimaxResult after = used.search(game);
  const MinimaxResult first = fresh.search(game);
  CHECK(after.score == first.score);
  CHECK(after.best_moves == first.best_moves);
  CHECK(after.nodes == first.nodes);
}

TEST_CASE("the table saves most of the work") {
  const Game game = env::replay(RuleSet{}, env::initial_board(), "FfBeBc");
  const auto with = Minimax(depth_config(9)).search(game).nodes;
  const auto without = Minimax(depth_config(9, 0)).search(game).nodes;
  CHECK(with < without);
}

TEST_CASE("a win in one move is taken by either side") {
  for (const char* position :
       {"1-0-0-0-0-1-1-0-0-0-0-4-23-18-S", "1-0-0-0-0-4-1-0-0-0-0-1-18-23-N"}) {
    const Game game(RuleSet{}, env::parse_board(position));
    for (int depth = 1; depth <= 6; ++depth) {
      const MinimaxResult found = Minimax(depth_config(depth)).search(game);
      INFO(position << " depth " << depth);
      CHECK(found.score > mcts::kDecidedScore);
      CHECK(found.depth == depth);
    }
    CHECK(Minimax(depth_config(1)).search(game).move == 5);
  }
}

TEST_CASE("among equal best moves the lowest is chosen") {
  const MinimaxResult found = Minimax(depth_config(1)).search(Game(RuleSet{}));
  CHECK(found.score == 0);
  CHECK(found.best_moves == 0b111111);
  CHECK(found.move == 0);
}

TEST_CASE("a time budget always leaves a legal move") {
  MinimaxConfig config = depth_config(99);
  config.time_ms = 1;
  Minimax minimax(config);
  for (std::uint64_t id = 0; id < 5; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 4);
    const Game game = random_game(RuleSet{}, env::initial_board(), random.below(60), random);
    const MinimaxResult found = minimax.search(game);
    CHECK(found.depth >= 1);
    CHECK((game.legal() >> found.move & 1) == 1);
    CHECK((found.best_moves & ~game.legal()) == 0);
    // What the unfinished iteration found is not used.
    CHECK(text(found.score, found.best_moves) == [&] {
      Minimax plain(depth_config(found.depth));
      return result(plain, game);
    }());
  }
}

TEST_CASE("bad minimax settings are refused with the name of the field") {
  const auto error = [](int depth, int time_ms, int table) {
    return error_of(ErrorKind::kUsage, [&] {
      MinimaxConfig config;
      config.depth = depth;
      config.time_ms = time_ms;
      config.table_log2_entries = table;
      Minimax minimax(config);
    });
  };
  CHECK(error(0, 0, 16) == "minimax.depth: expected 1..99, found 0");
  CHECK(contains(error(100, 0, 16), "minimax.depth"));
  CHECK(contains(error(4, -1, 16), "minimax.time_ms"));
  CHECK(contains(error(4, 0, -1), "minimax.table_log2_entries"));
  CHECK(contains(error(4, 0, 31), "minimax.table_log2_entries"));
}

}  // namespace awale::test
