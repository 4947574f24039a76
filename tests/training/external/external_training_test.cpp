#include "training/external/external_training.hpp"

#include <fstream>
#include <iterator>
#include <set>

#include "nn/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/small_run.hpp"
#include "training/checkpoint.hpp"
#include "training/external/follower.hpp"
#include "training/external/incoming.hpp"
#include "training/external/workers.hpp"

using namespace awale;
using namespace awale::training;
namespace fs = std::filesystem;

namespace {

constexpr const char* kConfigText = "[run]\nseed = 7\n";

// Learns so many iterations altogether.
TrainingSummary learn(TrainingConfig config, const fs::path& path, int iterations, bool resume) {
  config.run.iterations = iterations;
  const RunDir directory(path, resume);
  return run_external_training(config, {kConfigText, kConfigText}, directory, resume);
}

// A run with checkpoint 0 and no games.
void begin(const TrainingConfig& config, const fs::path& path) {
  const RunDir directory(path, false);
  open_run(config, {kConfigText, kConfigText}, directory, false);
  fs::create_directories(path / "incoming");
}

FollowSummary follow(const TrainingConfig& config, const fs::path& path, std::uint64_t games) {
  return follow_run({path, config, games});
}

// Of all shards of a run.
std::multiset<std::uint64_t> counted_ids(const fs::path& run) {
  std::multiset<std::uint64_t> ids;
  for (const auto number : shard_numbers(run / "shards")) {
    for (const auto& game : read_shard(shard_file(run / "shards", number)).games)
      ids.insert(game.game_id);
  }
  return ids;
}

// Whether a worker's games first..last, and no others, are counted once.
bool all_once(const std::multiset<std::uint64_t>& ids, std::uint32_t worker, std::uint64_t count) {
  std::multiset<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < count; ++i)
    expected.insert(first_game_of(worker) + i);
  std::multiset<std::uint64_t> found;
  for (const auto id : ids) {
    if (id >> kWorkerShift == worker) found.insert(id);
  }
  return found == expected;
}

}  // namespace

TEST_CASE("followers' games are counted once, learned from and saved") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  begin(config, dir / "run");
  const auto first = follow(config, dir / "run", 40);
  const auto second = follow(config, dir / "run", 20);
  CHECK(first.worker == 1);
  CHECK(second.worker == 2);
  CHECK(first.games == 40);
  CHECK(incoming_shards(dir / "run").size() == first.shards + second.shards);
  const auto summary = learn(config, dir / "run", 1, true);
  CHECK(summary.complete);
  CHECK(summary.games == 60);
  CHECK(summary.learner_steps > 0);
  CHECK(incoming_shards(dir / "run").empty());
  const auto ids = counted_ids(dir / "run");
  CHECK(ids.size() == 60);
  CHECK(all_once(ids, 1, 40));
  CHECK(all_once(ids, 2, 20));
  CHECK(load_agent(dir / "run").path == checkpoint_file(dir / "run", 1));
}

TEST_CASE("two workers play different games, the same worker the same again") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  std::vector<std::vector<GameRecord>> games;
  for (const char* run : {"one", "two"}) {
    begin(config, dir / run);
    follow(config, dir / run, 8);
    follow(config, dir / run, 8);
    Incoming incoming(dir / run, 0, {config.rule_sets(), config.run.seed, "", 0, ""});
    games.push_back(incoming.take().games);
    REQUIRE(games.back().size() == 16);
  }
  std::set<std::string> courses;
  for (std::size_t i = 0; i < games[0].size(); ++i) {
    std::string moves;
    CHECK(games[0][i].game_id == games[1][i].game_id);
    REQUIRE(games[0][i].plies.size() == games[1][i].plies.size());
    for (std::size_t ply = 0; ply < games[0][i].plies.size(); ++ply) {
      CHECK(games[0][i].plies[ply].move == games[1][i].plies[ply].move);
      moves += static_cast<char>('0' + games[0][i].plies[ply].move);
    }
    courses.insert(moves);
  }
  CHECK(courses.size() == 16);
}

