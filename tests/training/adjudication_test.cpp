// Self-play that a table ends: what it ends, how it is recorded, and what does not depend on it.
#include "training/adjudication.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "env/endgame/final_bounds.hpp"
#include "env/notation.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/mcts/small_boards.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/small_run.hpp"
#include "training/game_statistics.hpp"
#include "training/self_play.hpp"
#include "training/targets.hpp"
#include "training/trajectory_check.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;

namespace {

constexpr int kTableSeeds = 8;

// Rules under which games come to few seeds: no target ends them before.
env::RuleSet long_rules(const std::string& preset) {
  return env::from_key_values(env::preset(preset), {{"name", "custom"}, {"target_seeds", "0"}});
}

std::shared_ptr<const env::EndgameTable> table_for(const env::RuleSet& rules,
                                                   int seeds = kTableSeeds) {
  return std::make_shared<const env::EndgameTable>(test::small_table(rules, seeds));
}

SelfPlaySetup setup_with(const env::RuleSet& rules, std::shared_ptr<const env::EndgameTable> table,
                         double play_out_share = 0) {
  const auto config = tests::small_run();
  SelfPlaySetup setup;
  setup.config = config.self_play;
  setup.rules = {rules};
  setup.search = config.search;
  setup.seed = 7;
  setup.game_limit = 48;
  setup.endgame = std::move(table);
  setup.play_out_share = play_out_share;
  return setup;
}

std::unique_ptr<nn::Evaluator> hash_evaluator() {
  return std::make_unique<nn::HashEvaluator>();
}

std::vector<GameRecord> play_all(SelfPlay& self_play, int threads = 1) {
  std::vector<GameRecord> games;
  for (std::uint32_t iteration = 1; self_play.active(); ++iteration) {
    for (auto& game : self_play.advance(iteration, threads, hash_evaluator))
      games.push_back(std::move(game));
  }
  return games;
}

std::vector<GameRecord> play_all(const SelfPlaySetup& setup, int threads = 1) {
  SelfPlay self_play(setup);
  return play_all(self_play, threads);
}

env::Game end_of(const env::RuleSet& rules, const GameRecord& record) {
  env::Game game(rules, record.start);
  for (const auto& ply : record.plies)
    game.play(ply.move);
  return game;
}

int count_adjudicated(const std::vector<GameRecord>& games) {
  return static_cast<int>(
      std::count_if(games.begin(), games.end(), [](const auto& game) { return game.adjudicated; }));
}

std::string bytes_of(const env::RuleSet& rules, const std::vector<GameRecord>& games) {
  const tests::TempDir dir;
  write_shard(dir / "shard.h5", {{rules}, 7, "", 1, ""}, games);
  return tests::read_bytes(dir / "shard.h5");
}

}  // namespace

