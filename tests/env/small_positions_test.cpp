// The worked positions of the rule texts, each played by every implementation.
#include "env/notation.hpp"
#include "tests/env/side_by_side.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::GrandSlam;
using env::RuleSet;

struct Played {
  std::string board;  // pits and stores, without the side
  int captured = 0;
  std::string reason;
  int margin_south = 0;  // 0 while the game goes on
};

// A position of 12 pits gets empty stores and South to move.
SideBySide game_at(const RuleSet& rules, const std::string& position) {
  return {rules, {env::parse_board(position, env::SeedCount::kStudy)}};
}

int stores(const naive::Position& position) {
  return position.store_south + position.store_north;
}

Played play_all(const RuleSet& rules, const std::string& position, const std::string& moves) {
  SideBySide games = game_at(rules, position);
  const naive::Game& game = games.naive_game(0);
  Played played;
  for (const char letter : moves) {
    const int before = stores(game.position());
    games.step({env::parse_move(letter, games.game(0).board().to_move)});
    played.captured = stores(game.position()) - before;
  }
  const std::string text = game.text();
  played.board = text.substr(0, text.size() - 2);
  played.reason = game.reason();
  played.margin_south = played.reason == "none" ? 0 : game.margin_south();
  return played;
}

std::string legal_all(const RuleSet& rules, const std::string& position) {
  return game_at(rules, position).naive_game(0).legal();
}

// The score of a position that is over before a move.
std::string end_all(const RuleSet& rules, const std::string& position) {
  const SideBySide games = game_at(rules, position);
  const naive::Game& game = games.naive_game(0);
  return game.reason() == "none" ? "none"
                                 : game.reason() + " " + std::to_string(game.margin_south());
}

// abapa with another treatment of grand slams.
RuleSet slam_rules(GrandSlam grand_slam) {
  RuleSet rules;
  rules.grand_slam = grand_slam;
  return rules;
}

std::vector<RuleSet> all_presets() {
  std::vector<RuleSet> all;
  for (const auto& name : env::preset_names())
    all.push_back(env::preset(name));
  return all;
}

}  // namespace

TEST_CASE("sowing skips the origin pit on every lap") {
  for (const RuleSet& rules : all_presets()) {
    INFO(rules.name);
    const Played played = play_all(rules, "12-0-0-0-0-0-0-0-0-0-0-1", "A");
    CHECK(played.board == "0-2-1-1-1-1-1-1-1-1-1-2-0-0");
    CHECK(played.captured == 0);
  }
}

TEST_CASE("eleven seeds end on the pit before the origin and capture there") {
  const Played played = play_all(RuleSet{}, "11-0-0-0-0-0-1-0-0-0-0-1", "A");
  CHECK(played.board == "0-1-1-1-1-1-2-1-1-1-1-0-2-0");
  CHECK(played.captured == 2);
}

TEST_CASE("a lap that ends in the opponent's row captures the chain") {
  const Played played = play_all(RuleSet{}, "0-0-0-0-0-13-1-0-0-0-0-0", "F");
  CHECK(played.board == "1-1-1-1-1-0-0-0-1-1-1-1-5-0");
  CHECK(played.captured == 5);
}

TEST_CASE("the chain of captures stops at the first pit that holds neither two nor three") {
  const Played played = play_all(RuleSet{}, "0-0-0-0-0-6-1-1-5-1-2-1", "F");
  CHECK(played.board == "0-0-0-0-0-0-2-2-6-0-0-0-7-0");
  CHECK(played.captured == 7);
}

TEST_CASE("nothing is captured in one's own row") {
  for (const RuleSet& rules : all_presets()) {
    INFO(rules.name);
    CHECK(play_all(rules, "0-0-1-1-0-0-1-0-0-0-0-0", "C").captured == 0);
  }
}

TEST_CASE("a grand slam beside another move") {
  const std::string position = "0-0-0-0-1-1-1-0-0-0-0-0";
  CHECK(legal_all(slam_rules(GrandSlam::kNoCapture), position) == "EF");
  CHECK(play_all(slam_rules(GrandSlam::kNoCapture), position, "F").captured == 0);
  CHECK(legal_all(slam_rules(GrandSlam::kIllegalUnlessOnly), position) == "E");
  CHECK(legal_all(slam_rules(GrandSlam::kIllegal), position) == "E");
  CHECK(legal_all(slam_rules(GrandSlam::kCapture), position) == "EF");
  CHECK(play_all(slam_rules(GrandSlam::kCapture), position, "F").captured == 2);
}

