#include "training/openings.hpp"

#include <set>

#include "env/error.hpp"
#include "env/game.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace env = awale::env;
using awale::ErrorKind;
using awale::test::contains;
using awale::test::error_of;
using awale::training::OpeningPlies;
using awale::training::Openings;

TEST_CASE("Openings have the plies that were asked for") {
  Openings openings({}, 1, {3, 3});
  for (int i = 0; i < 50; ++i) {
    const auto opening = openings.next();
    REQUIRE(opening);
    CHECK(opening->size() == 3);
  }
}

TEST_CASE("All openings of a length are found, each once, then none") {
  Openings openings({}, 1, {1, 1});
  std::set<std::string> found;
  for (auto opening = openings.next(); opening; opening = openings.next())
    CHECK(found.insert(*opening).second);
  CHECK(found == std::set<std::string>{"A", "B", "C", "D", "E", "F"});
}

TEST_CASE("Without plies every game begins at the start position") {
  Openings openings({}, 1, {0, 0});
  for (int i = 0; i < 3; ++i)
    CHECK(openings.next() == "");
}

TEST_CASE("Rules that end every game within the opening are said to") {
  env::RuleSet rules;
  rules.ply_limit = 3;
  rules.name = "short";
  Openings openings(rules, 1);
  const auto refusal = error_of(ErrorKind::kUsage, [&] { openings.next(); });
  CHECK(contains(refusal, "--opening-plies: the rules short"));
  CHECK(contains(refusal, "end every game within 4 to 8 plies; expected fewer, or 0 for none"));
  CHECK(Openings(rules, 1, {2, 2}).next());
}

TEST_CASE("Opening plies out of range are refused") {
  for (const auto& plies : {OpeningPlies{-1, -1}, OpeningPlies{101, 101}, OpeningPlies{5, 4}}) {
    CHECK(contains(error_of(ErrorKind::kUsage, [&] { plies.validate(); }),
                   "--opening-plies: expected 0..100"));
  }
}
