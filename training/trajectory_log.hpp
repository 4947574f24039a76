// Games on disk: HDF5 shards of finished games, and the same tables inside a checkpoint for the
// games still being played. Layout, types, units and views of every field: training/README.md.
//
// Reading trusts nothing: besides types and lengths every game is replayed by its rules, so what a
// reader gets are games, not just numbers. Any thread may call this.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "nn/hdf5_file.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

// The version of the tables that this build writes; it reads the older ones, too. 1 had no column
// plies/policy: the target was the share of the visits. 3 is 2 with what an endgame table has said:
// adjudicated games and kTableValue. 4 has columns more (trajectory_columns.hpp says which) and a
// list of rule sets.
inline constexpr std::int64_t kTrajectorySchemaVersion = 4;

// A game's rules_index has 8 bits.
inline constexpr std::size_t kMaxRuleSets = 256;

// A shard whose games went into a merged one.
struct GameSource {
  std::string file;
  std::uint64_t seed = 0;
  std::string checkpoint;
  std::uint32_t iteration = 0;
  std::string git_revision;
  friend bool operator==(const GameSource&, const GameSource&) = default;
};

// A game's source_index has 16 bits.
inline constexpr std::size_t kMaxSources = 65536;

// Where the games of a shard come from.
struct Provenance {
  std::vector<env::RuleSet> rules;  // GameRecord::rules_index counts these
  std::uint64_t seed = 0;           // of the run
  std::string checkpoint;           // file name of the network that played last, "" for none
  std::uint32_t iteration = 0;      // that finished the games
  std::string git_revision;         // of the program that wrote the shard
  // env::describe() of the endgame table that ended games, and of those whose values stand in the
  // plies ("; " between two); "" for none.
  std::string adjudicated_by = {};
  std::string relabelled_by = {};
  // Games of the run in older shards, so that a missing one is noticed; only of a training run's.
  std::optional<std::uint64_t> games_before = {};
  // Of a merged shard: GameRecord::source_index counts these. Its games are told apart by source
  // and game id together, and seed, checkpoint and iteration above are those of the newest source.
  std::vector<GameSource> sources = {};
};

struct Shard {
  Provenance provenance;
  std::vector<GameRecord> games;
};

// Every game must have ended and be by one of the 1..kMaxRuleSets rule sets. Equal games give equal
// bytes. Throws InputError(kWrite); `path` is then as it was.
void write_shard(const std::filesystem::path& path, const Provenance& provenance,
                 std::span<const GameRecord> games);

// Throws InputError: kFile if the file is missing, damaged, no shard, or if a game in it breaks the
// rules (naming file, game and ply); kMismatch if a newer program wrote it.
Shard read_shard(const std::filesystem::path& path);

// The index of the rule set in `list` that is the same game, which is appended where there is none.
// Throws InputError(kMismatch) when the list is full.
std::uint8_t add_rules(std::vector<env::RuleSet>& list, const env::RuleSet& rules);

// What a merged shard was made of, the groups "sources/0", "sources/1", ...; none in any other
// file.
std::vector<GameSource> load_sources(const nn::Hdf5Reader& file);

// The tables "games" and "plies" below `group` ("/" for the root), of a file whose attribute
// schema_version is the tables'. Games without an outcome (reason kNone) are allowed; loading
// throws as read_shard(), also for a rules_index that is not one of `rules`.
void store_games(nn::Hdf5Writer& file, const std::string& group, std::span<const GameRecord> games);
std::vector<GameRecord> load_games(const nn::Hdf5Reader& file, const std::string& group,
                                   std::span<const env::RuleSet> rules);

}  // namespace awale::training
