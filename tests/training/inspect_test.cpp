#include "training/inspect.hpp"

#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "nn/hdf5_file.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::TempDir;

namespace {

namespace fs = std::filesystem;

void write_games(const fs::path& path, const std::vector<GameRecord>& games) {
  write_shard(path, {{env::RuleSet{}}, 5, "000001.h5", 2, "0123abc"}, games);
}

void write_network(const fs::path& path) {
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string("checkpoint"));
  file.attribute("/", "iteration", std::int64_t{12});
  file.attribute("/", "config", std::string("seed = 1\n[run]\n"));
  file.attribute("network", "width", std::int64_t{2});
  file.dataset<float>("network/input.weight", std::vector<float>(6), {3, 2});
  file.write(path);
}

}  // namespace

TEST_CASE("a shard is described by its provenance and its games") {
  const TempDir dir;
  std::vector<GameRecord> games = tests::random_games({}, 5);
  games.push_back(games[2]);
  games.back().game_id = 99;  // the same course once more
  write_games(dir / "shard.h5", games);
  const auto json = describe_file(dir / "shard.h5");

  CHECK(json["kind"] == "trajectories");
  CHECK(json["seed"] == 5);
  CHECK(json["checkpoint"] == "000001.h5");
  CHECK(json["rules"][0]["name"] == "abapa");
  CHECK(json["rules"][0]["target_seeds"] == "25");
  CHECK(json["games"] == 6);
  CHECK(json["distinct_games"] == 5);
  std::size_t plies = 0;
  std::size_t longest = 0;
  double points = 0;
  std::map<std::string, int> endings;
  for (const auto& game : games) {
    plies += game.plies.size();
    longest = std::max(longest, game.plies.size());
    const int margin = game.outcome.margin_south_seeds;
    points += margin > 0 ? 1 : margin == 0 ? 0.5 : 0;
    ++endings[env::to_string(game.outcome.reason)];
  }
  CHECK(json["plies"] == plies);
  CHECK(json["training_rows"] == plies - 2 - 4);  // games 1 and 3 open with 2 and 4 random plies
  CHECK(json["plies_a_game"]["longest"] == longest);
  CHECK(json["plies_a_game"]["mean"] == Approx(static_cast<double>(plies) / 6).epsilon(1e-3));
  CHECK(json["first_player_points_percent"] == Approx(100 * points / 6).epsilon(1e-3));
  for (const auto& [reason, count] : endings)
    CHECK(json["endings"][reason] == count);

  const auto text = to_text(json);
  CHECK(contains(text, "\ndistinct_games: 5\n"));
  CHECK(contains(text, "\nrules:\n  name: abapa\n"));
}

TEST_CASE("the first player need not be South") {
  const TempDir dir;
  GameRecord game;
  game.start.pits = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2};
  game.start.store_to_move = 25;
  game.start.store_opponent = 20;
  game.start.to_move = env::Side::kNorth;
  game.outcome = env::Game(env::RuleSet{}, game.start).outcome();
  REQUIRE(game.outcome.margin_south_seeds < 0);
  write_games(dir / "shard.h5", {game});
  CHECK(describe_file(dir / "shard.h5")["first_player_points_percent"] == 100);
}

TEST_CASE("an empty shard is described, too") {
  const TempDir dir;
  write_games(dir / "shard.h5", {});
  const auto json = describe_file(dir / "shard.h5");
  CHECK(json["games"] == 0);
  CHECK(json["plies_a_game"]["shortest"] == 0);
  CHECK(json["first_player_points_percent"] == 0);
}

TEST_CASE("other files of ours show their attributes and arrays") {
  const TempDir dir;
  write_network(dir / "file.h5");
  const auto json = describe_file(dir / "file.h5");
  CHECK(json["iteration"] == 12);
  CHECK(json["network"]["width"] == 2);
  CHECK(json["network"]["input.weight"]["type"] == "float32");
  CHECK(json["network"]["input.weight"]["shape"] == std::vector<int>{3, 2});
  const auto text = to_text(json);
  CHECK(contains(text, "config:\nseed = 1\n[run]\niteration: 12\n"));
  CHECK(contains(text, "  input.weight: type float32, shape [3 2]\n"));
}

TEST_CASE("a run's directory shows its files and its newest checkpoint") {
  const TempDir dir;
  fs::create_directories(dir / "checkpoints");
  fs::create_directories(dir / "shards");
  const auto games = tests::random_games({}, 3);
  write_games(dir / "shards/000001.h5", games);
  write_games(dir / "shards/000002.h5", games);
  tests::write_bytes(dir / "shards/.000003.h5.tmp-1-0", "half");
  for (const char* name : {"000000.h5", "000002.h5"}) {
    write_network(dir.path() / "checkpoints" / name);
  }
  const auto json = describe_file(dir.path());
  CHECK(json["kind"] == "run");
  CHECK(json["checkpoints"] == std::vector<int>{0, 2});
  CHECK(json["shards"]["files"] == 2);
  CHECK(json["shards"]["games"] == 6);
  CHECK(json["shards"]["distinct_games"] == 3);
  CHECK(json["shards"]["plies"] ==
        2 * (games[0].plies.size() + games[1].plies.size() + games[2].plies.size()));
  CHECK(json["newest_checkpoint"]["file"] == (dir.path() / "checkpoints/000002.h5").string());
  CHECK(json["newest_checkpoint"]["iteration"] == 12);
  CHECK(contains(to_text(json), "checkpoints: [0 2]\n"));
}

TEST_CASE("what is nothing of ours is refused") {
  const TempDir dir;
  nn::Hdf5Writer file;
  file.write(dir / "foreign.h5");
  tests::write_bytes(dir / "text.txt", "text");
  const auto error = [&](const fs::path& path) {
    return error_of(ErrorKind::kFile, [&] { describe_file(path); });
  };
  CHECK(contains(error(dir / "foreign.h5"), "without the attribute kind"));
  CHECK(contains(error(dir / "text.txt"), "no HDF5 file"));
  CHECK(contains(error(dir / "missing"), "No such file"));
  CHECK(contains(error(dir.path()), "foreign.h5"));
  fs::create_directory(dir / "empty");
  CHECK(contains(error(dir / "empty"), "without checkpoints and shards"));
}

TEST_CASE("a directory of shards is described without a run around it") {
  const TempDir dir;
  write_games(dir / "000001.h5", tests::random_games({}, 4));
  const auto json = describe_file(dir.path());
  CHECK(json["kind"] == "shards");
  CHECK(json["shards"]["games"] == 4);
  CHECK(!json.contains("checkpoints"));
}
