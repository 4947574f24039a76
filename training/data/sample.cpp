#include "training/data/sample.hpp"

#include <algorithm>
#include <string>

#include "env/error.hpp"
#include "env/random.hpp"
#include "nn/encoder.hpp"
#include "nn/hdf5_rules.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kRowsSchemaVersion = 1;
constexpr std::size_t kBoardColumns = env::kPits + 2;

// Keeps each of the rows that pass with the same probability.
class Reservoir {
 public:
  Reservoir(std::uint64_t size, std::uint64_t seed)
      : size_(size), stream_(seed, env::RandomPurpose::kSample, 0, 0) {}

  void add(SampledRow&& row) {
    ++seen_;
    if (rows_.size() < size_) {
      rows_.push_back(std::move(row));
      return;
    }
    const std::uint64_t place = below(seen_);
    if (place < size_) rows_[place] = std::move(row);
  }

  std::uint64_t seen() const { return seen_; }

  std::vector<SampledRow> take() {
    for (std::size_t left = rows_.size(); left > 1; --left)
      std::swap(rows_[left - 1], rows_[below(left)]);
    return std::move(rows_);
  }

 private:
  // 64 bits, so that what the remainder prefers is less than any sample shows.
  std::uint64_t below(std::uint64_t count) { return stream_() % count; }

  std::uint64_t size_;
  env::RandomStream stream_;
  std::uint64_t seen_ = 0;
  std::vector<SampledRow> rows_;
};

std::vector<std::size_t> shape(std::size_t rows, std::size_t width) {
  return width == 1 ? std::vector<std::size_t>{rows} : std::vector<std::size_t>{rows, width};
}

// A column of `width` values a row, which `get` gives as an array or a number.
template <typename T, typename Get>
void write_column(nn::Hdf5Writer& file, const RowSample& sample, const std::string& name,
                  std::size_t width, const std::string& description, const Get& get) {
  std::vector<T> values;
  values.reserve(sample.rows.size() * width);
  for (const auto& row : sample.rows)
    get(row, values);
  const std::string path = "rows/" + name;
  file.dataset<T>(path, values, shape(sample.rows.size(), width));
  file.attribute(path, "description", description);
}

void append_board(const SampledRow& row, std::vector<std::uint8_t>& values) {
  const auto& board = row.row.position.board;
  values.insert(values.end(), board.pits.begin(), board.pits.end());
  values.push_back(board.store_to_move);
  values.push_back(board.store_opponent);
}

void write_positions(nn::Hdf5Writer& file, const RowSample& sample) {
  const auto one = [&](auto type, const char* name, const char* description, const auto& get) {
    using T = decltype(type);
    write_column<T>(file, sample, name, 1, description,
                    [&](const SampledRow& row, std::vector<T>& values) {
                      values.push_back(static_cast<T>(get(row)));
                    });
  };
  write_column<std::uint8_t>(file, sample, "board", kBoardColumns,
                             "seeds: the mover's pits 0..5, the opponent's 6, both stores",
                             append_board);
  one(std::uint8_t{}, "to_move", "the mover: 0 South, 1 North",
      [](const SampledRow& row) { return row.row.position.board.to_move; });
  one(std::uint16_t{}, "ply", "moves played in the game before",
      [](const SampledRow& row) { return row.row.position.ply; });
  one(std::uint16_t{}, "quiet_plies", "moves played since the last capture",
      [](const SampledRow& row) { return row.row.position.quiet_plies; });
  one(std::uint8_t{}, "repetitions", "earlier occurrences since the last capture",
      [](const SampledRow& row) { return row.row.position.repetitions; });
  one(std::uint8_t{}, "legal", "bit i: the mover's pit i may be played",
      [](const SampledRow& row) { return row.row.legal; });
  one(std::uint8_t{}, "rules", "number of the group below rules",
      [](const SampledRow& row) { return row.rules_index; });
  one(std::uint64_t{}, "seed", "of the run that played the game",
      [](const SampledRow& row) { return row.seed; });
  one(std::uint64_t{}, "game_id", "of the game, unique with the seed",
      [](const SampledRow& row) { return row.game_id; });
  one(std::uint32_t{}, "iteration", "that finished the game",
      [](const SampledRow& row) { return row.iteration; });
}

