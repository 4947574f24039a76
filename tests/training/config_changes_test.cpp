#include "training/config_changes.hpp"

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

}  // namespace

TEST_CASE("equal configs have no changes, whatever their order") {
  CHECK(texts("[a]\nx = 1\ny = 2\n\n[b]\nz = 3\n", "[b]\nz = 3\n[a]\ny = 2\nx = 1\n").empty());
}

TEST_CASE("how long, how fast and how a run is watched may change") {
  for (const char* key :
       {"run iterations", "run minutes", "run threads", "run save_every", "run most_waiting",
        "learner learning_rate", "learner gradient_clip", "learner kind", "learner window_rows",
        "evaluator kind", "evaluation games", "grading positions", "alarms least_entropy",
        "data keep_rows", "adjudication table"}) {
    const std::string text = key;
    const auto space = text.find(' ');
    const std::string head = "[" + text.substr(0, space) + "]\n" + text.substr(space + 1) + " = ";
    const std::string name = text.substr(0, space) + "." + text.substr(space + 1);
    CHECK(texts(head + "1\n", head + "2\n") == Texts{name + ": 1 -> 2"});
  }
}

TEST_CASE("what games are and how steps are counted may not change") {
  for (const char* key :
       {"run seed", "rules target", "network width", "search simulations", "self_play games",
        "targets lambda", "learner batch_rows", "learner uses_per_row", "learner warmup_rows",
        "learner validation_share", "adjudication play_out_share"}) {
    const std::string text = key;
    const auto space = text.find(' ');
    const std::string head = "[" + text.substr(0, space) + "]\n" + text.substr(space + 1) + " = ";
    const std::string name = text.substr(0, space) + "." + text.substr(space + 1);
    CHECK(texts(head + "1\n", head + "2\n") == Texts{"!" + name + ": 1 -> 2"});
    CHECK_THROWS_WITH(require_allowed("runs/a", config_changes(head + "1\n", head + "2\n")),
                      "runs/a: " + name + " cannot change in a run that goes on: it has 1, now 2");
  }
}

TEST_CASE("keys of other versions come and go, the table does not") {
  CHECK(texts("[search]\na = 1\n", "[search]\na = 1\nb = 2\n") == Texts{"search.b: none -> 2"});
  CHECK(texts("[search]\na = 1\nb = 2\n", "[search]\na = 1\n") == Texts{"search.b: 2 -> none"});
  CHECK(texts("# table: x\n", "# table: y\n") == Texts{"!content of adjudication.table: x -> y"});
  CHECK(texts("# table: x\n", "") == Texts{"!content of adjudication.table: x -> none"});
  CHECK_NOTHROW(require_allowed("runs/a", config_changes("", "[run]\nthreads = 3\n")));
}
