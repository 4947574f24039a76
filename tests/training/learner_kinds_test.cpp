// The learners by hand against LibTorch's autograd.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "env/game.hpp"
#include "env/random.hpp"
#include "nn/aligned_buffer.hpp"
#include "nn/hdf5_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "training/checkpoint.hpp"
#include "training/learner.hpp"
#include "training/learner_kernel.hpp"

using namespace awale;
using namespace awale::training;

namespace {

std::vector<env::RuleSet> two_rule_sets() {
  return {env::RuleSet{}, env::preset("awari")};
}

// Rows of random games under both rule sets, mixed; every fifth has no policy target.
std::vector<TrainingRow> mixed_rows(int count) {
  const auto rules = two_rule_sets();
  std::vector<env::Game> games;
  for (const auto& one : rules)
    games.emplace_back(one);
  env::RandomStream stream(11, env::RandomPurpose::kTest, 0, 0);
  std::vector<TrainingRow> rows;
  while (static_cast<int>(rows.size()) < count) {
    const auto which = static_cast<std::uint8_t>(stream.below(2));
    env::Game& game = games[which];
    if (game.over()) game = env::Game(rules[which]);
    TrainingRow row;
    row.position = game.position();
    row.legal = game.legal();
    row.rules = which;
    float sum = 0;
    for (int move = 0; move < env::kMoves; ++move) {
      if ((row.legal >> move & 1) == 0) continue;
      sum += row.policy[move] = 0.05F + static_cast<float>(stream.uniform());
    }
    for (float& share : row.policy)
      share = rows.size() % 5 == 0 ? 0 : share / sum;
    row.win_draw_loss = win_draw_loss_target(2 * stream.uniform() - 1, stream.below(2) == 0);
    row.margin_seeds = static_cast<float>(stream.below(97)) - 48.0F;
    row.final_margin_seeds = static_cast<std::int8_t>(static_cast<int>(stream.below(97)) - 48);
    row.plies_left = static_cast<std::uint16_t>(stream.below(4) * stream.below(60));
    rows.push_back(row);
    game.play(env::random_move(game.legal(), stream));
  }
  return rows;
}

std::vector<const TrainingRow*> pointers(const std::vector<TrainingRow>& rows, std::size_t first,
                                         std::size_t count) {
  std::vector<const TrainingRow*> result;
  for (std::size_t i = first; i < first + count; ++i)
    result.push_back(&rows[i % rows.size()]);
  return result;
}

// The largest difference of two values, each relative to the tensor's root mean square.
double difference(const nn::NetworkWeights& left, const nn::NetworkWeights& right) {
  double largest = 0;
  REQUIRE(left.tensors.size() == right.tensors.size());
  for (std::size_t i = 0; i < left.tensors.size(); ++i) {
    const auto& a = left.tensors[i].values;
    const auto& b = right.tensors[i].values;
    REQUIRE(left.tensors[i].name == right.tensors[i].name);
    REQUIRE(a.size() == b.size());
    double squares = 0;
    for (const float value : a)
      squares += static_cast<double>(value) * static_cast<double>(value);
    const double scale = std::sqrt(squares / static_cast<double>(a.size())) + 1e-30;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double one = std::abs(static_cast<double>(a[j]) - static_cast<double>(b[j])) / scale;
      if (!(one <= largest)) largest = one;
    }
  }
  return largest;
}

LearnerConfig config_of(LearnerKind kind) {
  LearnerConfig config;
  config.kind = kind;
  config.gradient_clip = 0.5;  // clips in these tests
  config.weight_decay = 0.9;   // so large that it is seen
  return config;
}

// Those that this machine can run.
std::vector<LearnerKind> kinds() {
  std::vector<LearnerKind> here = {LearnerKind::kTorch, LearnerKind::kCpuFp32};
  if (find_learner_kernel(true) != nullptr) here.push_back(LearnerKind::kCpuBf16);
  return here;
}

double cosine(const std::vector<float>& left, const std::vector<float>& right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0) /
         std::sqrt(std::inner_product(left.begin(), left.end(), left.begin(), 0.0) *
                   std::inner_product(right.begin(), right.end(), right.begin(), 0.0));
}

