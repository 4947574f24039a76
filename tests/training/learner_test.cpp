#include "training/learner.hpp"

#include <cmath>
#include <limits>

#include "env/game.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "training/learning.hpp"

using namespace awale;
using namespace awale::training;

namespace {

// `count` positions of a random game with targets that depend on the position only.
std::vector<TrainingRow> some_rows(int count) {
  std::vector<TrainingRow> rows;
  env::Game game{env::RuleSet{}};
  env::RandomStream stream(3, env::RandomPurpose::kTest, 0, 0);
  while (static_cast<int>(rows.size()) < count) {
    if (game.over()) game = env::Game{env::RuleSet{}};
    TrainingRow row;
    row.position = game.position();
    row.legal = game.legal();
    env::Move move = 0;
    do {
      move = static_cast<env::Move>(stream.below(env::kMoves));
    } while ((row.legal >> move & 1) == 0);
    row.policy[move] = 1;
    row.win_draw_loss[stream.below(3)] = 1;
    row.margin_seeds = static_cast<float>(stream.below(25)) - 12.0F;
    rows.push_back(row);
    game.play(move);
  }
  return rows;
}

std::vector<const TrainingRow*> pointers(const std::vector<TrainingRow>& rows) {
  std::vector<const TrainingRow*> result;
  for (const auto& row : rows)
    result.push_back(&row);
  return result;
}

void require_equal(const nn::NetworkWeights& left, const nn::NetworkWeights& right) {
  REQUIRE(left.tensors.size() == right.tensors.size());
  for (std::size_t i = 0; i < left.tensors.size(); ++i) {
    REQUIRE(left.tensors[i].values == right.tensors[i].values);
  }
}

}  // namespace

TEST_CASE("the learner overfits one batch") {
  const auto rows = some_rows(64);
  const auto batch = pointers(rows);
  Learner learner({}, {env::RuleSet{}}, initial_learner_state({1, 64}, 1));
  const auto first = learner.step(batch, 1e-3);
  LossReport last;
  for (int i = 0; i < 400; ++i)
    last = learner.step(batch, 3e-3);
  for (int i = 0; i < 100; ++i)  // at the large rate the losses jitter, differently on each machine
    last = learner.step(batch, 3e-4);
  CHECK(first.policy > 1.0);
  CHECK(first.wdl == Approx(std::log(3.0)).margin(0.1));
  CHECK(last.policy < 0.02);
  CHECK(last.wdl < 0.02);
  CHECK(last.margin < 0.005);
  CHECK(last.policy_target_entropy == Approx(0.0).margin(1e-9));
}

TEST_CASE("illegal moves do not enter the policy loss") {
  auto rows = some_rows(1);
  rows[0].legal = 0b000001;
  rows[0].policy = {1, 0, 0, 0, 0, 0};
  Learner learner({}, {env::RuleSet{}}, initial_learner_state({1, 16}, 1));
  const auto report = learner.step(pointers(rows), 1e-3);
  CHECK(report.policy == Approx(0.0).margin(1e-6));
}

TEST_CASE("rows without a policy target do not move the policy loss, only the others") {
  const auto rows = some_rows(8);
  auto mixed = rows;
  for (const auto& row : some_rows(24)) {
    mixed.push_back(row);
    mixed.back().policy = {};
  }
  LearnerConfig config;
  config.wdl_weight = 0;
  config.margin_weight = 0;
  config.margin_distribution_weight = 0;
  config.plies_left_weight = 0;
  config.gradient_clip = 1e9;
  Learner learner(config, {env::RuleSet{}}, initial_learner_state({1, 16}, 1));
  Learner with_others(config, {env::RuleSet{}}, initial_learner_state({1, 16}, 1));
  const auto alone = learner.step(pointers(rows), 1e-3);
  const auto together = with_others.step(pointers(mixed), 1e-3);
  CHECK(alone.policy > 0.1);
  CHECK(together.policy == Approx(alone.policy).epsilon(1e-5));
  CHECK(together.policy_target_entropy == Approx(alone.policy_target_entropy).margin(1e-6));
  const auto left = learner.state();
  const auto right = with_others.state();
  for (std::size_t i = 0; i < left.first_moment.tensors.size(); ++i) {
    for (std::size_t j = 0; j < left.first_moment.tensors[i].values.size(); ++j) {
      CHECK(right.first_moment.tensors[i].values[j] ==
            Approx(left.first_moment.tensors[i].values[j]).epsilon(1e-3).margin(1e-7));
    }
  }
}

