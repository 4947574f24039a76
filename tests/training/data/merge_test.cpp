#include "training/data/merge.hpp"

#include "env/error.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::TempDir;

namespace {

namespace fs = std::filesystem;

// Games first..first+count-1 of a run.
fs::path write_games(const fs::path& path, const env::RuleSet& rules, std::uint64_t seed,
                     std::uint32_t iteration, std::uint64_t first, std::uint64_t count) {
  std::vector<GameRecord> games;
  for (std::uint64_t id = first; id < first + count; ++id)
    games.push_back(tests::random_game(rules, id));
  Provenance provenance{{rules}, seed, "000009.h5", iteration, "abc"};
  provenance.relabelled_by = "table of " + rules.name;
  write_shard(path, provenance, games);
  return path;
}

Shard merge(const std::vector<fs::path>& files, bool drop, MergeCounts& counts) {
  return merge_shards(
      files, drop, [] {}, counts);
}

}  // namespace

TEST_CASE("merged shards hold all games, their rules and where they come from") {
  const TempDir dir;
  const auto abapa = env::preset("abapa");
  const auto awari = env::preset("awari");
  const std::vector<fs::path> files = {write_games(dir / "a.h5", abapa, 7, 3, 0, 4),
                                       write_games(dir / "b.h5", awari, 8, 5, 0, 3),
                                       write_games(dir / "c.h5", abapa, 7, 4, 4, 2)};
  MergeCounts counts;
  const Shard merged = merge(files, false, counts);
  CHECK((counts.files == 3 && counts.games == 9 && counts.dropped == 0));
  write_shard(dir / "all.h5", merged.provenance, merged.games);
  const Shard all = read_shard(dir / "all.h5");

  CHECK(all.provenance.iteration == 5);  // of the newest, as seed and checkpoint
  CHECK(all.provenance.seed == 8);
  CHECK(all.provenance.relabelled_by == "table of abapa; table of awari");
  REQUIRE(all.provenance.rules.size() == 2);
  REQUIRE(all.provenance.sources.size() == 3);
  std::size_t row = 0;
  for (const auto& file : files) {
    const Shard part = read_shard(file);
    for (const auto& game : part.games) {
      const auto& found = all.games.at(row++);
      const auto& source = all.provenance.sources.at(found.source_index);
      CHECK(source == GameSource{file.string(), part.provenance.seed, "000009.h5",
                                 part.provenance.iteration, "abc"});
      CHECK(all.provenance.rules.at(found.rules_index).same_game(part.provenance.rules[0]));
      CHECK(found.game_id == game.game_id);
      REQUIRE(found.plies.size() == game.plies.size());
      CHECK(found.plies.back().visits == game.plies.back().visits);
    }
  }
  CHECK(row == all.games.size());

  // Merged ones merge on, and say the same sources.
  MergeCounts again_counts;
  const auto more = write_games(dir / "d.h5", abapa, 9, 1, 0, 1);
  const Shard again = merge({dir / "all.h5", more}, false, again_counts);
  REQUIRE(again.provenance.sources.size() == 4);
  CHECK(again.provenance.sources[1] == all.provenance.sources[1]);
  CHECK(again.provenance.sources[3].seed == 9);
  CHECK(again.provenance.iteration == 5);
}

TEST_CASE("a game is the same where seed and id are: refused, or dropped but for the first") {
  const TempDir dir;
  const std::vector<fs::path> files = {write_games(dir / "a.h5", {}, 7, 1, 0, 4),
                                       write_games(dir / "other.h5", {}, 8, 1, 2, 4),
                                       write_games(dir / "b.h5", {}, 7, 2, 2, 4)};
  MergeCounts counts;
  const auto error = error_of(ErrorKind::kMismatch, [&] { merge(files, false, counts); });
  CHECK(contains(error, "b.h5': game id 2 of seed 7 stands in"));
  CHECK(contains(error, "a.h5', too"));
  CHECK(contains(error, "--drop-duplicates"));
  // Another run of the same seed has other games; these are no duplicates.
  const auto rerun = write_games(dir / "rerun.h5", env::preset("awari"), 7, 1, 0, 4);
  merge({files[0], rerun}, false, counts);
  CHECK(counts.games == 8);
  const Shard merged = merge(files, true, counts);
  CHECK((counts.games == 10 && counts.dropped == 2));
  CHECK(merged.games.size() == 10);
  CHECK(merged.games[2].source_index == 0);
  // Of a merged file each game counts by its own source's seed.
  write_shard(dir / "merged.h5", merged.provenance, merged.games);
  merge({dir / "merged.h5", dir / "other.h5"}, true, counts);
  CHECK((counts.games == 10 && counts.dropped == 4));
}