TEST_CASE("a grand slam as the only move") {
  const std::string position = "0-0-0-0-0-1-1-0-0-0-0-0";
  const Played void_slam = play_all(slam_rules(GrandSlam::kNoCapture), position, "F");
  CHECK(void_slam.captured == 0);
  CHECK(void_slam.reason == "no_moves");  // North cannot feed and keeps his two
  CHECK(void_slam.margin_south == -2);
  for (const auto grand_slam : {GrandSlam::kIllegalUnlessOnly, GrandSlam::kCapture}) {
    const Played taken = play_all(slam_rules(grand_slam), position, "F");
    CHECK(taken.captured == 2);
    CHECK(taken.reason == "no_moves");
    CHECK(taken.margin_south == 2);
  }
  CHECK(end_all(slam_rules(GrandSlam::kIllegal), position) == "no_moves 0");  // each keeps one
}

TEST_CASE("a grand slam of several pits") {
  const std::string position = "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S";
  const Played played = play_all(slam_rules(GrandSlam::kNoCapture), position, "F");
  CHECK(played.board == "1-0-0-0-2-0-3-2-3-0-0-0-20-17");
  CHECK(played.captured == 0);
  CHECK(legal_all(slam_rules(GrandSlam::kIllegalUnlessOnly), position) == "AE");
}

TEST_CASE("a capture that leaves the opponent a seed is no grand slam") {
  const std::string position = "0-0-6-0-3-5-1-2-1-0-0-0";
  const RuleSet valencian = slam_rules(GrandSlam::kIllegalUnlessOnly);
  CHECK(legal_all(valencian, position) == "EF");
  CHECK(play_all(valencian, position, "E").captured == 5);
  CHECK(legal_all(slam_rules(GrandSlam::kNoCapture), position) == "CEF");
  CHECK(play_all(slam_rules(GrandSlam::kNoCapture), position, "C").captured == 0);
}

TEST_CASE("an empty row has to be fed") {
  for (const RuleSet& rules : all_presets()) {
    INFO(rules.name);
    CHECK(legal_all(rules, "6-0-0-0-1-0-0-0-0-0-0-0") == (rules.must_feed ? "A" : "AE"));
    CHECK(legal_all(rules, "1-0-0-0-0-1-0-0-0-0-0-0") == (rules.must_feed ? "F" : "AF"));
  }
}

TEST_CASE("who cannot feed keeps his row") {
  for (const RuleSet& rules : all_presets()) {
    INFO(rules.name);
    const bool ends = rules.must_feed && rules.cannot_feed == env::CannotFeed::kEnds;
    if (ends) {
      CHECK(end_all(rules, "5-0-0-0-1-0-0-0-0-0-0-0") == "no_moves 6");
      CHECK(end_all(rules, "1-1-0-0-0-0-0-0-0-0-0-0") == "no_moves 2");
    } else {  // the same score one ply later
      CHECK(legal_all(rules, "5-0-0-0-1-0-0-0-0-0-0-0") == "AE");
      CHECK(play_all(rules, "5-0-0-0-1-0-0-0-0-0-0-0", "E").margin_south == 6);
      CHECK(play_all(rules, "1-1-0-0-0-0-0-0-0-0-0-0", "A").margin_south == 2);
      CHECK(play_all(rules, "1-1-0-0-0-0-0-0-0-0-0-0", "B").reason == "no_moves");
    }
  }
}

TEST_CASE("one seed each going round repeats after twelve plies") {
  const std::string position = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
  const std::string moves = "AaBbCcDdEeFf";
  for (const char* name : {"abapa", "valencian", "beginner", "openspiel", "auale", "awari"}) {
    INFO(name);
    const Played played = play_all(env::preset(name), position, moves);
    CHECK(played.reason == "repetition");
    CHECK(played.margin_south == 0);
  }
  CHECK(play_all(env::preset("codingame"), position, moves).reason == "none");
}