void require_close(const LossReport& left, const LossReport& right, double tolerance) {
  CHECK(left.policy == Approx(right.policy).epsilon(tolerance).margin(tolerance));
  CHECK(left.policy_target_entropy == Approx(right.policy_target_entropy).epsilon(1e-5));
  CHECK(left.wdl == Approx(right.wdl).epsilon(tolerance).margin(tolerance));
  CHECK(left.margin == Approx(right.margin).epsilon(tolerance).margin(tolerance));
  CHECK(left.margin_distribution ==
        Approx(right.margin_distribution).epsilon(tolerance).margin(tolerance));
  CHECK(left.plies_left == Approx(right.plies_left).epsilon(tolerance).margin(tolerance));
  CHECK(left.gradient_norm == Approx(right.gradient_norm).epsilon(tolerance).margin(tolerance));
}

}  // namespace

// A hidden unit within rounding of 0 may be active in one learner and not in the other; networks,
// batches and steps are so few here that none is. AdamW divides a gradient by its own size, so that
// what rounding is in a small one grows: hence more tolerance after several steps.
TEST_CASE("the learner by hand in float32 is LibTorch's") {
  const auto rows = mixed_rows(900);
  // Widths and batches that are multiples of nothing, and several pieces.
  for (const auto& [network, batch] : std::vector<std::pair<nn::NetworkConfig, std::size_t>>{
           {{2, 32}, 50}, {{1, 37}, 7}, {{3, 16}, 1}, {{1, 20}, 601}}) {
    INFO(to_string(network) << ", batch " << batch);
    const auto start = initial_learner_state(network, 5);
    Learner torch(config_of(LearnerKind::kTorch), two_rule_sets(), start);
    Learner own(config_of(LearnerKind::kCpuFp32), two_rule_sets(), start);
    for (std::size_t step = 0; step < 6; ++step) {
      INFO("step " << step);
      const auto taken = pointers(rows, step * 101, batch);
      require_close(own.step(taken, 1e-3), torch.step(taken, 1e-3), 1e-5);
      if (step > 0) continue;
      CHECK(difference(own.state().first_moment, torch.state().first_moment) < 5e-5);
      CHECK(difference(own.state().second_moment, torch.state().second_moment) < 1e-4);
    }
    const auto left = own.state();
    const auto right = torch.state();
    CHECK(left.steps == right.steps);
    CHECK(difference(left.weights, right.weights) < 5e-4);
    CHECK(difference(left.averaged, right.averaged) < 5e-4);
    CHECK(difference(left.first_moment, right.first_moment) < 5e-4);
    CHECK(difference(left.second_moment, right.second_moment) < 5e-4);
    const auto held_out = pointers(rows, 700, batch);
    require_close(own.evaluate(held_out), torch.evaluate(held_out), 1e-5);
    CHECK(difference(own.state().weights, left.weights) == 0);
  }
}

TEST_CASE("auxiliary heads are learnt only where the network has them and their weight is not 0") {
  const auto rows = mixed_rows(100);
  const auto batch = pointers(rows, 0, 100);
  for (const LearnerKind kind : {LearnerKind::kTorch, LearnerKind::kCpuFp32}) {
    for (const bool auxiliary : {false, true}) {
      for (const double weight : {0.0, 0.2}) {
        INFO(to_string(kind) << " " << auxiliary << " " << weight);
        auto config = config_of(kind);
        config.margin_distribution_weight = weight;
        config.plies_left_weight = weight;
        const auto start = initial_learner_state({1, 24, auxiliary}, 5);
        Learner learner(config, two_rule_sets(), start);
        const auto report = learner.step(batch, 1e-3);
        const bool learns = auxiliary && weight > 0;
        CHECK((report.margin_distribution > 4) == learns);
        CHECK((report.plies_left > 0) == learns);
        const auto after = learner.state();
        CHECK(after.weights.config == start.weights.config);
        if (!auxiliary) continue;
        const auto& moment = after.first_moment.at("auxiliary.weight").values;
        CHECK(std::any_of(moment.begin(), moment.end(), [](float one) { return one != 0; }) ==
              learns);
      }
    }
  }
}

