// Relabelled games against the table itself and exhaustive search.
#include "training/relabel.hpp"

#include <cmath>

#include "env/endgame/final_bounds.hpp"
#include "env/random.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/mcts/small_boards.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/targets.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;

namespace {

const TargetConfig kLambda90 = {0.9};

int sign(int value) {
  return (value > 0) - (value < 0);
}

bool same_word(const PlyRecord& left, const PlyRecord& right) {
  return left.root_value == right.root_value && left.root_margin_seeds == right.root_margin_seeds &&
         left.flags == right.flags;
}

bool same_rest(const PlyRecord& left, const PlyRecord& right) {
  return left.position.board == right.position.board && left.move == right.move &&
         left.visits == right.visits && left.policy == right.policy &&
         left.network_value == right.network_value &&
         left.network_margin_seeds == right.network_margin_seeds;
}

// The first half of a game, then the table's word for a game of three searched plies.
GameRecord three_plies(float value, std::uint8_t flags, int margin_south) {
  GameRecord game;
  game.outcome = {env::EndReason::kTarget, margin_south};
  env::Side side = env::Side::kSouth;
  for (const float own : {-0.2F, value, 0.7F}) {
    PlyRecord ply;
    ply.position.board.to_move = side;
    ply.legal = 1;
    ply.visits = {1};
    ply.policy = {65535};
    ply.root_value = own;
    ply.root_margin_seeds = 10 * own;
    game.plies.push_back(ply);
    side = env::opponent(side);
  }
  game.plies[1].flags = flags;
  return game;
}

double win_minus_loss(const TrainingRow& row) {
  return row.win_draw_loss[0] - row.win_draw_loss[2];
}

}  // namespace

TEST_CASE("relabelled values are the table's, the rest of a game is untouched") {
  for (const char* preset : {"abapa", "auale", "awari", "codingame"}) {
    const auto rules = env::preset(preset);
    const auto table = test::small_table(rules, 9);
    const auto before = tests::random_games(rules, 200);
    auto after = before;
    const auto counts = relabel(table, {&rules, 1}, after);
    std::uint64_t covered = 0;
    std::uint64_t exact = 0;
    std::uint64_t certain = 0;
    std::uint64_t changed_sign = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      REQUIRE(after[i].outcome.margin_south_seeds == before[i].outcome.margin_south_seeds);
      for (std::size_t k = 0; k < before[i].plies.size(); ++k) {
        const PlyRecord& old_ply = before[i].plies[k];
        const PlyRecord& ply = after[i].plies[k];
        REQUIRE(same_rest(ply, old_ply));
        const int plies_left = rules.ply_limit - ply.position.ply;
        const auto bounds = env::final_margin_bounds(table, rules, ply.position.board);
        if (!bounds || plies_left < 100) {
          REQUIRE(same_word(ply, old_ply));
          continue;
        }
        ++covered;
        const bool searched = (ply.flags & kUnsearchedPly) == 0;
        changed_sign += searched && ply.root_value * old_ply.root_value < 0 ? 1 : 0;
        REQUIRE(((ply.flags & kTableValue) != 0) == bounds->exact());
        if (bounds->exact()) {
          ++exact;
          certain += env::holds_from_here(rules, ply.position) ? 1 : 0;
          REQUIRE(ply.root_value == static_cast<float>(sign(bounds->low)));
          REQUIRE(ply.root_margin_seeds == static_cast<float>(bounds->low));
        } else {
          REQUIRE(ply.root_margin_seeds >= static_cast<float>(bounds->low));
          REQUIRE(ply.root_margin_seeds <= static_cast<float>(bounds->high));
          const float old_margin = old_ply.root_margin_seeds;
          if (old_margin >= bounds->low && old_margin <= bounds->high)
            REQUIRE(ply.root_margin_seeds == old_margin);
          const auto verdict = env::verdict(*bounds);
          if (verdict == env::Verdict::kWin) REQUIRE(ply.root_value == 1);
          if (verdict == env::Verdict::kLoss) REQUIRE(ply.root_value == -1);
          if (verdict == env::Verdict::kDrawOrWin) REQUIRE(ply.root_value >= 0);
          if (verdict == env::Verdict::kDrawOrLoss) REQUIRE(ply.root_value <= 0);
          if (verdict == env::Verdict::kUnknown) REQUIRE(ply.root_value == old_ply.root_value);
        }
      }
    }
    INFO(preset);
    CHECK(counts.games == 200);
    CHECK(counts.covered == covered);
    CHECK(counts.exact == exact);
    CHECK(counts.certain == certain);
    CHECK(counts.changed_sign == changed_sign);
    CHECK(exact > 0);
    CHECK((certain == 0) == (rules.ply_limit < env::kPliesToEnd));
    // What has been relabelled stays as it is.
    auto again = after;
    const auto nothing = relabel(table, {&rules, 1}, again);
    CHECK(nothing.changed_sign + nothing.limited == 0);
    CHECK(nothing.value_error + nothing.margin_error_seeds == 0);
  }
}