TEST_CASE("a repetition is no draw by itself") {
  const std::string position = "0-0-0-0-0-2-0-0-0-0-0-2-21-23-S";
  const Played own_row = play_all(RuleSet{}, position, "FfAaBbCcDdEe");
  CHECK(own_row.reason == "repetition");
  CHECK(own_row.margin_south == -2);  // 23-25
  const Played split = play_all(env::preset("awari"), position, "FfAaBbCcDdEe");
  CHECK(split.reason == "repetition");
  CHECK(split.margin_south == -2);  // 22-24 with each rest shared equally
}

TEST_CASE("the third occurrence ends the game where the rules say so") {
  RuleSet rules;
  rules.repetition_occurrence = 3;
  const std::string position = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
  const std::string round = "AaBbCcDdEeFf";
  CHECK(play_all(rules, position, round).reason == "none");
  CHECK(play_all(rules, position, round + round).reason == "repetition");
}

TEST_CASE("only some presets sweep the rows when the target is reached") {
  // F takes two and passes 24; rows after it: 1 for South, 4 for North.
  const std::string position = "1-0-0-0-0-1-1-0-0-0-0-4-23-18-S";
  CHECK(play_all(env::preset("abapa"), position, "F").margin_south == 25 + 1 - (18 + 4));
  CHECK(play_all(env::preset("openspiel"), position, "F").margin_south == 25 + 1 - (18 + 4));
  CHECK(play_all(env::preset("codingame"), position, "F").margin_south == 25 - 18);
  CHECK(play_all(env::preset("valencian"), position, "F").margin_south == 25 - 18);
  CHECK(play_all(env::preset("auale"), position, "F").reason == "none");
}

TEST_CASE("wari_caribbean takes ones and twos and wins with 21") {
  const RuleSet rules = env::preset("wari_caribbean");
  const std::string ones = "0-0-0-0-0-1-0-0-1-0-0-0-19-20-S";
  CHECK(play_all(rules, ones, "F").captured == 1);
  const std::string twos = "0-0-0-0-0-1-1-0-1-0-0-0-19-20-S";
  const Played won = play_all(rules, twos, "F");
  CHECK(won.captured == 2);
  CHECK(won.reason == "target");
  CHECK(won.margin_south == 1);  // 21-20, the rows are not swept
  const std::string threes = "0-0-0-0-0-1-2-0-1-0-0-0-19-20-S";
  CHECK(play_all(rules, threes, "F").captured == 0);
}

TEST_CASE("a cancelled grand slam does not clear the repetition history, a capture does") {
  const env::Board slam =
      env::parse_board("0-0-0-0-1-1-1-0-0-0-0-0-22-23-S", env::SeedCount::kGame);
  env::Game voided(RuleSet{}, slam);
  voided.play(5);
  CHECK(voided.history().size() == 2);
  CHECK(voided.position().quiet_plies == 1);
  env::Game taken(slam_rules(GrandSlam::kCapture), slam);
  taken.play(5);
  CHECK(taken.history().size() == 1);
  CHECK(taken.position().quiet_plies == 0);
}

TEST_CASE("of two reasons to end a game the first in the rules counts") {
  RuleSet rules;
  rules.ply_limit = 12;
  rules.limit_score = env::CutOffScore::kCaptured;
  CHECK(play_all(rules, "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", "AaBbCcDdEeFf").reason == "repetition");
  rules.ply_limit = 1;
  CHECK(play_all(rules, "1-0-0-0-0-1-1-0-0-0-0-4-23-18-S", "F").reason == "target");
  CHECK(play_all(rules, "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "F").reason == "no_moves");
  CHECK(end_all(rules, "1-1-0-0-0-0-0-0-0-0-0-0-20-26-S") == "target -4");
}

TEST_CASE("at the ply limit the rows count or not, as the rules say") {
  RuleSet rules;
  rules.ply_limit = 1;
  const std::string position = "1-0-0-0-0-3-1-0-0-0-0-4-20-19-S";
  CHECK(play_all(rules, position, "A").reason == "ply_limit");
  CHECK(play_all(rules, position, "A").margin_south == 24 - 24);
  rules.limit_score = env::CutOffScore::kCaptured;
  CHECK(play_all(rules, position, "A").margin_south == 20 - 19);
  rules.limit_score = env::CutOffScore::kSplit;
  CHECK(play_all(rules, position, "A").margin_south == 20 - 19);
}

}  // namespace awale::test
