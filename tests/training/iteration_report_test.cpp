#include "training/iteration_report.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

using namespace awale::training;

TEST_CASE("an iteration that learned nothing has no losses, which is not losses of 0") {
  IterationReport report;
  const auto before = to_json(report);
  report.learning.steps = 1;
  report.learning.losses.policy = 0.25;
  report.learning.losses.gradient_norm = 2;
  const auto learned = to_json(report);
  for (const char* key : {"loss_policy", "loss_wdl", "loss_margin", "gradient_norm"}) {
    INFO(key);
    CHECK(before[key].is_null());
    CHECK(learned[key].is_number());
  }
  CHECK(learned["loss_policy"] == 0.25);
  CHECK(learned["gradient_norm"] == 2);
}
