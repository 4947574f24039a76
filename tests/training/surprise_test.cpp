#include "training/surprise.hpp"

#include <cmath>
#include <numeric>

#include "tests/support/catch.hpp"
#include "tests/training/random_games.hpp"
#include "training/targets.hpp"

using namespace awale;
using namespace awale::training;

namespace {

PlyRecord ply_of(std::array<std::uint16_t, env::kMoves> policy,
                 std::array<std::uint16_t, env::kMoves> prior) {
  PlyRecord ply;
  ply.policy = policy;
  ply.prior = prior;
  return ply;
}

}  // namespace

TEST_CASE("surprise is the divergence of the search's policy from the prior") {
  CHECK(policy_surprise(ply_of({32768, 32767}, {32767, 32768})) == Approx(0).margin(1e-4));
  // 1/2 ln(0.5/0.25) + 1/2 ln(0.5/0.75)
  CHECK(policy_surprise(ply_of({30000, 30000}, {15000, 45000})) == Approx(0.1438410));
  CHECK(policy_surprise(ply_of({0, 65535}, {65534, 1})) == Approx(std::log(65535.0)));
  CHECK(policy_surprise(ply_of({}, {65534, 1})) == 0);  // a fast search
  CHECK(policy_surprise(ply_of({65534, 1}, {})) == 0);  // an old file
}

TEST_CASE("surprising rows are repeated, and a game's rows count as many as they are") {
  const auto games = tests::random_games({}, 200);
  double surprising = 0;
  double all = 0;
  double repeated = 0;
  for (const auto& game : games) {
    const auto repeats = repeats_by_surprise(game, 0.5, 1);
    const auto rows = training_rows(game, {});
    REQUIRE(repeats.size() == rows.size());
    CHECK(repeats_by_surprise(game, 0.5, 1) == repeats);
    CHECK(repeats_by_surprise(game, 0, 1) == std::vector<int>(rows.size(), 1));
    repeated += std::accumulate(repeats.begin(), repeats.end(), 0.0);
    all += static_cast<double>(rows.size());
    // Against the expected number, row by row.
    double sum = 0;
    for (const auto& ply : game.plies)
      sum += policy_surprise(ply);
    std::size_t row = 0;
    for (const auto& ply : game.plies) {
      if ((ply.flags & kUnsearchedPly) != 0) continue;
      const double count =
          0.5 + 0.5 * policy_surprise(ply) * static_cast<double>(rows.size()) / sum;
      CHECK(std::abs(repeats[row] - count) < 1);
      if (policy_surprise(ply) * static_cast<double>(rows.size()) > sum) surprising += repeats[row];
      ++row;
    }
  }
  CHECK(repeated / all == Approx(1).margin(0.02));
  CHECK(surprising > 0);
}
