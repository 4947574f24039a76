#include "training/trajectory_log.hpp"

#include <cmath>
#include <functional>

#include "env/error.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/version.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::random_game;
using awale::tests::random_games;
using awale::tests::read_bytes;
using awale::tests::TempDir;
using awale::tests::write_bytes;

namespace {

namespace fs = std::filesystem;

Provenance some_provenance(const env::RuleSet& rules = {}) {
  return {rules, 0xFEDCBA9876543210U, "000003.h5", 4, "0123abc"};
}

void require_equal(const PlyRecord& left, const PlyRecord& right) {
  REQUIRE(left.position.board == right.position.board);
  REQUIRE(left.position.ply == right.position.ply);
  REQUIRE(left.position.quiet_plies == right.position.quiet_plies);
  REQUIRE(left.position.repetitions == right.position.repetitions);
  REQUIRE(left.legal == right.legal);
  REQUIRE(left.move == right.move);
  REQUIRE(left.flags == right.flags);
  REQUIRE(left.visits == right.visits);
  REQUIRE(left.policy == right.policy);
  REQUIRE(left.root_value == right.root_value);
  REQUIRE(left.root_margin_seeds == right.root_margin_seeds);
  REQUIRE(left.network_value == right.network_value);
  REQUIRE(left.network_margin_seeds == right.network_margin_seeds);
}

void require_equal(const std::vector<GameRecord>& left, const std::vector<GameRecord>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    INFO("game " << i);
    REQUIRE(left[i].game_id == right[i].game_id);
    REQUIRE(left[i].first_iteration == right[i].first_iteration);
    REQUIRE(left[i].last_iteration == right[i].last_iteration);
    REQUIRE(left[i].start == right[i].start);
    REQUIRE(left[i].outcome.reason == right[i].outcome.reason);
    REQUIRE(left[i].outcome.margin_south_seeds == right[i].outcome.margin_south_seeds);
    REQUIRE(left[i].plies.size() == right[i].plies.size());
    for (std::size_t ply = 0; ply < left[i].plies.size(); ++ply) {
      require_equal(left[i].plies[ply], right[i].plies[ply]);
    }
  }
}

// A shard written without write_shard()'s help, with a schema version of choice.
void write_raw_shard(const fs::path& path, const std::vector<GameRecord>& games,
                     std::int64_t schema_version = kTrajectorySchemaVersion) {
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string("trajectories"));
  file.attribute("/", "schema_version", schema_version);
  file.attribute("/", "git_revision", std::string());
  file.attribute("/", "seed", std::uint64_t{1});
  file.attribute("/", "iteration", std::int64_t{1});
  file.attribute("/", "checkpoint", std::string());
  store_rules(file, env::RuleSet{});
  store_games(file, "/", games);
  file.write(path);
}

// What reading says about a shard of one random game after `change`.
std::string error_after(const std::function<void(GameRecord&)>& change) {
  const TempDir dir;
  std::vector<GameRecord> games = {random_game({}, 6), random_game({}, 7, 2)};
  change(games[1]);
  write_raw_shard(dir / "shard.h5", games);
  const auto error = error_of(ErrorKind::kFile, [&] { read_shard(dir / "shard.h5"); });
  CHECK(contains(error, (dir / "shard.h5").string()));
  return error;
}

}  // namespace

TEST_CASE("a shard survives a round trip under every preset") {
  const TempDir dir;
  for (const auto& name : env::preset_names()) {
    INFO("rules " << name);
    const auto rules = env::preset(name);
    const auto games = random_games(rules, 20);
    write_shard(dir / "shard.h5", some_provenance(rules), games);
    const Shard shard = read_shard(dir / "shard.h5");
    CHECK(shard.provenance.rules.name == name);
    CHECK(shard.provenance.rules.same_game(rules));
    CHECK(shard.provenance.seed == 0xFEDCBA9876543210U);
    CHECK(shard.provenance.checkpoint == "000003.h5");
    CHECK(shard.provenance.iteration == 4);
    CHECK(shard.provenance.git_revision == "0123abc");
    require_equal(shard.games, games);
  }
}

TEST_CASE("an empty shard is a shard") {
  const TempDir dir;
  write_shard(dir / "shard.h5", some_provenance(), {});
  CHECK(read_shard(dir / "shard.h5").games.empty());
}

TEST_CASE("a game may start anywhere, also at its end") {
  const TempDir dir;
  GameRecord game;
  game.start.pits = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2};
  game.start.store_to_move = 22;
  game.start.store_opponent = 23;
  game.start.to_move = env::Side::kNorth;
  game.outcome = env::Game(env::RuleSet{}, game.start).outcome();
  write_shard(dir / "shard.h5", some_provenance(), std::vector<GameRecord>{game});
  require_equal(read_shard(dir / "shard.h5").games, {game});
}