TEST_CASE("checkpoints of before the auxiliary heads go on without them, with any learner") {
  const std::filesystem::path path =
      AWALE_SOURCE_DIR "/tests/golden/checkpoint_without_auxiliary.h5";
  const auto checkpoint = read_checkpoint(path);
  CHECK_FALSE(checkpoint.learner.weights.config.auxiliary);
  const auto rows = mixed_rows(64);
  for (const LearnerKind kind : kinds()) {
    INFO(to_string(kind));
    Learner learner(config_of(kind), two_rule_sets(), checkpoint.learner);
    const auto report = learner.step(pointers(rows, 0, 64), 1e-3);
    CHECK(report.margin_distribution == 0);
    CHECK(learner.steps() == checkpoint.learner.steps + 1);
    CHECK(difference(learner.state().weights, checkpoint.learner.weights) > 0);
  }
}

TEST_CASE("the learner by hand is LibTorch's whichever heads are learnt") {
  const auto rows = mixed_rows(100);
  const auto batch = pointers(rows, 0, 80);
  const auto weights = std::vector<std::pair<double, double>>{{0, 0}, {0.3, 0}, {0, 0.3}};
  for (const bool auxiliary : {false, true}) {
    for (const auto& [distribution, plies] : weights) {
      INFO(auxiliary << " " << distribution << " " << plies);
      const auto start = initial_learner_state({1, 24, auxiliary}, 5);
      std::vector<LearnerState> states;
      for (const LearnerKind kind : {LearnerKind::kTorch, LearnerKind::kCpuFp32}) {
        auto config = config_of(kind);
        config.margin_distribution_weight = distribution;
        config.plies_left_weight = plies;
        Learner learner(config, two_rule_sets(), start);
        learner.step(batch, 1e-3);
        learner.step(batch, 1e-3);
        states.push_back(learner.state());
      }
      CHECK(difference(states[0].weights, states[1].weights) < 5e-5);
      CHECK(difference(states[0].averaged, states[1].averaged) < 5e-5);
      CHECK(difference(states[0].first_moment, states[1].first_moment) < 5e-5);
    }
  }
}

// bfloat16 keeps 8 bits, so each factor is off by 1 part in 512 at most, and so are sums of a few
// such products of both signs: about 1 hidden unit in 500 is on the other side of 0. That is what
// one sees: a share s of a layer's units that come and go turns its gradient by sqrt(s), 0.045,
// whose cosine is 0.999. (Found: 0.9993 to 0.9999.) Losses are means, so much closer.
TEST_CASE("the learner by hand in bfloat16 is close to LibTorch's") {
  if (find_learner_kernel(true) == nullptr) return;
  const auto rows = mixed_rows(900);
  const auto start = initial_learner_state({2, 64}, 5);
  Learner torch(config_of(LearnerKind::kTorch), two_rule_sets(), start);
  Learner own(config_of(LearnerKind::kCpuBf16), two_rule_sets(), start);
  const auto batch = pointers(rows, 0, 500);
  require_close(own.step(batch, 1e-3), torch.step(batch, 1e-3), 0.01);
  const auto left = own.state().first_moment;
  const auto right = torch.state().first_moment;
  for (std::size_t i = 0; i < left.tensors.size(); ++i) {
    INFO(left.tensors[i].name);
    CHECK(cosine(left.tensors[i].values, right.tensors[i].values) > 0.998);
  }
  for (std::size_t step = 1; step < 30; ++step) {
    const auto taken = pointers(rows, step * 101, 500);
    own.step(taken, 1e-3);
    torch.step(taken, 1e-3);
  }
  require_close(own.evaluate(batch), torch.evaluate(batch), 0.01);
}

