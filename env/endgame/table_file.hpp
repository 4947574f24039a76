// The bytes of an endgame table's file (laid out in table.hpp): its header, and the mapping that
// tables read and builders grow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "env/endgame/guarantees.hpp"
#include "env/rules.hpp"

namespace awale::env {

inline constexpr std::size_t kEndgameHeaderBytes = 4096;
inline constexpr std::uint32_t kEndgameFormatVersion = 1;

struct EndgameHeader {
  RuleSet rules;
  CycleScore cycles = CycleScore::kZero;
  int seeds = 0;  // of the last layer that is whole
  std::array<std::uint64_t, kMaxEndgameSeeds + 1> checksums = {};

  // Where a layer begins in the file, in bytes; that of seeds + 1 is the size of the file.
  std::uint64_t layer_offset(int layer) const {
    return kEndgameHeaderBytes + layer_begin(layer) * bytes_per_board(cycles);
  }
};

using EndgameHeaderBytes = std::array<std::uint8_t, kEndgameHeaderBytes>;
EndgameHeaderBytes to_bytes(const EndgameHeader& header);

// Throws InputError naming `path`: kFile if the bytes are no header or damaged, kMismatch if they
// are of another version.
EndgameHeader parse_header(std::span<const std::uint8_t> bytes, const std::filesystem::path& path);

std::uint64_t checksum(std::span<const std::uint8_t> bytes);

// A whole file in memory, read only; the memory lives as long as somebody holds it.
struct MappedFile {
  std::shared_ptr<const std::uint8_t> bytes;
  std::size_t size = 0;
};

// Throws InputError(kFile) naming the file and the system's reason.
MappedFile map_file(const std::filesystem::path& path);

// The first layer whose bytes in `file` do not have the checksum that `header` states, nothing if
// all have. The file must hold all of them.
std::optional<int> find_damaged_layer(const EndgameHeader& header, const MappedFile& file);

}  // namespace awale::env