TEST_CASE("a batch without any policy target has a policy loss of 0 and still learns the value") {
  auto rows = some_rows(16);
  for (auto& row : rows)
    row.policy = {};
  Learner learner({}, {env::RuleSet{}}, initial_learner_state({1, 64}, 1));
  const auto first = learner.step(pointers(rows), 1e-3);
  LossReport last;
  for (int i = 0; i < 100; ++i)
    last = learner.step(pointers(rows), 3e-3);
  CHECK(first.policy == 0.0);
  CHECK(first.policy_target_entropy == 0.0);
  CHECK(last.policy == 0.0);
  CHECK(last.wdl < first.wdl / 2);
}

TEST_CASE("a learner restored from its state goes on exactly as the original") {
  const auto rows = some_rows(64);
  const auto batch = pointers(rows);
  Learner whole({}, {env::RuleSet{}}, initial_learner_state({2, 32}, 5));
  for (int i = 0; i < 5; ++i)
    whole.step(batch, 1e-3);
  Learner resumed({}, {env::RuleSet{}}, whole.state());
  for (int i = 0; i < 5; ++i) {
    whole.step(batch, 1e-3);
    resumed.step(batch, 1e-3);
  }
  const auto left = whole.state();
  const auto right = resumed.state();
  CHECK(left.steps == 10);
  CHECK(right.steps == 10);
  require_equal(left.weights, right.weights);
  require_equal(left.averaged, right.averaged);
  require_equal(left.first_moment, right.first_moment);
  require_equal(left.second_moment, right.second_moment);
}

TEST_CASE("a target that is not finite stops training and leaves the weights alone") {
  auto rows = some_rows(8);
  rows[3].margin_seeds = std::numeric_limits<float>::quiet_NaN();
  Learner learner({}, {env::RuleSet{}}, initial_learner_state({1, 16}, 1));
  const auto before = learner.state();
  CHECK_THROWS_WITH(learner.step(pointers(rows), 1e-3), tests::contains("not a finite number"));
  CHECK(learner.steps() == 0);
  require_equal(before.weights, learner.state().weights);
}

TEST_CASE("averaged weights follow the weights and lag behind them") {
  const auto rows = some_rows(64);
  Learner learner({}, {env::RuleSet{}}, initial_learner_state({1, 16}, 1));
  const auto start = learner.state().weights.tensors[0].values;
  for (int i = 0; i < 50; ++i)
    learner.step(pointers(rows), 1e-2);
  const auto state = learner.state();
  double moved = 0;
  double lag = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    moved += std::abs(state.weights.tensors[0].values[i] - start[i]);
    lag += std::abs(state.weights.tensors[0].values[i] - state.averaged.tensors[0].values[i]);
  }
  CHECK(lag > 0);
  CHECK(lag < moved);
}

TEST_CASE("the learning rate warms up linearly and decays as half a cosine") {
  LearnerConfig config;
  config.learning_rate = 0.01;
  config.warmup_steps = 4;
  CHECK(learning_rate(config, 0, 0) == Approx(0.0025));
  CHECK(learning_rate(config, 3, 0) == Approx(0.01));
  CHECK(learning_rate(config, 1000, 0) == Approx(0.01));
  CHECK(learning_rate(config, 1000, 0.5) == Approx(0.005));
  CHECK(learning_rate(config, 1000, 1) == Approx(0.0).margin(1e-12));
}

TEST_CASE("learner steps follow the rows played") {
  LearnerConfig config;
  config.batch_rows = 100;
  config.uses_per_row = 4;
  config.warmup_rows = 1000;
  config.window_rows = 5000;
  config.window_first_rows = 100;
  config.window_exponent = 0.75;
  CHECK(steps_due(config, 999, 0, 1000) == 0);
  CHECK(steps_due(config, 1000, 0, 1000) == 40);
  CHECK(steps_due(config, 1000, 30, 1000) == 10);
  CHECK(steps_due(config, 1000, 50, 1000) == 0);
  CHECK(steps_due(config, 1000, 0, 7) == 7);
  CHECK(window_rows(config, 500) == 500);
  CHECK(window_rows(config, 1500) == 1000);    // the warm-up's rows
  CHECK(window_rows(config, 10'000) == 3162);  // 100 * 100^0.75
  CHECK(window_rows(config, 1'000'000) == 5000);
}
