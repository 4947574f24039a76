#include "training/config_changes.hpp"

#include <utility>

#include "env/error.hpp"
#include "tests/support/catch.hpp"

using namespace awale;
using namespace awale::training;

namespace {

// "key: before -> now" of what may change, with "!" before what may not.
std::vector<std::string> texts(const std::string& before, const std::string& now) {
  std::vector<std::string> lines;
  for (const auto& change : config_changes(before, now))
    lines.push_back((change.allowed ? "" : "!") + change.key + ": " + change.before + " -> " +
                    change.now);
  return lines;
}

using Texts = std::vector<std::string>;

// "run seed": the TOML that sets it, but for the value; how a change from 1 to 2 is shown.
std::pair<std::string, std::string> change_of(const std::string& key) {
  const auto space = key.find(' ');
  const std::string section = key.substr(0, space);
  const std::string name = key.substr(space + 1);
  return {'[' + section + "]\n" + name + " = ", section + '.' + name + ": 1 -> 2"};
}

}  // namespace

TEST_CASE("equal configs have no changes, whatever their order") {
  CHECK(texts("[a]\nx = 1\ny = 2\n\n[b]\nz = 3\n", "[b]\nz = 3\n[a]\ny = 2\nx = 1\n").empty());
}

TEST_CASE("a seed that earlier versions wrote without quotes is the same seed") {
  const std::string seed = "18446744073709551615";
  CHECK(texts("[run]\nseed = " + seed + "\n", "[run]\nseed = \"" + seed + "\"\n").empty());
}

TEST_CASE("how long, how fast and how a run is watched may change") {
  for (const char* key :
       {"run iterations", "run minutes", "run core_minutes", "run threads", "run save_every",
        "run most_waiting", "learner learning_rate", "learner gradient_clip", "learner kind",
        "learner window_rows", "evaluator kind", "evaluation games", "grading positions",
        "alarms least_entropy", "data keep_rows", "adjudication table"}) {
    const auto [head, change] = change_of(key);
    CHECK(texts(head + "1\n", head + "2\n") == Texts{change});
  }
}

TEST_CASE("what games are and how steps are counted may not change") {
  for (const char* key :
       {"run seed", "rules target", "network width", "search simulations", "self_play games",
        "targets lambda", "learner batch_rows", "learner uses_per_row", "learner warmup_rows",
        "learner validation_share", "adjudication play_out_share"}) {
    const auto [head, change] = change_of(key);
    CHECK(texts(head + "1\n", head + "2\n") == Texts{'!' + change});
    std::string message = "runs/a: ";
    message += change.substr(0, change.find(':'));
    message += " cannot change in a run that goes on: it has 1, now 2";
    CHECK_THROWS_WITH(require_allowed("runs/a", config_changes(head + "1\n", head + "2\n")),
                      message);
  }
}

TEST_CASE("keys of other versions come and go, the table does not") {
  CHECK(texts("[search]\na = 1\n", "[search]\na = 1\nb = 2\n") == Texts{"search.b: none -> 2"});
  CHECK(texts("[search]\na = 1\nb = 2\n", "[search]\na = 1\n") == Texts{"search.b: 2 -> none"});
  CHECK(texts("# table: x\n", "# table: y\n") == Texts{"!content of adjudication.table: x -> y"});
  CHECK(texts("# table: x\n", "") == Texts{"!content of adjudication.table: x -> none"});
  CHECK_NOTHROW(require_allowed("runs/a", config_changes("", "[run]\nthreads = 3\n")));
}
