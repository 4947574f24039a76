// Builds an endgame table layer by layer, so that a killed build loses one layer at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "env/endgame/guarantees.hpp"
#include "env/rules.hpp"

namespace awale::env {

struct EndgameBuildConfig {
  RuleSet rules;
  int seeds = 15;  // K, 1..kMaxEndgameSeeds
  int threads = 1;
  std::size_t memory_bytes = std::size_t{8} << 30;  // the most to use

  // Throws InputError(kUsage) naming the option, also if the largest layer would need more memory.
  void validate() const;
};

// What the build of up to `seeds` seeds needs: the table, and for the largest layer 8 bytes a board
// (3 are fixed; the rest waits to be looked at, 2 were the most seen under any preset).
std::size_t build_memory_bytes(CycleScore cycles, int seeds);

struct LayerBuilt {
  int seeds = 0;
  std::uint64_t boards = 0;
  std::size_t peak_bytes = 0;  // beside the layers below
};

struct EndgameBuildReports {
  std::function<void(int first_layer)> on_start;        // 0, or where an earlier build stopped
  std::function<void(std::uint64_t boards)> on_boards;  // from any thread
  std::function<void(const LayerBuilt&)> on_layer;
  std::function<bool()> stop;  // asked after each layer: true leaves the rest for another build
};

// Writes the table to `path`. Until it is whole it lies beside it as `path` + ".building", and is
// where another build of the same endgame goes on; so does one from a finished table of fewer seeds
// at `path`, which stays as it is until it is replaced. False if stopped before the end.
//
// Throws InputError: kUsage from validate() and where the memory turns out too small; kWrite for a
// full disk or missing permission, or while another process builds the same file, what has been
// built stays; kMismatch if `path` or the unfinished build holds a table of another endgame, kFile
// if `path` holds something else.
bool build_endgame_table(const EndgameBuildConfig& config, const std::filesystem::path& path,
                         const EndgameBuildReports& reports);

}  // namespace awale::env
