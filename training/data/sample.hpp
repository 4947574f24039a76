// Training rows for people who train with other tools: positions, what the learner would get as
// their targets, and the encoder's features, as a file that h5py reads (training/README.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "env/rules.hpp"
#include "training/targets.hpp"

namespace awale::training {

struct SampledRow {
  TrainingRow row;
  std::uint8_t rules_index = 0;  // of RowSample::rules
  std::uint64_t seed = 0;        // of the run; with it, the game id tells the game
  std::uint64_t game_id = 0;
  std::uint32_t iteration = 0;  // that finished the game
};

struct RowSample {
  std::vector<env::RuleSet> rules;
  std::vector<SampledRow> rows;  // in random order
  std::uint64_t seed = 0;        // that drew them
  std::uint64_t of_rows = 0;     // that they were drawn from
};

// Draws `rows` rows without replacement, every one as likely as any other, from all games of
// `shards` in their order (Vitter 1985, algorithm R, then shuffled). Uses RandomPurpose::kSample.
// `on_file` is called after each file. Throws InputError: as read_shard(); kMismatch if there are
// fewer rows than that.
RowSample sample_rows(std::span<const std::filesystem::path> shards, std::uint64_t rows,
                      std::uint64_t seed, const TargetConfig& targets,
                      const std::function<void()>& on_file);

// Throws InputError(kWrite). Equal samples give equal bytes.
void write_rows(const std::filesystem::path& path, const RowSample& sample,
                const TargetConfig& targets);

}  // namespace awale::training