TEST_CASE("every learner overfits one batch") {
  const auto rows = mixed_rows(64);
  const auto batch = pointers(rows, 0, 64);
  for (const LearnerKind kind : kinds()) {
    INFO(to_string(kind));
    LearnerConfig config;
    config.kind = kind;
    Learner learner(config, two_rule_sets(), initial_learner_state({1, 64}, 1));
    const auto first = learner.step(batch, 1e-3);
    LossReport last;
    for (int i = 0; i < 500; ++i)
      last = learner.step(batch, i < 400 ? 3e-3 : 3e-4);
    CHECK(first.policy - first.policy_target_entropy > 0.1);
    CHECK(last.policy - last.policy_target_entropy < 0.01);
    CHECK(last.margin < 0.005);
    CHECK(last.wdl < 0.6 * first.wdl);
    CHECK(last.margin_distribution < 0.1);
    CHECK(last.plies_left < 0.01);
  }
}

TEST_CASE("every learner gives the same bytes again, and goes on from its state") {
  const auto rows = mixed_rows(700);
  for (const LearnerKind kind : kinds()) {
    INFO(to_string(kind));
    const auto start = initial_learner_state({2, 48}, 5);
    Learner whole(config_of(kind), two_rule_sets(), start);
    Learner again(config_of(kind), two_rule_sets(), start);
    for (std::size_t step = 0; step < 3; ++step) {
      whole.step(pointers(rows, step * 50, 300), 1e-3);
      again.step(pointers(rows, step * 50, 300), 1e-3);
    }
    again.evaluate(pointers(rows, 0, 17));  // another batch size in between changes nothing
    Learner resumed(config_of(kind), two_rule_sets(), whole.state());
    for (Learner* learner : {&whole, &again, &resumed})
      learner->step(pointers(rows, 400, 300), 1e-3);
    for (const Learner* learner : {&again, &resumed}) {
      CHECK(learner->steps() == 4);
      CHECK(difference(learner->state().weights, whole.state().weights) == 0);
      CHECK(difference(learner->state().averaged, whole.state().averaged) == 0);
      CHECK(difference(learner->state().first_moment, whole.state().first_moment) == 0);
      CHECK(difference(learner->state().second_moment, whole.state().second_moment) == 0);
    }
  }
}

TEST_CASE("the order of a batch's rules changes no loss, and rows learn by their own rules") {
  auto rows = mixed_rows(40);
  for (const LearnerKind kind : kinds()) {
    INFO(to_string(kind));
    const auto start = initial_learner_state({1, 32}, 2);
    Learner mixed(config_of(kind), two_rule_sets(), start);
    Learner sorted(config_of(kind), two_rule_sets(), start);
    auto batch = pointers(rows, 0, rows.size());
    const auto left = mixed.evaluate(batch);
    std::stable_sort(batch.begin(), batch.end(),
                     [](const auto* a, const auto* b) { return a->rules > b->rules; });
    require_close(sorted.evaluate(batch), left, 1e-6);
    auto others = rows;
    for (auto& row : others)
      row.rules = static_cast<std::uint8_t>(1 - row.rules);
    CHECK(std::abs(mixed.evaluate(pointers(others, 0, others.size())).wdl - left.wdl) > 1e-5);
  }
}

TEST_CASE("a step that diverges leaves everything as it was") {
  for (const LearnerKind kind : kinds()) {
    INFO(to_string(kind));
    auto rows = mixed_rows(300);
    Learner learner(config_of(kind), two_rule_sets(), initial_learner_state({1, 16}, 1));
    learner.step(pointers(rows, 0, 300), 1e-3);
    const auto before = learner.state();
    rows[270].margin_seeds = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH(learner.step(pointers(rows, 0, 300), 1e-3),
                      tests::contains("the loss is not a finite number"));
    const tests::TempDir dir;
    learner.dump_batch(dir / "batch.h5", pointers(rows, 0, 300));
    const nn::Hdf5Reader file(dir / "batch.h5");
    CHECK(file.string_attribute("rules/1", "name") == "awari");
    CHECK(file.dataset<std::uint8_t>("rows/board").shape == std::vector<std::size_t>{300, 14});
    CHECK(std::isnan(file.dataset<float>("rows/margin_seeds").values[270]));
    CHECK(file.dataset<std::uint8_t>("rows/rules").values[270] == rows[270].rules);
    const auto after = learner.state();
    CHECK(after.steps == 1);
    CHECK(difference(before.weights, after.weights) == 0);
    CHECK(difference(before.averaged, after.averaged) == 0);
    CHECK(difference(before.first_moment, after.first_moment) == 0);
    CHECK(difference(before.second_moment, after.second_moment) == 0);
    rows = mixed_rows(300);
    CHECK(std::isfinite(learner.step(pointers(rows, 0, 300), 1e-3).gradient_norm));
  }
}