TEST_CASE("with a game's past a table is right after captures, and nearly always elsewhere") {
  const auto rules = env::preset("auale");
  const auto table = test::small_table(rules, 6);
  auto games = tests::random_games(rules, 100);
  relabel(table, {&rules, 1}, games);
  test::Prover prover(20'000);
  int certain = 0;
  int estimated = 0;
  int missed = 0;  // estimates that a repetition spoils
  for (const auto& record : games) {
    env::Game game(rules, record.start);
    for (const auto& ply : record.plies) {
      const bool exact = (ply.flags & kTableValue) != 0;
      if (const auto margin = exact ? prover.margin(game) : std::nullopt) {
        const bool same = ply.root_margin_seeds == static_cast<float>(*margin);
        const bool fresh = ply.position.quiet_plies == 0;
        if (fresh) CHECK(same);
        (fresh ? certain : estimated) += 1;
        missed += same ? 0 : 1;
      }
      game.play(ply.move);
    }
  }
  INFO(certain << " certain, " << missed << " of " << estimated << " estimates missed");
  CHECK(certain > 30);
  CHECK(estimated > 500);
  CHECK(missed < estimated / 20);
}

TEST_CASE("a table's value is the target itself, and what the plies before build on") {
  // South wins by 6 in the end, but at ply 1 North had a certain win by 4.
  //   ply 2 (South): z = 1
  //   ply 1 (North): z = 1, margin 4
  //   ply 0 (South): z = 0.1 * -0.2 + 0.9 * -1 = -0.92, margin = 0.1 * -2 + 0.9 * -4 = -3.8
  auto game = three_plies(1, kTableValue, 6);
  game.plies[1].root_margin_seeds = 4;
  const auto rows = training_rows(game, kLambda90);
  CHECK(win_minus_loss(rows[2]) == Approx(1.0));
  CHECK(rows[1].win_draw_loss == std::array<float, 3>{1, 0, 0});
  CHECK(rows[1].margin_seeds == 4);
  CHECK(win_minus_loss(rows[0]) == Approx(-0.92));
  CHECK(rows[0].margin_seeds == Approx(-3.8));
  // At the last ply, too, whatever the agent made of it.
  auto blunder = three_plies(0.5F, 0, -6);
  blunder.plies[2].flags = kTableValue;
  blunder.plies[2].root_value = 1;
  CHECK(training_rows(blunder, kLambda90)[2].win_draw_loss == std::array<float, 3>{1, 0, 0});
}

TEST_CASE("a draw by the table is a draw in a game that somebody has won, and the other way") {
  const auto drawn = training_rows(three_plies(0, kTableValue, 6), kLambda90);
  CHECK(drawn[1].win_draw_loss == std::array<float, 3>{0, 1, 0});
  CHECK(drawn[0].win_draw_loss[1] == Approx(0.98));  // z = 0.1 * -0.2
  CHECK(drawn[2].win_draw_loss == std::array<float, 3>{1, 0, 0});
  const auto won = training_rows(three_plies(1, kTableValue, 0), kLambda90);
  CHECK(won[1].win_draw_loss == std::array<float, 3>{1, 0, 0});
  CHECK(won[0].win_draw_loss[1] == 0);
  CHECK(won[2].win_draw_loss == std::array<float, 3>{0, 1, 0});
}

TEST_CASE("relabelled games survive a shard, old shards become new ones") {
  const tests::TempDir dir;
  const auto table = test::small_table(env::preset("abapa"), 9);
  for (const bool old_shard : {false, true}) {
    Shard shard{{{env::preset("abapa")}, 1, "", 1, ""}, tests::random_games({}, 100)};
    if (old_shard) shard = read_shard(AWALE_SOURCE_DIR "/tests/golden/shard_schema1.h5");
    relabel(table, shard.provenance.rules, shard.games);
    shard.provenance.relabelled_by = env::describe(table);
    write_shard(dir / "shard.h5", shard.provenance, shard.games);
    const Shard again = read_shard(dir / "shard.h5");
    CHECK(again.provenance.relabelled_by == env::describe(table));
    REQUIRE(again.games.size() == shard.games.size());
    for (std::size_t i = 0; i < again.games.size(); ++i) {
      for (std::size_t k = 0; k < again.games[i].plies.size(); ++k)
        REQUIRE(same_word(again.games[i].plies[k], shard.games[i].plies[k]));
    }
    const nn::Hdf5Reader file(dir / "shard.h5");
    CHECK(file.int_attribute("/", "schema_version") == 4);
  }
}
