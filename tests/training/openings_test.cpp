#include "training/openings.hpp"

#include <algorithm>
#include <set>

#include "env/error.hpp"
#include "env/game.hpp"
#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace env = awale::env;
using awale::ErrorKind;
using awale::test::contains;
using awale::test::error_of;
using awale::training::check_opening_plies;
using awale::training::enumerate_openings;
using awale::training::Openings;

namespace {

std::string position_after(const env::RuleSet& rules, const std::string& moves) {
  return env::to_text(env::replay(rules, env::initial_board(), moves).board());
}

// Every order of moves is played to its end: slow, and right by being simple.
void collect_positions(const env::Game& game, int plies, std::set<std::string>& positions) {
  if (game.over()) return;
  if (plies == 0) positions.insert(env::to_text(game.board()));
  for (env::Move move = 0; plies > 0 && move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    env::Game next = game;
    next.play(move);
    collect_positions(next, plies - 1, positions);
  }
}

std::vector<std::string> draw_all(Openings& openings) {
  std::vector<std::string> drawn;
  for (auto opening = openings.next(); opening; opening = openings.next())
    drawn.push_back(*opening);
  return drawn;
}

}  // namespace

TEST_CASE("The openings are all positions after so many plies, each once, under every preset") {
  for (const auto& name : env::preset_names()) {
    const env::RuleSet rules = env::preset(name);
    for (int plies = 1; plies <= 5; ++plies) {
      CAPTURE(name, plies);
      std::set<std::string> expected;
      collect_positions(env::Game(rules), plies, expected);
      std::set<std::string> found;
      const auto openings = enumerate_openings(rules, plies);
      for (const auto& opening : openings) {
        CHECK(static_cast<int>(opening.size()) == plies);
        found.insert(position_after(rules, opening));
      }
      CHECK(openings.size() == expected.size());
      CHECK(found == expected);
    }
  }
}

TEST_CASE("How many openings there are") {
  CHECK(enumerate_openings({}, 4).size() == 1014);    // every order of moves leads elsewhere
  CHECK(enumerate_openings({}, 5).size() == 5188);    // of 5,219
  CHECK(enumerate_openings({}, 6).size() == 26'861);  // of 27,332
}

TEST_CASE("Positions in which the game is over are no openings") {
  env::RuleSet rules;
  rules.target_seeds = 2;  // the first capture ends the game
  for (const auto& opening : enumerate_openings(rules, 5))
    CHECK_FALSE(env::replay(rules, env::initial_board(), opening).over());
  CHECK(enumerate_openings(rules, 5).size() < enumerate_openings({}, 5).size());
}

TEST_CASE("Openings are drawn by the seed without replacement, until there is none") {
  Openings first({}, 1, 3);
  Openings second({}, 2, 3);
  CHECK(first.set_size() == 190);
  const auto one = draw_all(first);
  const auto two = draw_all(second);
  CHECK(one != two);
  CHECK(std::set<std::string>(one.begin(), one.end()).size() == 190);
  CHECK(std::set<std::string>(two.begin(), two.end()).size() == 190);
  Openings again({}, 1, 3);
  CHECK(draw_all(again) == one);
}

TEST_CASE("Every opening is as likely as any other to come first") {
  std::vector<int> first(6);
  for (std::uint64_t seed = 0; seed < 600; ++seed)
    ++first[static_cast<std::size_t>(Openings({}, seed, 1).next()->front() - 'A')];
  CHECK(*std::min_element(first.begin(), first.end()) > 60);
  CHECK(*std::max_element(first.begin(), first.end()) < 140);
}

TEST_CASE("Without plies every game begins at the start position") {
  Openings openings({}, 1, 0);
  CHECK(openings.set_size() == 1);
  for (int i = 0; i < 3; ++i)
    CHECK(openings.next() == "");
}

TEST_CASE("Rules that end every game within the opening are said to") {
  env::RuleSet rules;
  rules.ply_limit = 3;
  rules.name = "short";
  const auto refusal = error_of(ErrorKind::kUsage, [&] { Openings(rules, 1, 6); });
  CHECK(contains(refusal, "--opening-plies: the rules short"));
  CHECK(contains(refusal, "end every game within 6 plies; expected fewer, or 0 for none"));
  CHECK(Openings(rules, 1, 2).next());
}

TEST_CASE("Opening plies out of range are refused") {
  for (const int plies : {-1, 9, 100}) {
    CHECK(error_of(ErrorKind::kUsage, [&] { check_opening_plies(plies); }) ==
          "--opening-plies: expected 0..8, found " + std::to_string(plies));
  }
}