TEST_CASE("a gradient that overflows where the loss does not leaves everything as it was") {
  const auto rows = mixed_rows(20);
  for (const LearnerKind kind : kinds()) {
    INFO(to_string(kind));
    auto config = config_of(kind);
    config.policy_weight = 1e38;
    const auto start = initial_learner_state({1, 16}, 1);
    Learner learner(config, two_rule_sets(), start);
    CHECK_THROWS_WITH(learner.step(pointers(rows, 0, 20), 1e-3),
                      tests::contains("the gradient is not a finite number"));
    CHECK(learner.steps() == 0);
    CHECK(difference(learner.state().weights, start.weights) == 0);
    CHECK(difference(learner.state().first_moment, start.first_moment) == 0);
  }
}

TEST_CASE("all kernels of this machine give the same bits") {
  constexpr int kRows = 33;
  constexpr int kWidth = 48;
  constexpr std::size_t kSize = kRows * kWidth;
  env::RandomStream stream(5, env::RandomPurpose::kTest, 0, 0);
  const auto random = [&stream](std::size_t size) {
    nn::AlignedBuffer<float> values(size);
    for (std::size_t i = 0; i < size; ++i)
      values[i] = static_cast<float>(2 * stream.uniform() - 1);
    return values;
  };
  const auto table = random(kWidth * nn::kFeatures);
  const auto bias = random(kWidth);
  const auto gradient = random(kSize);
  std::vector<std::uint16_t> offsets(kRows * kRowFeatures);
  for (auto& offset : offsets)
    offset = static_cast<std::uint16_t>(stream.below(500) * kVectorColumns);
  const std::vector<RuleRun> runs = {{20, {510, 520}}, {13, {511, 521}}};
  const FeatureRows rows{offsets.data(), runs.data(), 2};
  const auto copy = [](const nn::AlignedBuffer<float>& from) {
    nn::AlignedBuffer<float> to(from.size());
    std::copy(from.data(), from.data() + from.size(), to.data());
    return to;
  };
  std::vector<std::vector<float>> results;
  for (const LearnerKernel& kernel : learner_kernels()) {
    if (kernel.bfloat16) continue;
    nn::AlignedBuffer<float> outputs(kSize);
    kernel.sum_features(rows, table.data(), bias.data(), kWidth, outputs.data(), outputs.data());
    auto slope = copy(gradient);
    nn::AlignedBuffer<float> sums(kWidth);
    kernel.mask_stream(slope.data(), outputs.data(), kRows, kWidth, slope.data(), sums.data());
    auto weights = copy(table);
    kernel.add_feature_gradients(rows, slope.data(), outputs.data(), kWidth, weights.data(),
                                 sums.data());
    auto moment = copy(slope);
    auto average = copy(slope);
    auto squares = copy(outputs);
    const AdamW step{0.7F, 0.9F, 0.99F, 0.999F, 0.01F, 1.3F, 1e-8F, 0.1F};
    kernel.adamw(step, kSize, gradient.data(), weights.data(), moment.data(), squares.data(),
                 average.data(), nullptr);
    std::vector<float> all = {static_cast<float>(kernel.sum_of_squares(gradient.data(), kSize))};
    for (const auto* part : {&outputs, &slope, &sums, &weights, &moment, &squares, &average})
      all.insert(all.end(), part->data(), part->data() + part->size());
    results.push_back(all);
    INFO(kernel.name);
    CHECK(results.front() == all);
  }
}
