#include "training/data/prune_shards.hpp"

#include <numeric>

#include "env/error.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/run_dir.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::tests::TempDir;

namespace {

namespace fs = std::filesystem;

// A run of six iterations with checkpoints that are names only; shard k holds k % 3 games.
class Run {
 public:
  explicit Run(const std::vector<std::uint32_t>& checkpoints = {0, 5, 6}) {
    fs::create_directories(path() / "shards");
    fs::create_directories(path() / "checkpoints");
    for (std::uint32_t k = 1; k <= 6; ++k) {
      const auto games = tests::random_games({}, static_cast<int>(k % 3));
      write_shard(shard_file(path() / "shards", k), {{env::RuleSet{}}, 1, "", k, ""}, games);
      rows_.push_back(count_rows(games, learner(), 1).total());
    }
    for (const auto k : checkpoints)
      tests::write_bytes(checkpoint_file(path(), k), "");
  }

  const fs::path& path() const { return dir_.path(); }
  std::uint64_t rows(std::uint32_t shard) const { return rows_[shard - 1]; }
  bool has(std::uint32_t shard) const { return fs::exists(shard_file(path() / "shards", shard)); }

  // A learner that is content with one row.
  static LearnerConfig learner() {
    LearnerConfig config;
    config.window_rows = 1;
    config.validation_share = 0;
    return config;
  }

  std::vector<std::uint32_t> prune(std::uint64_t keep_rows) const {
    ShardRows known;
    return prune(keep_rows, learner(), known);
  }

  std::vector<std::uint32_t> prune(std::uint64_t keep_rows, const LearnerConfig& config,
                                   ShardRows& known) const {
    return prune_shards(path(), {static_cast<std::int64_t>(keep_rows)}, config, 1, known);
  }

 private:
  TempDir dir_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace

TEST_CASE("rows are counted without replaying games") {
  const Run run;
  for (std::uint32_t k = 1; k <= 6; ++k)
    CHECK(count_shard_rows(shard_file(run.path() / "shards", k), {}, 1).total() == run.rows(k));
}

TEST_CASE("held-out rows are counted apart, as in the games themselves") {
  const Run run;
  LearnerConfig half;
  half.validation_share = 0.5;
  RowCounts sum;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto file = shard_file(run.path() / "shards", 5);
    const auto counts = count_shard_rows(file, half, seed);
    const auto slow = count_rows(read_shard(file).games, half, seed);
    CHECK((counts.learnt == slow.learnt && counts.held_out == slow.held_out));
    CHECK(counts.total() == run.rows(5));
    sum = sum + counts;
  }
  CHECK(sum.learnt > 0);
  CHECK(sum.held_out > 0);
}

TEST_CASE("what the learner needs stays, however few rows shall be kept") {
  const std::uint64_t one = Run().rows(5);
  REQUIRE(Run().prune(one) == std::vector<std::uint32_t>{1, 2, 3, 4});
  auto learner = Run::learner();
  ShardRows rows;
  learner.window_rows = static_cast<int>(one + 1);
  CHECK(Run().prune(one, learner, rows) == std::vector<std::uint32_t>{1, 2, 3});
  learner = Run::learner();
  learner.validation_share = 0.5;
  learner.validation_rows = 1;
  // Held out are rows of games in shard 2 alone.
  rows = {{5, {one, 0}}, {4, {one, 0}}, {3, {0, 0}}, {2, {one, 9}}, {1, {one, 0}}};
  CHECK(Run().prune(one, learner, rows) == std::vector<std::uint32_t>{1});
  CHECK(rows.count(1) == 0);
}

TEST_CASE("keep_rows is nothing or no less than the window") {
  LearnerConfig learner;
  learner.window_rows = 1000;
  CHECK_NOTHROW(DataConfig{0}.validate(learner));
  CHECK_NOTHROW(DataConfig{1000}.validate(learner));
  for (const std::int64_t wrong : {999, -1})
    CHECK(test::contains(
        test::error_of(ErrorKind::kUsage, [&] { DataConfig{wrong}.validate(learner); }),
        "data.keep_rows: expected 0 (everything) or learner.window_rows (1000)"));
}

// The slow way: try every number of old shards, the largest that leaves enough rows up to shard 5.
TEST_CASE("so many of the oldest shards go that the rows kept are enough for both checkpoints") {
  const Run whole;
  std::uint64_t all = 0;
  for (std::uint32_t k = 1; k <= 6; ++k)
    all += whole.rows(k);
  int pruned = 0;
  for (std::uint64_t keep = 1; keep < all + 50; keep += 7) {
    std::uint32_t expected = 0;
    for (std::uint32_t gone = 0; gone <= 5; ++gone) {
      std::uint64_t left = 0;
      for (std::uint32_t k = gone + 1; k <= 5; ++k)
        left += whole.rows(k);
      if (left >= keep) expected = gone;
    }
    // Shards without games before the first one that is needed go, too.
    const Run run;
    std::vector<std::uint32_t> numbers(expected);
    std::iota(numbers.begin(), numbers.end(), 1U);
    INFO("keep " << keep);
    REQUIRE(run.prune(keep) == numbers);
    for (std::uint32_t k = 1; k <= 6; ++k)
      REQUIRE(run.has(k) == (k > expected));
    pruned += expected > 0 ? 1 : 0;
    CHECK(run.prune(keep).empty());  // once is enough
  }
  CHECK(pruned > 5);
}

TEST_CASE("nothing goes where everything is kept, or a resume might need it") {
  CHECK(Run().prune(0).empty());
  CHECK(Run(std::vector<std::uint32_t>{}).prune(1).empty());
  // From checkpoint 0 all would be played again; what is newer than a checkpoint stays.
  CHECK(Run({0}).prune(1).empty());
  CHECK(Run({0, 6}).prune(1).empty());
  CHECK(Run({2, 6}).prune(1) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a shard that has been counted is not read again, a damaged one is named") {
  const Run run;
  const auto damaged = shard_file(run.path() / "shards", 5);
  tests::write_bytes(damaged, "damaged");
  ShardRows rows;
  CHECK(
      test::contains(test::error_of(ErrorKind::kFile, [&] { run.prune(1, Run::learner(), rows); }),
                     damaged.string()));
  rows = {{5, {1000, 0}}};
  CHECK(run.prune(1000, Run::learner(), rows) == std::vector<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE("other files beside the shards stay") {
  const Run run;
  const auto mine = run.path() / "shards" / "mine.h5";
  tests::write_bytes(mine, "");
  CHECK(!run.prune(1).empty());
  CHECK(fs::exists(mine));
}