TEST_CASE("an adjudicated margin is what exhaustive search of the whole game finds") {
  for (const char* preset : {"auale", "awari", "valencian", "wari_caribbean"}) {
    const auto rules = long_rules(preset);
    const auto games = play_all(setup_with(rules, table_for(rules, 5)));
    REQUIRE(games.size() == 48);
    test::Prover prover(50'000);
    int proved = 0;
    for (const auto& record : games) {
      REQUIRE(find_inconsistency(rules, record) == std::nullopt);
      const env::Game game = end_of(rules, record);
      REQUIRE(game.over() != record.adjudicated);
      if (!record.adjudicated) continue;
      CHECK(record.outcome.reason == env::EndReason::kNone);
      const auto margin = prover.margin(game);
      if (!margin) continue;
      INFO(preset << " " << game.board());
      const bool south = game.board().to_move == env::Side::kSouth;
      CHECK(record.outcome.margin_south_seeds == (south ? *margin : -*margin));
      ++proved;
    }
    INFO(preset << ": " << proved << " of " << count_adjudicated(games));
    CHECK(count_adjudicated(games) > 24);
    CHECK(proved > count_adjudicated(games) / 3);
  }
}

TEST_CASE("games are stopped at the first position whose end is certain, and nowhere else") {
  const auto rules = long_rules("auale");
  const auto table = table_for(rules);
  int uncertain = 0;
  for (const auto& record : play_all(setup_with(rules, table))) {
    env::Game game(rules, record.start);
    for (const auto& ply : record.plies) {
      REQUIRE(!certain_margin(*table, rules, game.position()));
      uncertain += table->covers(game.board()) ? 1 : 0;
      game.play(ply.move);
    }
    if (game.over()) continue;
    const auto bounds = *env::final_margin_bounds(*table, rules, game.board());
    CHECK(bounds.exact());
    CHECK(game.position().quiet_plies == 0);
  }
  CHECK(uncertain > 0);
}

TEST_CASE("guarantees that do not meet end no game, nor does a past that may matter") {
  const auto rules = env::preset("abapa");
  const auto table = table_for(rules);
  int open = 0;
  int exact = 0;
  for (const auto& start : test::small_games(rules, 4)) {
    env::Position position = start.position();
    const auto bounds = *env::final_margin_bounds(*table, rules, position.board);
    REQUIRE(certain_margin(*table, rules, position).has_value() == bounds.exact());
    (bounds.exact() ? exact : open) += 1;
    position.quiet_plies = 1;
    REQUIRE(!certain_margin(*table, rules, position));
    position.quiet_plies = 0;
    position.ply = 501;  // of 1000
    REQUIRE(!certain_margin(*table, rules, position));
  }
  CHECK(open > 0);
  CHECK(exact > 0);
}

TEST_CASE(
    "the share that is played out is drawn by game, and its games are those without a table") {
  const auto rules = long_rules("awari");
  const auto table = table_for(rules);
  const auto free = play_all(setup_with(rules, nullptr));
  const auto all = play_all(setup_with(rules, table, 1));
  REQUIRE(bytes_of(rules, free) == bytes_of(rules, all));
  CHECK(count_adjudicated(all) == 0);

  std::set<std::uint64_t> played_out;
  for (const auto& game : play_all(setup_with(rules, table, 0.5))) {
    if (!game.adjudicated) played_out.insert(game.game_id);
    if (game.adjudicated) CHECK(!plays_out(7, game.game_id, 0.5));
  }
  CHECK(played_out.size() >= 12);
  CHECK(played_out.size() <= 36);

  int drawn = 0;
  for (std::uint64_t id = 0; id < 10'000; ++id)
    drawn += plays_out(7, id, 0.1) ? 1 : 0;
  CHECK(drawn == Approx(1000).margin(100));
  CHECK(!plays_out(7, 0, 0));
  CHECK(plays_out(7, 0, 1));
}

TEST_CASE("until a table stops them, games are what they would be without it") {
  const auto rules = long_rules("auale");
  std::map<std::uint64_t, GameRecord> free;
  for (auto& game : play_all(setup_with(rules, nullptr)))
    free[game.game_id] = std::move(game);
  for (const auto& game : play_all(setup_with(rules, table_for(rules)))) {
    const auto& other = free.at(game.game_id);
    REQUIRE(game.plies.size() <= other.plies.size());
    CHECK((game.plies.size() < other.plies.size()) == game.adjudicated);
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
      REQUIRE(game.plies[i].move == other.plies[i].move);
      REQUIRE(game.plies[i].root_value == other.plies[i].root_value);
    }
  }
}

TEST_CASE("adjudicated games do not depend on threads nor on interruptions") {
  const auto rules = long_rules("auale");
  auto setup = setup_with(rules, table_for(rules), 0.2);
  CHECK(bytes_of(rules, play_all(setup)) == bytes_of(rules, play_all(setup, 3)));

  setup.game_limit = 200;
  SelfPlay whole(setup);
  for (std::uint32_t iteration = 1; iteration <= 6; ++iteration)
    whole.advance(iteration, 1, hash_evaluator);
  SelfPlay resumed(setup);
  resumed.restore(whole.open_games());
  int adjudicated = 0;
  for (std::uint32_t iteration = 7; iteration <= 14; ++iteration) {
    const auto left = whole.advance(iteration, 1, hash_evaluator);
    const auto right = resumed.advance(iteration, 1, hash_evaluator);
    REQUIRE(bytes_of(rules, left) == bytes_of(rules, right));
    adjudicated += count_adjudicated(left);
  }
  CHECK(adjudicated > 10);
}

TEST_CASE("an adjudicated game survives a shard, which says its schema and its table") {
  const tests::TempDir dir;
  const auto rules = long_rules("awari");
  const auto table = table_for(rules);
  const auto games = play_all(setup_with(rules, table));
  Provenance provenance{{rules}, 7, "", 1, ""};
  provenance.adjudicated_by = env::describe(*table);
  write_shard(dir / "shard.h5", provenance, games);
  const Shard shard = read_shard(dir / "shard.h5");
  CHECK(shard.provenance.adjudicated_by == env::describe(*table));
  REQUIRE(shard.games.size() == games.size());
  GameStatistics statistics;
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(shard.games[i].adjudicated == games[i].adjudicated);
    CHECK(shard.games[i].outcome.reason == games[i].outcome.reason);
    CHECK(shard.games[i].outcome.margin_south_seeds == games[i].outcome.margin_south_seeds);
    statistics.add(shard.games[i]);
  }
  CHECK(statistics.to_json()["endings"]["adjudicated"] == count_adjudicated(games));
  CHECK(nn::Hdf5Reader(dir / "shard.h5").int_attribute("/", "schema_version") == 4);

  write_shard(dir / "free.h5", {{rules}, 7, "", 1, ""}, play_all(setup_with(rules, nullptr)));
  const nn::Hdf5Reader free(dir / "free.h5");
  CHECK(free.int_attribute("/", "schema_version") == 4);
  CHECK(free.attributes("/").size() + 1 == nn::Hdf5Reader(dir / "shard.h5").attributes("/").size());
}

