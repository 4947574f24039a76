// What people are told about a position; how it is drawn is tested with the game in a terminal.
#include "training/game_text/board_view.hpp"

#include "env/notation.hpp"
#include "tests/support/catch.hpp"

namespace env = awale::env;
using namespace awale::training;

namespace {

env::RuleSet with_grand_slam(env::GrandSlam grand_slam) {
  env::RuleSet rules;
  rules.grand_slam = grand_slam;
  return rules;
}

env::Board study(const std::string& text) {
  return env::parse_board(text, env::SeedCount::kStudy);
}

env::Game played(const env::RuleSet& rules, const std::string& position,
                 const std::string& moves = "") {
  return env::replay(rules, study(position), moves);
}

}  // namespace

TEST_CASE("An illegal pit is empty, does not feed or takes everything") {
  const env::RuleSet rules = with_grand_slam(env::GrandSlam::kIllegal);
  const env::Board starving = study("1-0-0-0-0-1-0-0-0-0-0-0");
  CHECK(why_illegal(rules, starving, 0) == Illegality::kMustFeed);
  CHECK(why_illegal(rules, starving, 1) == Illegality::kEmptyPit);
  CHECK(why_illegal(rules, study("0-0-0-0-1-1-1-0-0-0-0-0"), 5) == Illegality::kGrandSlam);
}

TEST_CASE("A pit that feeds an empty row and would take it again is a grand slam") {
  env::RuleSet rules = with_grand_slam(env::GrandSlam::kIllegal);
  rules.capture_counts = env::CaptureCounts::kOneTwo;
  const env::Board board = study("1-0-0-0-0-1-0-0-0-0-0-0");
  CHECK(why_illegal(rules, board, 5) == Illegality::kGrandSlam);
  CHECK(why_illegal(rules, board, 0) == Illegality::kMustFeed);
}

TEST_CASE("An end is explained by what has happened") {
  const env::RuleSet rules;
  CHECK(describe_end(played(rules, "0-0-0-0-0-6-1-1-5-1-2-1-20-11-S", "F")) ==
        "South has captured 27 seeds");
  CHECK(describe_end(played(rules, "1-0-0-0-0-0-0-0-0-0-0-0-21-26-S")) ==
        "North has captured 26 seeds");
  CHECK(describe_end(played(rules, "1-1-0-0-0-0-0-0-0-0-0-0")) ==
        "South cannot feed North's empty row");
  CHECK(describe_end(played(rules, "1-1-0-0-0-0-0-0-0-0-0-0-0-0-N")) ==
        "North's row is empty, so North cannot move");
  CHECK(
      describe_end(played(with_grand_slam(env::GrandSlam::kIllegal), "0-0-0-0-0-1-1-0-0-0-0-0")) ==
      "every move that South has would take all of North's seeds");
  CHECK(describe_end(played(rules, "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", "AaBbCcDdEeFf")) ==
        "the position has occurred for the 2nd time since the last capture");
  env::RuleSet short_game;
  short_game.ply_limit = 2;
  CHECK(describe_end(played(short_game, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "Aa")) ==
        "the limit of 2 plies is reached");
}

TEST_CASE("The count of the seeds left is shown as a sum") {
  env::RuleSet rules;
  const std::string position = "0-0-0-2-0-6-1-1-5-1-2-1-20-9-S";
  CHECK(describe_count(played(rules, position, "F")) ==
        "each takes the seeds left in his row: South 27 + 2 = 29, North 9 + 10 = 19");
  rules.sweep_at_target = false;
  CHECK(describe_count(played(rules, position, "F")) ==
        "the seeds left on the board count for nobody: South 27, North 9");
  rules.ply_limit = 1;
  rules.limit_score = env::CutOffScore::kSplit;
  CHECK(describe_count(played(rules, "1-0-2-0-4-0-0-3-0-0-1-0-20-17-S", "A")) ==
        "the seeds left on the board are shared equally: South 20 + 5.5 = 25.5, North 17 + 5.5 = "
        "22.5");
}
