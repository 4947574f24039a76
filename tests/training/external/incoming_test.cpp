#include "training/external/incoming.hpp"

#include <fstream>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/external/workers.hpp"
#include "training/run_dir.hpp"

using namespace awale;
using namespace awale::training;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kGamesSeed = 5;

Provenance provenance(std::uint32_t iteration = 1) {
  return {{env::RuleSet{}}, kGamesSeed, "000000.h5", iteration, "test"};
}

// Games with the ids first..first+count-1.
std::vector<GameRecord> games_from(std::uint64_t first, int count) {
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i)
    games.push_back(tests::random_game({}, first + static_cast<std::uint64_t>(i)));
  return games;
}

std::vector<std::uint64_t> ids_of(const std::vector<GameRecord>& games) {
  std::vector<std::uint64_t> ids;
  for (const auto& game : games)
    ids.push_back(game.game_id);
  return ids;
}

using Ids = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a set of ids knows what it has been given") {
  GameIds ids;
  const std::set<std::uint64_t> some = {0, 1, 63, 64, 127, first_game_of(3) + 5, UINT64_MAX};
  for (const auto id : some)
    CHECK(ids.insert(id));
  for (const auto id : some) {
    CHECK_FALSE(ids.insert(id));
    CHECK(ids.contains(id));
    CHECK(ids.contains(id ^ 2) == (some.count(id ^ 2) > 0));
  }
}

TEST_CASE("each process claims a number of its own, never one that was claimed before") {
  const tests::TempDir dir;
  CHECK(claim_worker(dir.path()) == 1);
  CHECK(claim_worker(dir.path()) == 2);
  std::ofstream(dir / "workers/000007") << "host elsewhere\n";
  CHECK(claim_worker(dir.path()) == 8);
  std::ifstream claim(dir / "workers/000008");
  std::string line;
  std::getline(claim, line);
  CHECK(line.rfind("host ", 0) == 0);
  CHECK(first_game_of(8) == 8ULL << 40);
}

TEST_CASE("what is handed over is taken once, in the order of workers and shards") {
  const tests::TempDir dir;
  Incoming incoming(dir.path(), 0, provenance());
  CHECK(incoming.take().games.empty());
  hand_over(dir.path(), 2, 1, provenance(), games_from(20, 2));
  hand_over(dir.path(), 1, 2, provenance(), games_from(12, 1));
  hand_over(dir.path(), 1, 1, provenance(), games_from(10, 2));
  const auto taken = incoming.take();
  CHECK(ids_of(taken.games) == Ids{10, 11, 12, 20, 21});
  CHECK(taken.files.size() == 3);
  CHECK(incoming_shards(dir.path()).size() == 3);  // until a checkpoint counts them
  incoming.remove(taken);
  CHECK(incoming_shards(dir.path()).empty());
}

TEST_CASE("a game that comes twice counts once") {
  const tests::TempDir dir;
  Incoming incoming(dir.path(), 0, provenance());
  hand_over(dir.path(), 1, 1, provenance(), games_from(10, 2));
  hand_over(dir.path(), 2, 1, provenance(), games_from(11, 2));
  const auto taken = incoming.take();
  CHECK(ids_of(taken.games) == Ids{10, 11, 12});
  incoming.remove(taken);
  hand_over(dir.path(), 1, 1, provenance(), games_from(10, 3));
  CHECK(incoming.take().games.empty());
  CHECK(incoming_shards(dir.path()).empty());
}

TEST_CASE("a killed learner's successor knows which games are counted") {
  const tests::TempDir dir;
  fs::create_directories(dir / "shards");
  fs::create_directories(dir / "incoming");
  hand_over(dir.path(), 1, 1, provenance(3), games_from(10, 2));
  hand_over(dir.path(), 1, 2, provenance(4), games_from(12, 2));
  // Killed after the shard of iteration 4 and before its checkpoint: nothing is counted.
  write_shard(shard_file(dir / "shards", 4), provenance(4), games_from(10, 2));
  CHECK(ids_of(Incoming(dir.path(), 3, provenance()).take().games) == Ids{10, 11, 12, 13});
  // Killed after the checkpoint and before the file was removed, also if others have come since.
  write_shard(shard_file(dir / "shards", 5), provenance(5), games_from(30, 2));
  CHECK(ids_of(Incoming(dir.path(), 5, provenance()).take().games) == Ids{12, 13});
  CHECK(incoming_shards(dir.path()).size() == 1);
}

TEST_CASE("what cannot be read, or is of another run, is put aside and not read again") {
  const tests::TempDir dir;
  Incoming incoming(dir.path(), 0, provenance());
  hand_over(dir.path(), 1, 1, provenance(), games_from(10, 2));
  auto other_seed = provenance();
  other_seed.seed = 6;
  hand_over(dir.path(), 2, 1, other_seed, games_from(20, 2));
  auto other_rules = provenance();
  other_rules.rules = {env::preset("awari")};
  hand_over(dir.path(), 3, 1, other_rules, {});
  auto other_table = provenance();
  other_table.adjudicated_by = "a table";
  hand_over(dir.path(), 4, 1, other_table, games_from(40, 2));
  hand_over(dir.path(), 5, 1, provenance(), games_from(50, 2));
  fs::resize_file(dir / "incoming/000005-000001.h5",
                  fs::file_size(dir / "incoming/000005-000001.h5") - 10);
  CHECK(ids_of(incoming.take().games) == Ids{10, 11});
  for (const char* name :
       {"000002-000001.h5", "000003-000001.h5", "000004-000001.h5", "000005-000001.h5"}) {
    INFO(name);
    CHECK(fs::exists(dir / "damaged" / name));
    CHECK_FALSE(fs::exists(dir / "incoming" / name));
  }
}

TEST_CASE("old leftovers of killed writers go, those being written stay") {
  const tests::TempDir dir;
  fs::create_directories(dir / "incoming");
  const auto old = dir / "incoming/.000001-000001.h5.tmp-7-0";
  const auto fresh = dir / "incoming/.000002-000001.h5.tmp-8-0";
  std::ofstream(old) << "half";
  std::ofstream(fresh) << "half";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  Incoming incoming(dir.path(), 0, provenance());
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(fresh));
  CHECK(incoming.take().games.empty());
}