TEST_CASE("an adjudicated end that cannot be is refused") {
  const auto rules = long_rules("auale");
  const auto games = play_all(setup_with(rules, table_for(rules)));
  const auto stopped =
      std::find_if(games.begin(), games.end(), [](const auto& game) { return game.adjudicated; });
  REQUIRE(stopped != games.end());
  const auto problem_after = [&](const auto& change) {
    GameRecord game = *stopped;
    change(game);
    return find_inconsistency(rules, game).value_or("");
  };
  CHECK(problem_after([](GameRecord&) {}).empty());
  CHECK_THAT(problem_after([](GameRecord& game) { game.outcome.margin_south_seeds = 48; }),
             tests::contains("margin_south: expected "));
  CHECK_THAT(problem_after([](GameRecord& game) {
               for (int quiet = 0; quiet == 0; game.plies.pop_back())
                 quiet = game.plies.back().position.quiet_plies;
             }),
             tests::contains("reason: adjudicated where no table is sure"));
  GameRecord whole = play_all(setup_with(rules, nullptr)).front();
  const std::string reason = to_string(whole.outcome.reason);
  whole.adjudicated = true;
  CHECK(find_inconsistency(rules, whole) == "reason: expected " + reason + ", found adjudicated");
}

TEST_CASE("the last target of an adjudicated game is its exact margin") {
  const auto rules = long_rules("auale");
  for (const auto& game : play_all(setup_with(rules, table_for(rules)))) {
    const auto rows = training_rows(game, {});
    if (!game.adjudicated || rows.empty()) continue;
    const bool south = rows.back().position.board.to_move == env::Side::kSouth;
    const int margin = game.outcome.margin_south_seeds * (south ? 1 : -1);
    CHECK(rows.back().margin_seeds == static_cast<float>(margin));
    CHECK(rows.back().win_draw_loss == win_draw_loss_target(margin > 0   ? 1
                                                            : margin < 0 ? -1
                                                                         : 0,
                                                            margin == 0));
  }
}

TEST_CASE("a table that could never end a game, or is for others, is refused") {
  const tests::TempDir dir;
  const auto abapa = env::preset("abapa");
  test::build_table(abapa, 3, dir / "abapa.eg");
  AdjudicationConfig config;
  CHECK(open_table(config, abapa) == nullptr);
  config.table = (dir / "abapa.eg").string();
  REQUIRE(open_table(config, abapa) != nullptr);
  CHECK(open_table(config, abapa)->seeds() == 3);
  CHECK_THAT(
      test::error_of(ErrorKind::kMismatch, [&] { open_table(config, env::preset("awari")); }),
      tests::contains("expected a table for the rules awari"));
  CHECK_THAT(
      test::error_of(ErrorKind::kUsage, [&] { open_table(config, env::preset("codingame")); }),
      tests::contains("adjudication.table: expected rules without a ply limit or with one above "
                      "500, found rules.ply_limit 200"));
  config.table = (dir / "none.eg").string();
  CHECK_THAT(test::error_of(ErrorKind::kFile, [&] { open_table(config, abapa); }),
             tests::contains("none.eg"));
  config.play_out_share = 1.5;
  CHECK_THAT(test::error_of(ErrorKind::kUsage, [&] { config.validate(); }),
             tests::contains("adjudication.play_out_share: expected a number in [0, 1]"));
}
