// An event file for TensorBoard: what metrics.jsonl and grades.jsonl say, as scalars over
// iterations. A process that trains writes one, which begins by telling TensorBoard to forget what
// another may have written of later iterations, so a run that is resumed shows each once.
//
// Format: TFRecords (length, its CRC, data, its CRC; masked CRC-32C) of Event messages
// (event.proto). Safe from several threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json_fwd.hpp>

namespace awale::training {

class EventLog {
 public:
  // Creates `directory` and in it a file of its own, events.out.tfevents.*, for the iterations
  // after `iteration`. Throws InputError(kWrite).
  EventLog(const std::filesystem::path& directory, std::uint32_t iteration);

  // Appends every number of `line`, which has a number "iteration": "loss/policy" for loss_policy,
  // "validation/loss_policy" for what stands in an object, "minimax:8/points_percent" for what
  // stands in a list of objects that name an opponent; others under "run/". Throws
  // InputError(kWrite).
  void append(const nlohmann::ordered_json& line);

 private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::mutex mutex_;
};

}  // namespace awale::training
