// The solver against a naive one, against counts that others have published, and its moves
// backwards against the moves forwards.
#include "env/endgame/layer_solver.hpp"

#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "env/endgame/quiet_predecessors.hpp"
#include "env/endgame/statistics.hpp"
#include "env/endgame/verify.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Edges = std::set<std::pair<std::uint64_t, std::uint64_t>>;

Edges quiet_moves_forwards(const env::RuleSet& rules, int seeds) {
  Edges edges;
  for (auto index = env::layer_begin(seeds); index < env::layer_begin(seeds + 1); ++index) {
    const env::Board board = env::to_board(env::board_at(index));
    const env::LegalMask legal = env::legal_moves(rules, board);
    for (env::Move move = 0; move < env::kMoves; ++move) {
      env::Board child = board;
      if ((legal >> move & 1) == 0 || env::play(rules, child, move) > 0) continue;
      edges.emplace(index, env::board_index(env::to_rows(child)));
    }
  }
  return edges;
}

Edges quiet_moves_backwards(const env::RuleSet& rules, int seeds) {
  Edges edges;
  for (auto index = env::layer_begin(seeds); index < env::layer_begin(seeds + 1); ++index) {
    env::for_each_quiet_predecessor(rules, env::board_at(index), [&](const env::Rows& before) {
      CHECK(edges.emplace(env::board_index(before), index).second);
    });
  }
  return edges;
}

// The counts in the format of `awale endgame stats --csv`.
std::string histogram(const env::EndgameTable& table) {
  std::ostringstream text;
  text << "seeds,value,positions\n";
  for (int seeds = 0; seeds <= table.seeds(); ++seeds) {
    const auto layer = env::layer_statistics(table, seeds, 2);
    for (int value = -seeds; value <= seeds; ++value) {
      const auto win = static_cast<std::size_t>(std::max(value, 0));
      const auto loss = static_cast<std::size_t>(std::max(-value, 0));
      if (const auto boards = layer.counts[win][loss]; boards > 0)
        text << seeds << ',' << value << ',' << boards << '\n';
    }
  }
  return text.str();
}

std::string data_file(const std::string& name) {
  std::ifstream file(std::string(AWALE_TEST_DATA) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

env::RuleSet abapa_split() {
  env::RuleSet rules = env::preset("abapa");
  rules.name = "custom";
  rules.repetition_score = env::CutOffScore::kSplit;
  return rules;
}

}  // namespace

TEST_CASE("moves backwards are the moves forwards turned round, under all rules") {
  for (const auto& rules : endgame_rules()) {
    INFO(env::describe(rules));
    for (int seeds = 0; seeds <= 6; ++seeds)
      REQUIRE(quiet_moves_backwards(rules, seeds) == quiet_moves_forwards(rules, seeds));
  }
  // Sowing round the board more than once.
  env::Board board;
  board.pits = {25, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto rules = env::preset("abapa");
  env::Board child = board;
  REQUIRE(env::play(rules, child, 0) == 0);
  bool found = false;
  env::for_each_quiet_predecessor(rules, env::to_rows(child), [&](const env::Rows& before) {
    found = found || before == env::to_rows(board);
  });
  CHECK(found);
}

TEST_CASE("every board of up to 6 seeds has the guarantees that naive iteration finds") {
  for (const auto& rules : endgame_rules()) {
    INFO(env::describe(rules));
    const env::EndgameTable table = small_table(rules, 6);
    const NaiveTable naive = naive_table(rules, 6);
    REQUIRE(naive.size() == env::layer_begin(7));
    for (const auto& [pits, expected] : naive) {
      const env::Board board = board_of(pits);
      INFO(board);
      REQUIRE(table.guarantees(board) == expected);
    }
  }
}

TEST_CASE("awari up to 12 seeds has the values of Lincke's published table") {
  CHECK(histogram(small_table(env::preset("awari"), 12)) == data_file("awari_histogram.csv"));
}

TEST_CASE("abapa with a shared rest has the values that are known up to 12 seeds") {
  CHECK(histogram(small_table(abapa_split(), 12)) == data_file("abapa_split_histogram.csv"));
}

TEST_CASE("abapa's guarantees meet on as many boards as is known up to 12 seeds") {
  const auto table = small_table(env::preset("abapa"), 12);
  const std::array<std::uint64_t, 13> known = {1,     12,    65,     300,    994,    4090,  10167,
                                               25993, 46097, 108022, 124587, 232010, 250468};
  for (int seeds = 1; seeds <= 12; ++seeds) {
    INFO(seeds << " seeds");
    CHECK(env::layer_statistics(table, seeds, 1).reachable_exact ==
          known[static_cast<std::size_t>(seeds)]);
  }
}

TEST_CASE("guarantees never promise more seeds than there are, and values have one sign") {
  for (const auto& rules : endgame_rules()) {
    const env::EndgameTable table = small_table(rules, 8);
    for (int seeds = 0; seeds <= 8; ++seeds) {
      for (auto index = env::layer_begin(seeds); index < env::layer_begin(seeds + 1); ++index) {
        const auto [win, loss] = table.array()[index];
        REQUIRE(win + loss <= seeds);
        if (table.cycles() == env::CycleScore::kZero) REQUIRE((win == 0 || loss == 0));
      }
    }
  }
}

TEST_CASE("every entry of a table is what its moves lead to, under all rules") {
  for (const auto& rules : endgame_rules()) {
    INFO(env::describe(rules));
    const auto mismatch = env::find_mismatch(small_table(rules, 9), 2, [](std::uint64_t) {});
    CHECK_FALSE(mismatch);
  }
}

TEST_CASE("a layer that needs more memory than allowed is refused") {
  env::LayerSolver solver(env::preset("abapa"), 1);
  const std::uint8_t empty_board[] = {0, 0};
  const env::GuaranteeArray lower(env::CycleScore::kUnknown, empty_board);
  CHECK_NOTHROW(solver.solve(1, lower, 1000, [](std::uint64_t) {}));
  CHECK_THROWS_WITH(solver.solve(1, lower, 40, [](std::uint64_t) {}),
                    tests::contains("memory: the layer of 1 seeds needs more than 0 MiB"));
}

TEST_CASE("the boards that a layer reports add up to its size") {
  std::uint64_t boards = 0;
  env::LayerSolver solver(env::preset("abapa"), 1);
  const std::uint8_t empty_board[] = {0, 0};
  solver.solve(1, {env::CycleScore::kUnknown, empty_board}, 1000,
               [&boards](std::uint64_t count) { boards += count; });
  CHECK(boards == env::layer_size(1));
}

}  // namespace awale::test
