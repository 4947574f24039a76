#include "training/calibration.hpp"

#include <bit>
#include <chrono>

#include "tests/support/catch.hpp"

namespace env = awale::env;
using awale::training::calibrate_simulations;
using awale::training::kMostSimulations;
using awale::training::PlayerFactory;

namespace {

// Takes 2 microseconds a simulation and game.
class SlowPlayer final : public awale::mcts::Player {
 public:
  explicit SlowPlayer(int simulations) : simulations_(simulations) {}

  void choose_moves(std::span<const env::Game* const> games, std::span<const std::uint64_t>,
                    std::span<env::Move> moves) override {
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::microseconds(2 * simulations_ * std::ssize(games));
    for (std::size_t i = 0; i < games.size(); ++i)
      moves[i] = static_cast<env::Move>(std::countr_zero(games[i]->legal()));
    while (std::chrono::steady_clock::now() < end) {
    }
  }
  std::string name() const override { return "slow"; }

 private:
  int simulations_;
};

PlayerFactory slow(int simulations) {
  return [simulations] { return std::make_unique<SlowPlayer>(simulations); };
}

}  // namespace

TEST_CASE("A player gets the simulations that its time is worth") {
  // 50 of them; a busy machine may take some away, never add any.
  const int found = calibrate_simulations({}, 0.1, 1, slow);
  CHECK(found >= 2);
  CHECK(found <= 54);
}

TEST_CASE("A time that is too short for any simulation buys one") {
  CHECK(calibrate_simulations({}, 1e-6, 2, slow) == 1);
}

TEST_CASE("A player that takes no time gets as many simulations as there may be") {
  const auto idle = [](int) { return slow(0); };
  CHECK(calibrate_simulations({}, 1000, 1, idle) == kMostSimulations);
}
