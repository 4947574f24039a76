// Who plays for a run: each process claims a number of its own, from which its games get their ids.
//
// A claim is the file `workers/NNNNNN` of the run, created exclusively, so it holds on a folder
// that several hosts share; for people it says host, process and time. Claims are never given back:
// a number is used once, and so is every game id, whoever is killed when.
#pragma once

#include <cstdint>
#include <filesystem>

namespace awale::training {

// Bits of a game id below the worker's number. Number 0 are the games of the process that trains.
inline constexpr int kWorkerShift = 40;

// The id of a worker's first game.
constexpr std::uint64_t first_game_of(std::uint32_t worker) {
  return std::uint64_t{worker} << kWorkerShift;
}

// Whether other processes have played for the run in this directory.
inline bool others_have_played(const std::filesystem::path& run) {
  return std::filesystem::exists(run / "workers");
}

// Claims the lowest number, from 1, above all that are claimed in a run's directory. Throws
// InputError(kWrite).
std::uint32_t claim_worker(const std::filesystem::path& run);

}  // namespace awale::training
