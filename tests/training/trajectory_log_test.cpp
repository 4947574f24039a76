#include "training/trajectory_log.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "env/error.hpp"
#include "nn/hdf5_rules.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/game_statistics.hpp"
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

const std::vector<env::RuleSet> kAbapa = {env::RuleSet{}};

Provenance some_provenance(const env::RuleSet& rules = {}) {
  return {{rules}, 0xFEDCBA9876543210U, "000003.h5", 4, "0123abc"};
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
  REQUIRE(left.prior == right.prior);
  REQUIRE(left.move_values == right.move_values);
  REQUIRE(left.root_value == right.root_value);
  REQUIRE(left.root_margin_seeds == right.root_margin_seeds);
  REQUIRE(left.network_value == right.network_value);
  REQUIRE(left.network_margin_seeds == right.network_margin_seeds);
  REQUIRE(left.network_draw == right.network_draw);
}

void require_equal(const std::vector<GameRecord>& left, const std::vector<GameRecord>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    INFO("game " << i);
    REQUIRE(left[i].game_id == right[i].game_id);
    REQUIRE(left[i].first_iteration == right[i].first_iteration);
    REQUIRE(left[i].last_iteration == right[i].last_iteration);
    REQUIRE(left[i].rules_index == right[i].rules_index);
    REQUIRE(left[i].source_index == right[i].source_index);
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
  nn::store_rule_sets(file, kAbapa);
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
    REQUIRE(shard.provenance.rules.size() == 1);
    CHECK(shard.provenance.rules[0].name == name);
    CHECK(shard.provenance.rules[0].same_game(rules));
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
  nn::store_rule_sets(file, kAbapa);
  file.write(dir / "checkpoint.h5");
  const nn::Hdf5Reader reader(dir / "checkpoint.h5");
  require_equal(load_games(reader, "open_games", nn::load_rule_sets(reader)), games);

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
  CHECK(contains(error_after([](GameRecord& game) { game.plies[5].flags = 32; }),
                 "ply 5: flags: unknown bits 32"));
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
  static_assert(kTrajectorySchemaVersion == 4);
  write_raw_shard(dir / "newer.h5", random_games({}, 1), kTrajectorySchemaVersion + 1);
  CHECK(contains(error_of(ErrorKind::kMismatch, [&] { read_shard(dir / "newer.h5"); }),
                 "trajectory schema 5; this build reads 1 to 4, use a newer awale"));
  write_raw_shard(dir / "older.h5", random_games({}, 1), 0);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "older.h5"); }),
                 "trajectory schema 0"));
}

namespace {

fs::path golden(int schema, const char* extension) {
  return AWALE_SOURCE_DIR "/tests/golden/shard_schema" + std::to_string(schema) + extension;
}

// What such a shard can have: `policy` is a target's sum, `table` bit 3 of the flags.
void require_old_ply(const PlyRecord& ply, int schema) {
  const auto visits = std::accumulate(ply.visits.begin(), ply.visits.end(), 0.0);
  const auto policy = std::accumulate(ply.policy.begin(), ply.policy.end(), 0);
  REQUIRE((visits > 0) == ((ply.flags & kUnsearchedPly) == 0));
  REQUIRE(std::abs(policy - ((ply.flags & (kUnsearchedPly | kFastSearch)) == 0 ? 65535 : 0)) <= 3);
  REQUIRE((schema == 3 || (ply.flags & kTableValue) == 0));
  REQUIRE((ply.flags & kSolvedPly) == 0);
  REQUIRE(ply.prior == std::array<std::uint16_t, env::kMoves>{});
  REQUIRE(ply.move_values == std::array<std::int16_t, env::kMoves>{});
  REQUIRE(ply.network_draw == 0);
  for (std::size_t move = 0; schema == 1 && visits > 0 && move < ply.policy.size(); ++move)
    REQUIRE(ply.policy[move] == std::lround(ply.visits[move] / visits * 65535));
}

}  // namespace

// Files and what `awale inspect --json` said of them, both by a build of that schema: 1 had no
// column plies/policy, 2 and 3 none of what 4 brought, 2 no table's word.
TEST_CASE("shards of older schemas read as they did, and write again as this one") {
  for (const int schema : {1, 2, 3}) {
    INFO("schema " << schema);
    REQUIRE(nn::Hdf5Reader(golden(schema, ".h5")).int_attribute("/", "schema_version") == schema);
    const auto said = nlohmann::json::parse(tests::read_bytes(golden(schema, ".json")));
    const Shard shard = read_shard(golden(schema, ".h5"));
    REQUIRE(shard.provenance.rules.size() == 1);
    for (const auto& [key, value] : env::to_key_values(shard.provenance.rules[0]))
      CHECK(said["rules"][key] == value);
    CHECK(said["seed"] == shard.provenance.seed);
    CHECK(said.value("relabelled_by", "") == shard.provenance.relabelled_by);
    GameStatistics statistics;
    int table_plies = 0;
    for (const auto& game : shard.games) {
      statistics.add(game);
      REQUIRE(game.rules_index == 0);
      for (const auto& ply : game.plies) {
        require_old_ply(ply, schema);
        table_plies += (ply.flags & kTableValue) != 0 ? 1 : 0;
      }
    }
    CHECK((table_plies > 0) == (schema == 3));
    const auto counted = statistics.to_json();
    for (const auto& [key, value] : counted.items())
      CHECK(said[key] == nlohmann::json(value));

    const TempDir dir;
    write_shard(dir / "shard.h5", shard.provenance, shard.games);
    require_equal(read_shard(dir / "shard.h5").games, shard.games);
    CHECK(nn::Hdf5Reader(dir / "shard.h5").int_attribute("/", "schema_version") == 4);
  }
}

