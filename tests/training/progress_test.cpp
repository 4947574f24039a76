#include "training/progress.hpp"

#include "tests/support/catch.hpp"

using awale::training::duration_text;
using awale::training::progress_text;

TEST_CASE("Progress says how much, how fast and how long") {
  CHECK(progress_text("match", "games", 50, 200, 2) ==
        "match: 50/200 games, 25.0 games/s, 6 s left");
  CHECK(progress_text("match", "games", 0, 200, 2) == "match: 0/200 games");
  CHECK(progress_text("match", "games", 200, 200, 1) == "match: 200/200 games, 200 games/s");
  CHECK(progress_text("check", "lines", 50, awale::training::Progress::kUnknownTotal, 2) ==
        "check: 50 lines, 25.0 lines/s");
}

TEST_CASE("Durations are written in the units that matter") {
  CHECK(duration_text(0.4) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(59.6) == "1 min 00 s");
  CHECK(duration_text(185) == "3 min 05 s");
  CHECK(duration_text(7620) == "2 h 07 min");
}
