#include "training/data/sample.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "env/error.hpp"
#include "nn/encoder.hpp"
#include "nn/hdf5_rules.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::tests::TempDir;

namespace {

namespace fs = std::filesystem;

// A row by (rules, game, ply), in which the games below are unique.
using Name = std::tuple<std::string, std::uint64_t, int>;

// Two shards of short games, by two rule sets.
class TwoShards {
 public:
  TwoShards() {
    for (const char* preset : {"abapa", "awari"}) {
      auto rules = env::preset(preset);
      rules.ply_limit = 20;
      rules.name = std::string("short ") + preset;
      const auto file = dir_ / (std::string(preset) + ".h5");
      const auto games = tests::random_games(rules, 5);
      write_shard(file, {{rules}, 7, "000000.h5", 1, "abc"}, games);
      files_.push_back(file);
      for (const auto& game : games) {
        for (const auto& row : training_rows(game, {}))
          rows_[{rules.name, game.game_id, row.position.ply}] = row;
      }
    }
  }

  RowSample sample(std::uint64_t rows, std::uint64_t seed) const {
    return sample_rows(files_, rows, seed, {}, [] {});
  }
  const std::map<Name, TrainingRow>& rows() const { return rows_; }
  fs::path path(const std::string& name) const { return dir_ / name; }

  static Name name(const RowSample& sample, const SampledRow& row) {
    return {sample.rules[row.rules_index].name, row.game_id, row.row.position.ply};
  }

 private:
  TempDir dir_;
  std::vector<fs::path> files_;
  std::map<Name, TrainingRow> rows_;
};

}  // namespace

TEST_CASE("all rows drawn are all rows of the games, each once, in another order") {
  const TwoShards shards;
  const auto sample = shards.sample(shards.rows().size(), 3);
  CHECK(sample.of_rows == shards.rows().size());
  std::set<Name> seen;
  std::vector<Name> order;
  for (const auto& row : sample.rows) {
    const auto name = TwoShards::name(sample, row);
    REQUIRE(shards.rows().count(name) == 1);
    CHECK(seen.insert(name).second);
    order.push_back(name);
    const auto& expected = shards.rows().at(name);
    CHECK(row.row.position.board == expected.position.board);
    CHECK(row.row.policy == expected.policy);
    CHECK(row.row.win_draw_loss == expected.win_draw_loss);
    CHECK(row.row.margin_seeds == expected.margin_seeds);
    CHECK(row.seed == 7);
  }
  CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
  CHECK(test::contains(
      test::error_of(ErrorKind::kMismatch, [&] { shards.sample(shards.rows().size() + 1, 3); }),
      "--rows: expected at most the " + std::to_string(shards.rows().size())));
}

TEST_CASE("every row is as likely as any other, and none comes twice") {
  const TwoShards shards;
  constexpr int kDraws = 4000;
  constexpr std::size_t kRows = 20;
  std::map<Name, int> counts;
  for (int seed = 0; seed < kDraws / 40; ++seed) {
    const auto sample = shards.sample(kRows, static_cast<std::uint64_t>(seed));
    std::set<Name> seen;
    for (const auto& row : sample.rows) {
      seen.insert(TwoShards::name(sample, row));
      ++counts[TwoShards::name(sample, row)];
    }
    CHECK(seen.size() == kRows);
  }
  // Chi squared: rows - 1 degrees of freedom, mean rows - 1, deviation sqrt(2 (rows - 1)).
  const auto rows = static_cast<double>(shards.rows().size());
  const double expected = kDraws / 40.0 * kRows / rows;
  double chi_squared = 0;
  for (const auto& [name, row] : shards.rows()) {
    const auto found = counts.find(name);
    const double difference = (found == counts.end() ? 0 : found->second) - expected;
    chi_squared += difference * difference / expected;
  }
  CHECK(chi_squared < rows + 5 * std::sqrt(2 * rows));
  CHECK(chi_squared > rows / 2);
}

TEST_CASE("rows are written as drawn, with the encoder's features; equal draws give equal bytes") {
  const TwoShards shards;
  const auto sample = shards.sample(30, 5);
  write_rows(shards.path("rows.h5"), sample, {});
  write_rows(shards.path("again.h5"), shards.sample(30, 5), {});
  write_rows(shards.path("other.h5"), shards.sample(30, 6), {});
  const auto bytes = tests::read_bytes(shards.path("rows.h5"));
  CHECK((bytes == tests::read_bytes(shards.path("again.h5"))));
  CHECK((bytes != tests::read_bytes(shards.path("other.h5"))));

  const nn::Hdf5Reader file(shards.path("rows.h5"));
  CHECK(file.string_attribute("/", "kind") == "rows");
  CHECK(nn::load_rule_sets(file).size() == 2);
  const auto features = file.dataset<std::uint16_t>("rows/features");
  const auto policy = file.dataset<float>("rows/policy");
  const auto boards = file.dataset<std::uint8_t>("rows/board");
  REQUIRE(features.shape == std::vector<std::size_t>{30, nn::kActiveFeatures});
  REQUIRE(boards.shape == std::vector<std::size_t>{30, 14});
  for (std::size_t i = 0; i < 30; ++i) {
    std::array<std::int32_t, nn::kActiveFeatures> indices;
    const auto& row = sample.rows[i];
    nn::encode(sample.rules[row.rules_index], {&row.row.position, 1}, indices);
    CHECK(std::equal(indices.begin(), indices.end(),
                     features.values.begin() + static_cast<std::ptrdiff_t>(i * indices.size())));
    CHECK(std::equal(row.row.policy.begin(), row.row.policy.end(),
                     policy.values.begin() + static_cast<std::ptrdiff_t>(i * 6)));
    CHECK(boards.values[i * 14 + 12] == row.row.position.board.store_to_move);
  }
}