TEST_CASE("a shard holds games of several rule sets") {
  const TempDir dir;
  Provenance provenance = some_provenance();
  std::vector<GameRecord> games;
  provenance.rules.clear();
  for (const auto& name : env::preset_names()) {
    const auto index = add_rules(provenance.rules, env::preset(name));
    CHECK(add_rules(provenance.rules, env::preset(name)) == index);
    for (auto& game : random_games(env::preset(name), 4)) {
      game.rules_index = index;
      game.game_id = games.size();
      games.push_back(game);
    }
  }
  write_shard(dir / "shard.h5", provenance, games);
  const Shard shard = read_shard(dir / "shard.h5");
  REQUIRE(shard.provenance.rules.size() == provenance.rules.size());
  for (std::size_t i = 0; i < provenance.rules.size(); ++i)
    CHECK(shard.provenance.rules[i] == provenance.rules[i]);
  require_equal(shard.games, games);

  // Read by the rules of another game, a game is none, and a rule set that is missing is named.
  const auto read_changed = [&](const std::function<void(nn::Hdf5Writer&)>& rules) {
    nn::Hdf5Writer file;
    file.attribute("/", "schema_version", kTrajectorySchemaVersion);
    store_games(file, "/", games);
    rules(file);
    file.write(dir / "changed.h5");
    return error_of(ErrorKind::kFile, [&] {
      const nn::Hdf5Reader reader(dir / "changed.h5");
      load_games(reader, "/", nn::load_rule_sets(reader));
    });
  };
  CHECK(contains(read_changed([&](nn::Hdf5Writer& file) {
                   nn::store_rule_sets(file, std::span(provenance.rules).first(3));
                 }),
                 "games/rules: row 12: expected 0..2, found 3"));
  CHECK(contains(read_changed([&](nn::Hdf5Writer& file) {
                   auto reversed = provenance.rules;
                   std::reverse(reversed.begin(), reversed.end());
                   nn::store_rule_sets(file, reversed);
                 }),
                 "game "));
  CHECK(contains(read_changed([&](nn::Hdf5Writer& file) {
                   nn::store_rule_sets(file, provenance.rules);
                   file.attribute("rules/99", "name", std::string("abapa"));
                 }),
                 "rules: expected groups 0 to "));
}

TEST_CASE("a merged shard names its sources, and game ids are unique in each source") {
  const TempDir dir;
  auto provenance = some_provenance();
  provenance.sources = {{"a.h5", 7, "000001.h5", 2, "abc"}, {"b.h5", 8, "000003.h5", 4, "def"}};
  auto games = random_games({}, 3);
  for (auto game : random_games({}, 4)) {
    game.source_index = 1;
    games.push_back(game);
  }
  write_shard(dir / "shard.h5", provenance, games);
  const Shard shard = read_shard(dir / "shard.h5");
  CHECK(shard.provenance.sources == provenance.sources);
  require_equal(shard.games, games);

  games.back().game_id = 0;
  write_shard(dir / "twice.h5", provenance, games);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "twice.h5"); }),
                 "games/game_id: 0 of source 1 occurs twice"));
  games.back().game_id = 3;
  games.back().source_index = 2;
  write_shard(dir / "third.h5", provenance, games);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { read_shard(dir / "third.h5"); }),
                 "games/source: row 6: expected 0..1, found 2"));
}

TEST_CASE("a prior of other moves than the legal ones, or a value without visits, is refused") {
  const auto with = [](const std::function<void(PlyRecord&)>& change) {
    return error_after([&](GameRecord& game) { change(game.plies[5]); });
  };
  CHECK(contains(with([](PlyRecord& ply) { ply.prior[ply.move] = 0; }),
                 "ply 5: prior: expected some of each of "));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[0].prior[0] = 1; }),
                 "ply 0: prior: not 0 without a search"));
  CHECK(contains(error_after([](GameRecord& game) {
                   for (auto& ply : game.plies) {
                     if ((ply.flags & kUnsearchedPly) == 0) ply.prior.fill(1);
                   }
                 }),
                 "prior: expected some of each of "));
  CHECK(contains(error_after([](GameRecord& game) { game.plies[0].move_values[0] = 1; }),
                 "ply 0: move_values: pit 0 has one and no visits"));
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
    nn::load_rule_sets(nn::Hdf5Reader(dir / "file.h5"));
  };
  CHECK(contains(error_of(ErrorKind::kMismatch,
                          [&] {
                            load([](nn::Hdf5Writer& file) {
                              nn::store_rule_sets(file, kAbapa);
                              file.attribute("rules/0", "kroo", std::string("true"));
                            });
                          }),
                 "rules/0@kroo: no such rule parameter"));
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
                          [&] {
                            load([&](nn::Hdf5Writer& file) {
                              nn::store_rule_sets(file, {&rules, 1});
                            });
                          }),
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