void write_targets(nn::Hdf5Writer& file, const RowSample& sample) {
  using Values = std::vector<float>;
  write_column<float>(file, sample, "policy", env::kMoves,
                      "target: probability of each move, sum 1; all 0: no policy target",
                      [](const SampledRow& row, Values& values) {
                        values.insert(values.end(), row.row.policy.begin(), row.row.policy.end());
                      });
  write_column<float>(file, sample, "win_draw_loss", 3, "target: probabilities of the mover",
                      [](const SampledRow& row, Values& values) {
                        values.insert(values.end(), row.row.win_draw_loss.begin(),
                                      row.row.win_draw_loss.end());
                      });
  write_column<float>(
      file, sample, "margin", 1, "target: the mover's final seeds minus the opponent's",
      [](const SampledRow& row, Values& values) { values.push_back(row.row.margin_seeds); });
}

void write_features(nn::Hdf5Writer& file, const RowSample& sample) {
  write_column<std::uint16_t>(
      file, sample, "features", nn::kActiveFeatures,
      "indices of the encoder's active features, one of each block (nn/README.md)",
      [&](const SampledRow& row, std::vector<std::uint16_t>& values) {
        std::array<std::int32_t, nn::kActiveFeatures> indices;
        nn::encode(sample.rules[row.rules_index], {&row.row.position, 1}, indices);
        values.insert(values.end(), indices.begin(), indices.end());
      });
}

}  // namespace

RowSample sample_rows(std::span<const fs::path> shards, std::uint64_t rows, std::uint64_t seed,
                      const TargetConfig& targets, const std::function<void()>& on_file) {
  RowSample sample;
  sample.seed = seed;
  Reservoir reservoir(rows, seed);
  for (const auto& file : shards) {
    const Shard shard = read_shard(file);
    std::vector<std::uint8_t> indices;
    for (const auto& rules : shard.provenance.rules)
      indices.push_back(add_rules(sample.rules, rules));
    for (const auto& game : shard.games) {
      const auto& sources = shard.provenance.sources;
      const std::uint64_t game_seed =
          sources.empty() ? shard.provenance.seed : sources[game.source_index].seed;
      for (const auto& row : training_rows(game, targets)) {
        reservoir.add(
            {row, indices[game.rules_index], game_seed, game.game_id, game.last_iteration});
      }
    }
    on_file();
  }
  sample.of_rows = reservoir.seen();
  if (sample.of_rows < rows) {
    throw InputError(ErrorKind::kMismatch, "--rows: expected at most the " +
                                               std::to_string(sample.of_rows) +
                                               " that there are, found " + std::to_string(rows));
  }
  sample.rows = reservoir.take();
  return sample;
}

void write_rows(const fs::path& path, const RowSample& sample, const TargetConfig& targets) {
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string("rows"));
  file.attribute("/", "schema_version", kRowsSchemaVersion);
  file.attribute("/", "description",
                 std::string("Training rows drawn from games of awale, documented in "
                             "training/README.md. Everything is seen from the player to move."));
  file.attribute("/", "awale_version", std::string(kVersion));
  file.attribute("/", "git_revision", std::string(kGitRevision));
  file.attribute("/", "encoder_version", std::int64_t{nn::kEncoderVersion});
  file.attribute("/", "features", std::int64_t{nn::kFeatures});
  file.attribute("/", "lambda", targets.lambda);
  file.attribute("/", "seed", sample.seed);
  file.attribute("/", "of_rows", sample.of_rows);
  nn::store_rule_sets(file, sample.rules);
  write_positions(file, sample);
  write_targets(file, sample);
  write_features(file, sample);
  file.write(path);
}

}  // namespace awale::training