TEST_CASE("equal games give equal bytes") {
  const TempDir dir;
  write_shard(dir / "one.h5", some_provenance(), random_games({}, 10));
  write_shard(dir / "two.h5", some_provenance(), random_games({}, 10));
  CHECK(read_bytes(dir / "one.h5") == read_bytes(dir / "two.h5"));
  write_shard(dir / "three.h5", some_provenance(), random_games({}, 9));
  CHECK(read_bytes(dir / "one.h5") != read_bytes(dir / "three.h5"));
}

TEST_CASE("unfinished games are kept in other files by the same tables") {
  const TempDir dir;
  auto games = random_games({}, 4);
  games[0].plies.clear();
  games[1].plies.resize(5);
  for (const int i : {0, 1})
    games[i].outcome = {};
  nn::Hdf5Writer file;
  file.attribute("/", "schema_version", kTrajectorySchemaVersion);
  store_games(file, "open_games", games);
  store_rules(file, {});
  file.write(dir / "checkpoint.h5");
  const nn::Hdf5Reader reader(dir / "checkpoint.h5");
  require_equal(load_games(reader, "open_games", load_rules(reader)), games);

  write_raw_shard(dir / "shard.h5", games);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "shard.h5"); }),
                 "game id 0 has not ended"));
}

TEST_CASE("a game that breaks its rules is named with its ply") {
  CHECK(contains(error_after([](GameRecord& game) { game.plies[3].position.board.pits[2] += 1; }),
                 "game 1 (id 7), ply 3: board: expected "));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[4].legal ^= 1; }),
                 "game 1 (id 7), ply 4: legal: expected "));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[5].move = 6; }),
                 "ply 5: move: expected one of "));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[5].position.ply = 6; }),
                 "ply 5: ply: expected 5, found 6"));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[1].position.quiet_plies = 9; }),
                 "ply 1: quiet_plies: expected 1, found 9"));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[2].position.repetitions = 1; }),
                 "ply 2: repetitions: expected 0, found 1"));
  CHECK(contains(error_after([](GameRecord& game) {
                   game.plies[9].position.board.to_move = env::Side::kSouth;
                 }),
                 "ply 9: board: expected "));
  CHECK(contains(error_after([](GameRecord& game) { game.start.pits[0] = 40; }),
                 "start_board: more than 48 seeds"));
}

TEST_CASE("a wrong end of a game is named") {
  CHECK(contains(error_after([](GameRecord& game) { game.plies.pop_back(); }),
                 "reason: expected none, found "));
  CHECK(contains(error_after([](GameRecord& game) { game.plies.push_back(game.plies.back()); }),
                 "the game is over before it"));
  CHECK(contains(error_after([](GameRecord& game) { game.outcome.margin_south_seeds += 1; }),
                 "margin_south: expected "));
  CHECK(contains(
      error_after([](GameRecord& game) { game.outcome.reason = env::EndReason::kPlyLimit; }),
      "reason: expected "));
}

TEST_CASE("search results out of range are named") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(contains(error_after([](GameRecord& game) { game.plies[5].visits = {}; }),
                 "ply 5: visits: all 0 after a search"));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[0].visits = {1}; }),
                 "ply 0: visits: not 0 without a search"));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[5].flags = 16; }),
                 "ply 5: flags: unknown bits 16"));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[5].root_value = 1.5F; }),
                 "ply 5: root_value or network_value: expected -1..1, found 1.5"));
  CHECK(contains(error_after([nan](GameRecord& game) { game.plies[5].network_value = nan; }),
                 "ply 5: root_value or network_value: expected -1..1, found nan"));
  CHECK(contains(error_after([nan](GameRecord& game) { game.plies[5].network_margin_seeds = nan; }),
                 "ply 5: root_margin or network_margin: expected a finite number"));
  CHECK(contains(error_after([nan](GameRecord& game) { game.plies[5].root_margin_seeds = nan; }),
                 "ply 5: root_margin or network_margin: expected a finite number"));
  CHECK(contains(error_after([](GameRecord& game) {
                   auto& ply = game.plies.back();
                   ply.legal = static_cast<env::LegalMask>(ply.legal & ~(1 << ply.move));
                 }),
                 "legal: expected "));
}

TEST_CASE("visits of an illegal move are refused") {
  CHECK(contains(error_after([](GameRecord& game) {
                   for (auto& ply : game.plies) {
                     for (int move = 0; move < env::kMoves; ++move) {
                       if ((ply.legal >> move & 1) == 0) ply.visits[move] = 1;
                     }
                   }
                 }),
                 "has some and is not legal"));
}

TEST_CASE("a policy target where there was no full search, or none where there was, is refused") {
  const auto with_flags = [](int flags, std::uint16_t share) {
    return error_after([flags, share](GameRecord& game) {
      auto& ply = game.plies[5];
      ply.flags = static_cast<std::uint8_t>(flags);
      ply.policy = {};
      ply.policy[ply.move] = share;
    });
  };
  CHECK(contains(with_flags(0, 0), "ply 5: policy: all 0 after a full search"));
  CHECK(contains(with_flags(kSampledMove, 0), "ply 5: policy: all 0 after a full search"));
  CHECK(contains(with_flags(kFastSearch, 9), "ply 5: policy: not 0 without a full search"));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[0].policy = {1}; }),
                 "ply 0: policy: not 0 without a full search"));
  CHECK(contains(error_after([](GameRecord& game) {
                   for (auto& ply : game.plies) {
                     for (int move = 0; move < env::kMoves; ++move) {
                       if ((ply.legal >> move & 1) == 0) ply.policy[move] = 1;
                     }
                   }
                 }),
                 "policy: pit "));
}

