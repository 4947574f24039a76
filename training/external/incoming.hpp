// The way of games from those who play them to the one who learns: shards in `incoming` of the run.
//
//   incoming/000003-000017.h5   the 17th shard of worker 3, whole or absent
//   damaged/000003-000017.h5    one that could not be read, or is of another run
//
// A shard stays in `incoming` until a checkpoint counts its games. So a kill loses none; and what
// a killed learner has counted, but not removed, is known by its game ids and not counted again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <unordered_map>
#include <vector>

#include "training/trajectory_log.hpp"

namespace awale::training {

// A set of game ids; a bit each, for those that are close together.
class GameIds {
 public:
  // False if it was there.
  bool insert(std::uint64_t id);
  bool contains(std::uint64_t id) const;

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> blocks_;  // id / 64: a bit an id
};

// Shards that wait in a run's directory.
std::vector<std::filesystem::path> incoming_shards(const std::filesystem::path& run);

// Hands over the `number`-th shard of a worker. Throws InputError(kWrite).
void hand_over(const std::filesystem::path& run, std::uint32_t worker, std::uint32_t number,
               const Provenance& provenance, std::span<const GameRecord> games);

// Puts shards of a run, which no checkpoint counts, where they came from.
void take_back(const std::filesystem::path& run,
               std::span<const std::filesystem::path> uncounted_shards);

// What was taken at once.
struct Taken {
  std::vector<std::filesystem::path> files;
  std::vector<GameRecord> games;
};

// The learner's end. One thread.
class Incoming {
 public:
  // Of the run in directory `run`, whose shards up to `iteration` count; `own` says seed, rules and
  // table of its games. Throws InputError(kWrite) if there can be no folder, and as read_shard()
  // for a shard of the run.
  Incoming(std::filesystem::path run, std::uint32_t iteration, Provenance own);

  // All games that wait, each once, in the order of the files' names. Shards without a new game are
  // removed; what is damaged or of another run is put aside, with a line on stderr.
  Taken take();

  // Once a checkpoint counts the games.
  void remove(const Taken& taken);

 private:
  void know_counted_games(std::uint32_t iteration);
  void remove_leftovers() const;
  bool read(const std::filesystem::path& file, Shard& shard);
  void put_aside(const std::filesystem::path& file, const std::string& reason) const;

  std::filesystem::path run_;
  Provenance own_;
  GameIds known_;  // taken by this process, or counted and perhaps not removed
};

}  // namespace awale::training