TEST_CASE("a learner killed at any point counts every game once") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  const auto run = dir / "run";
  begin(config, run);
  follow(config, run, 30);
  fs::copy(run / "incoming", dir / "before", fs::copy_options::recursive);
  learn(config, run, 1, true);
  const auto restore_incoming = [&] {
    fs::copy(dir / "before", run / "incoming",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  };

  // After the checkpoint, before all files were removed.
  restore_incoming();
  follow(config, run, 10);
  CHECK(learn(config, run, 2, true).games == 40);
  CHECK(counted_ids(run).size() == 40);

  // After the shard, before the checkpoint.
  restore_incoming();
  fs::remove(checkpoint_file(run, 1));
  fs::remove(checkpoint_file(run, 2));
  fs::remove(shard_file(run / "shards", 2));
  const auto again = learn(config, run, 1, true);
  CHECK(again.games == 30);
  CHECK(again.iterations == 1);
  CHECK(all_once(counted_ids(run), 1, 30));
  CHECK(incoming_shards(run).empty());
}

TEST_CASE("a learner that goes back to an older checkpoint loses no game and counts none twice") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  const auto run = dir / "run";
  begin(config, run);
  for (int iteration = 1; iteration <= 3; ++iteration) {
    follow(config, run, 10);
    learn(config, run, iteration, true);
  }
  // Nobody plays these games again: what the checkpoints of 2 and 3 counted comes back.
  for (const std::uint32_t lost : {2U, 3U})
    fs::remove(checkpoint_file(run, lost));
  follow(config, run, 10);
  CHECK(learn(config, run, 2, true).games == 40);
  auto ids = counted_ids(run);
  CHECK(ids.size() == 40);
  for (const std::uint32_t worker : {1U, 2U, 3U, 4U})
    CHECK(all_once(ids, worker, 10));

  // Killed before it removed what it counted, which was played with a later network.
  const auto shard = read_shard(shard_file(run / "shards", 2));
  auto provenance = shard.provenance;
  provenance.iteration = 9;
  write_shard(run / "incoming" / "000001-000099.h5", provenance, shard.games);
  follow(config, run, 10);
  CHECK(learn(config, run, 3, true).games == 50);
  CHECK(counted_ids(run).size() == 50);
  CHECK(incoming_shards(run).empty());
}

TEST_CASE("a follower plays with the newest checkpoint, and the same games begin a longer run") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  const auto run = dir / "run";
  begin(config, run);
  follow(config, run, 20);
  learn(config, run, 1, true);
  follow(config, run, 20);
  for (const auto& file : incoming_shards(run)) {
    const auto provenance = read_shard(file).provenance;
    CHECK(provenance.checkpoint == "000001.h5");
    CHECK(provenance.iteration == 2);
  }
  CHECK(learn(config, run, 2, true).games == 40);
}

TEST_CASE("a follower ends when the run has its summary, and wants a run for it") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  begin(config, dir / "run");
  CHECK(wait_for_run(dir / "run"));
  nn::write_file_atomically(dir / "run" / "summary.json", "{}\n");
  CHECK_FALSE(wait_for_run(dir / "run"));
  CHECK(follow_run({dir / "run", config, std::nullopt}).games == 0);
  // Going on for longer takes the summary away.
  follow(config, dir / "run", 1);
  fs::remove(dir / "run" / "summary.json");
  follow(config, dir / "run", 1);
  nn::write_file_atomically(dir / "run" / "summary.json", "{}\n");
  learn(config, dir / "run", 1, true);
  CHECK_FALSE(fs::exists(dir / "run" / "summary.json"));
}

TEST_CASE("games that a run has left open stay for when it plays itself again") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  const auto run = dir / "run";
  begin(config, run);
  {
    auto checkpoint = read_checkpoint(checkpoint_file(run, 0));
    follow(config, run, 2);
    Incoming incoming(run, 0, {config.rule_sets(), config.run.seed, "", 0, ""});
    auto open = incoming.take().games.front();
    open.plies.resize(open.plies.size() / 2);
    open.outcome = {};
    checkpoint.open_games = {open};
    write_checkpoint(checkpoint_file(run, 0), checkpoint);
  }
  learn(config, run, 1, true);
  CHECK(read_checkpoint(checkpoint_file(run, 1)).open_games.size() == 1);
}
