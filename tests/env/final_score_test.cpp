#include "env/final_score.hpp"

#include "env/game.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::EndReason;

std::string score(const env::RuleSet& rules, const std::string& position, EndReason reason) {
  return to_text(final_score(rules, env::parse_board(position), reason));
}

env::RuleSet with_scores(env::CutOffScore repetition, env::CutOffScore limit, bool sweep) {
  env::RuleSet rules;
  rules.repetition_score = repetition;
  rules.limit_score = limit;
  rules.sweep_at_target = sweep;
  return rules;
}

}  // namespace

TEST_CASE("the seeds left are counted as the rules say for each end") {
  using env::CutOffScore;
  // Rows: South 7, North 4.
  const std::string board = "1-0-2-0-4-0-0-3-0-0-1-0-20-17-N";
  const auto shared = with_scores(CutOffScore::kSplit, CutOffScore::kCaptured, true);
  CHECK(score(shared, board, EndReason::kTarget) == "27-21");
  CHECK(score(shared, board, EndReason::kNoMoves) == "27-21");
  CHECK(score(shared, board, EndReason::kRepetition) == "25.5-22.5");
  CHECK(score(shared, board, EndReason::kPlyLimit) == "20-17");
  const auto others = with_scores(CutOffScore::kOwnRow, CutOffScore::kSplit, false);
  CHECK(score(others, board, EndReason::kTarget) == "20-17");
  CHECK(score(others, board, EndReason::kRepetition) == "27-21");
  CHECK(score(others, board, EndReason::kPlyLimit) == "25.5-22.5");
}

TEST_CASE("a game that goes on has its stores for a score") {
  CHECK(score(env::RuleSet{}, "1-0-2-0-4-0-0-3-0-0-1-0-20-17-S", EndReason::kNone) == "20-17");
  CHECK(score(env::RuleSet{}, "1-0-2-0-4-0-0-3-0-0-1-0-20-17-N", EndReason::kNone) == "20-17");
}

TEST_CASE("the score's difference is the margin of the outcome") {
  const std::string name = GENERATE(from_range(env::preset_names()));
  INFO(name);
  for (std::uint64_t id = 0; id < 50; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 0);
    env::Game game(env::preset(name));
    while (!game.over()) {
      const env::Move move = static_cast<env::Move>(random.below(env::kMoves));
      if ((game.legal() >> move & 1) != 0) game.play(move);
    }
    const auto total = final_score(game.rules(), game.board(), game.outcome().reason);
    REQUIRE(total.south_half_seeds - total.north_half_seeds ==
            2 * game.outcome().margin_south_seeds);
  }
}

}  // namespace awale::test
