#include "mcts/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "env/random.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Row = std::array<float, env::kMoves>;

Row random_row(env::RandomStream& stream) {
  Row row;
  for (float& value : row)
    value = static_cast<float>(stream.uniform() * 4 - 2);
  return row;
}

double relative_error(float x) {
  const double exact = std::exp(static_cast<double>(x));
  return std::fabs(mcts::exponential(mcts::all_lanes(x))[3] / exact - 1);
}

TEST_CASE("the exponential is that of the standard library within 2e-7") {
  double worst = 0;
  for (float x = -87; x <= 88; x += 1.0F / 512)
    worst = std::max(worst, relative_error(x));
  // Close to 0 and to the places where the power of two changes.
  for (int n = -120; n <= 120; ++n) {
    for (const float step : {-1e-3F, -1e-6F, 0.0F, 1e-6F, 1e-3F}) {
      worst = std::max(worst, relative_error((static_cast<float>(n) + 0.5F) * 0.6931472F + step));
      worst = std::max(worst, relative_error(static_cast<float>(n) * 1e-4F + step));
    }
  }
  CHECK(worst < 2e-7);
  CHECK(mcts::exponential(mcts::Lanes{})[0] == 1.0F);
}

TEST_CASE("the exponential takes what is out of its range for the nearest end of it") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float least = mcts::exponential(mcts::all_lanes(-87))[0];
  const float most = mcts::exponential(mcts::all_lanes(88))[0];
  for (const float x : {-88.0F, -1e4F, -1e30F, -infinity})
    CHECK(mcts::exponential(mcts::all_lanes(x))[0] == least);
  for (const float x : {89.0F, 1e4F, 1e30F, infinity})
    CHECK(mcts::exponential(mcts::all_lanes(x))[0] == most);
  CHECK(std::isnan(mcts::exponential(mcts::all_lanes(NAN))[0]));
}

TEST_CASE("lanes load and store six numbers and hold 0 beside them") {
  env::RandomStream stream(1, env::RandomPurpose::kTest, 0, 0);
  const Row row = random_row(stream);
  const mcts::Lanes lanes = mcts::load(row);
  for (int move = 0; move < env::kMoves; ++move)
    CHECK(lanes[move] == row[move]);
  CHECK(lanes[6] == 0.0F);
  CHECK(lanes[7] == 0.0F);
  CHECK(mcts::store(lanes) == row);
  const std::array<std::uint16_t, env::kMoves> counts = {0, 1, 255, 256, 60000, 65535};
  const mcts::Lanes floats = mcts::load_counts(counts);
  const std::array<std::uint8_t, env::kMoves> bytes = {0, 1, 2, 127, 128, 255};
  const mcts::Lanes few = mcts::load_counts(bytes);
  std::array<std::uint16_t, env::kMoves> back = {};
  mcts::store(mcts::load(counts), back);
  CHECK(back == counts);
  for (int move = 0; move < env::kMoves; ++move) {
    CHECK(floats[move] == static_cast<float>(counts[move]));
    CHECK(few[move] == static_cast<float>(bytes[move]));
  }
  CHECK(floats[6] + floats[7] + few[6] + few[7] == 0.0F);
}

TEST_CASE("sum and largest are those of the numbers, the sum in its documented order") {
  for (std::uint64_t id = 0; id < 1000; ++id) {
    env::RandomStream stream(2, env::RandomPurpose::kTest, id, 0);
    const Row r = random_row(stream);
    const mcts::Lanes lanes = mcts::load(r);
    CHECK(mcts::sum(lanes) == ((r[0] + r[4]) + r[2]) + ((r[1] + r[5]) + r[3]));
    CHECK(mcts::sum(lanes) == Approx(std::accumulate(r.begin(), r.end(), 0.0)).margin(1e-5));
    // The empty lanes count as 0.
    CHECK(mcts::largest(lanes) == std::max(0.0F, *std::max_element(r.begin(), r.end())));
  }
  const mcts::Lanes last = {-9, -8, -7, -6, -5, -4, -3, -2};
  CHECK(mcts::largest(last) == -2.0F);
}

TEST_CASE("the best lane is the first of the largest in the mask") {
  for (std::uint64_t id = 0; id < 3000; ++id) {
    env::RandomStream stream(3, env::RandomPurpose::kTest, id, 0);
    Row row;
    for (float& value : row)  // few values, so that many are equal
      value = static_cast<float>(stream.below(3)) - 2.0F;
    const auto mask = static_cast<env::LegalMask>(1 + stream.below(63));
    int expected = -1;
    for (int move = 0; move < env::kMoves; ++move) {
      if ((mask >> move & 1) == 0) continue;
      if (expected < 0 || row[move] > row[expected]) expected = move;
    }
    INFO("mask " << int{mask} << " row " << id);
    CHECK(int{mcts::best_lane(mcts::load(row), mask)} == expected);
  }
}

TEST_CASE("masks and conditions choose lane by lane") {
  const mcts::Lanes ones = mcts::all_lanes(1);
  const mcts::Lanes chosen = mcts::where_in(0b100101, ones, mcts::all_lanes(-1));
  for (int move = 0; move < 8; ++move)
    CHECK(chosen[move] == ((0b100101 >> move & 1) != 0 ? 1.0F : -1.0F));
  const mcts::Lanes condition = {-1, 0, 1, 2, -0.0F, 1e-30F, 0, 5};
  const mcts::Lanes positive = mcts::where_positive(condition, ones, mcts::Lanes{});
  for (int move = 0; move < 8; ++move)
    CHECK(positive[move] == (condition[move] > 0 ? 1.0F : 0.0F));
  for (env::Move move = 0; move < env::kMoves; ++move) {
    const mcts::Lanes one = mcts::one_lane(move, 3.5F);
    for (int lane = 0; lane < 8; ++lane)
      CHECK(one[lane] == (lane == move ? 3.5F : 0.0F));
    const mcts::Lanes changed = mcts::with_lane(condition, move, 3.5F);
    for (int lane = 0; lane < 8; ++lane)
      CHECK(changed[lane] == (lane == move ? 3.5F : condition[lane]));
  }
}

}  // namespace
}  // namespace awale::test
