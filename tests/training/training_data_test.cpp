#include "training/training_data.hpp"

#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/checkpoint.hpp"
#include "training/run_dir.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;

namespace {

constexpr std::uint64_t kSeed = 5;

std::vector<env::Board> boards_of(const ReplayBuffer& buffer) {
  std::vector<env::Board> boards;
  for (const auto* row : buffer.newest(buffer.size()))
    boards.push_back(row->position.board);
  return boards;
}

LearnerConfig small_learner() {
  LearnerConfig config;
  config.window_rows = 10'000;  // of several shards
  config.validation_share = 0.2;
  config.validation_rows = 1500;
  return config;
}

}  // namespace

TEST_CASE("held-out games are a share, always the same ones, and not learned from") {
  const auto games = tests::random_games({}, 400);
  auto config = small_learner();
  config.window_rows = config.validation_rows = 1'000'000;
  TrainingData data(config, {}, kSeed);
  const auto learned = data.add(games);
  CHECK(learned == data.replay().size());
  CHECK(data.replay().size() + data.held_out().size() == count_rows(games));
  const double share =
      static_cast<double>(data.held_out().size()) / static_cast<double>(count_rows(games));
  CHECK(share == Approx(0.2).margin(0.06));

  // Game by game, in another order: the same ones.
  std::uint64_t again = 0;
  for (auto game = games.rbegin(); game != games.rend(); ++game)
    again += TrainingData(config, {}, kSeed).add({&*game, 1});
  CHECK(again == learned);

  config.validation_share = 0;
  TrainingData all(config, {}, kSeed);
  CHECK(all.add(games) == count_rows(games));
}

TEST_CASE("data read back from shards are the data that were added") {
  const tests::TempDir dir;
  const auto games = tests::random_games({}, 300);
  TrainingData whole(small_learner(), {}, kSeed);
  for (std::uint32_t shard = 1; shard <= 6; ++shard) {
    const std::span part(games.data() + (shard - 1) * 50, 50);
    // Numbers need not follow each other.
    write_shard(shard_file(dir.path(), 10 * shard), {{env::RuleSet{}}, kSeed, "", 10 * shard, ""},
                part);
    if (shard < 6) whole.add(part);
  }
  REQUIRE(whole.replay().size() == whole.replay().capacity());
  REQUIRE(whole.held_out().size() == whole.held_out().capacity());
  TrainingData refilled(small_learner(), {}, kSeed);
  Checkpoint state;
  state.iteration = 59;  // the last shard came after it
  state.games = 250;
  refilled.refill(dir.path(), state);
  CHECK(boards_of(refilled.replay()) == boards_of(whole.replay()));
  CHECK(boards_of(refilled.held_out()) == boards_of(whole.held_out()));
}