TEST_CASE("one game id cannot stand for two games") {
  CHECK(contains(error_after([](GameRecord& game) { game.game_id = 6; }), "6 occurs twice"));
}

TEST_CASE("a shard of a newer schema is a mismatch, not damage") {
  const TempDir dir;
  static_assert(kTrajectorySchemaVersion == 3);
  write_raw_shard(dir / "newer.h5", random_games({}, 1), kTrajectorySchemaVersion + 1);
  CHECK(contains(error_of(ErrorKind::kMismatch, [&] { read_shard(dir / "newer.h5"); }),
                 "trajectory schema 4; this build reads 1 to 3, use a newer awale"));
  write_raw_shard(dir / "older.h5", random_games({}, 1), 0);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "older.h5"); }),
                 "trajectory schema 0"));
}

// Written by a build of schema 1, which had no column plies/policy.
TEST_CASE("a shard of schema 1 reads, its policy the share of the visits") {
  const Shard shard = read_shard(AWALE_TEST_DATA "/shard_schema1.h5");
  REQUIRE(!shard.games.empty());
  int searched = 0;
  for (const auto& game : shard.games) {
    for (const auto& ply : game.plies) {
      double visits = 0;
      for (const auto count : ply.visits)
        visits += count;
      if (visits == 0) CHECK(ply.policy == std::array<std::uint16_t, env::kMoves>{});
      if (visits == 0) continue;
      ++searched;
      for (std::size_t move = 0; move < ply.policy.size(); ++move)
        CHECK(ply.policy[move] == std::lround(ply.visits[move] / visits * 65535));
    }
  }
  CHECK(searched > 10);
  // What is read can be written again, as a file of this schema.
  const TempDir dir;
  write_shard(dir / "shard.h5", shard.provenance, shard.games);
  require_equal(read_shard(dir / "shard.h5").games, shard.games);
  const nn::Hdf5Reader file(dir / "shard.h5");
  CHECK(file.int_attribute("/", "schema_version") == 2);
}

TEST_CASE("other HDF5 files are no shards") {
  const TempDir dir;
  nn::Hdf5Writer file;
  file.attribute("/", "creator", std::string("somebody"));
  file.write(dir / "foreign.h5");
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "foreign.h5"); }),
                 "expected kind 'trajectories', found no kind"));
  file.attribute("/", "kind", std::string("checkpoint"));
  file.write(dir / "checkpoint.h5");
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "checkpoint.h5"); }),
                 "expected kind 'trajectories', found checkpoint"));
  file.attribute("/", "kind", std::string("trajectories"));
  file.attribute("/", "schema_version", kTrajectorySchemaVersion);
  file.write(dir / "bare.h5");
  CHECK(
      contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "bare.h5"); }), "rules: missing"));
}

TEST_CASE("rules with a parameter too many, too few or out of range are refused") {
  const TempDir dir;
  const auto load = [&](const std::function<void(nn::Hdf5Writer&)>& write) {
    nn::Hdf5Writer file;
    write(file);
    file.write(dir / "file.h5");
    load_rules(nn::Hdf5Reader(dir / "file.h5"));
  };
  CHECK(contains(error_of(ErrorKind::kMismatch,
                          [&] {
                            load([](nn::Hdf5Writer& file) {
                              store_rules(file, {});
                              file.attribute("rules", "kroo", std::string("true"));
                            });
                          }),
                 "rules@kroo: no such rule parameter"));
  CHECK(contains(error_of(ErrorKind::kFile,
                          [&] {
                            load([](nn::Hdf5Writer& file) {
                              file.attribute("rules", "name", std::string("abapa"));
                            });
                          }),
                 "rules@grand_slam: missing"));
  env::RuleSet rules;
  rules.target_seeds = 99;
  CHECK(contains(error_of(ErrorKind::kFile,
                          [&] { load([&](nn::Hdf5Writer& file) { store_rules(file, rules); }); }),
                 "rules.target_seeds: expected 0 (none) or 1..48, found '99'"));
}

TEST_CASE("a missing directory stops the writer") {
  const TempDir dir;
  CHECK(contains(error_of(ErrorKind::kWrite,
                          [&] { write_shard(dir / "no" / "shard.h5", some_provenance(), {}); }),
                 "No such file or directory"));
}

TEST_CASE("files name the program that wrote them") {
  const TempDir dir;
  write_shard(dir / "shard.h5", some_provenance(), {});
  const nn::Hdf5Reader file(dir / "shard.h5");
  CHECK(file.string_attribute("/", "awale_version") == kVersion);
  CHECK(std::string(kGitRevision).size() >= 7);
}
