#include "env/endgame/board_index.hpp"

#include <numeric>

#include "env/random.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

// By chance, any number of seeds that a table can hold.
env::Rows random_rows(env::RandomStream& random) {
  return env::board_at(random() % env::layer_begin(env::kMaxEndgameSeeds + 1));
}

}  // namespace

TEST_CASE("the layers of an endgame table have the sizes that combinatorics gives") {
  CHECK(env::layer_size(0) == 1);
  CHECK(env::layer_size(1) == 12);
  CHECK(env::layer_size(2) == 78);
  CHECK(env::layer_size(15) == 7'726'160);
  CHECK(env::layer_size(24) == 417'225'900);
  CHECK(env::layer_begin(16) == 17'383'860);
  CHECK(env::layer_begin(21) == 225'792'840);
}

TEST_CASE("the boards of a table are numbered without gaps, a layer after the other") {
  std::uint64_t index = 0;
  for (int seeds = 0; seeds <= 7; ++seeds) {
    REQUIRE(env::layer_begin(seeds) == index);
    env::Rows rows = env::board_at(index);
    for (std::uint64_t i = 0; i < env::layer_size(seeds); ++i, ++index) {
      const auto pits = env::to_board(rows).pits;
      REQUIRE(std::accumulate(pits.begin(), pits.end(), 0) == seeds);
      REQUIRE(env::board_index(rows) == index);
      REQUIRE(env::board_at(index) == rows);
      if (i + 1 < env::layer_size(seeds)) env::advance_in_layer(rows);
    }
  }
}

TEST_CASE("the index of a board is the number of its borders' combination") {
  CHECK(env::board_index(env::to_rows(board_of({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))) == 0);
  CHECK(env::board_index(env::to_rows(board_of({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}))) == 1);
  CHECK(env::board_index(env::to_rows(board_of({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))) == 12);
  // Sums of the first pits 0, 2, ..., 2, 3: C(3, 2) + C(4, 3) + ... + C(12, 11) + C(14, 12).
  CHECK(env::board_index(env::to_rows(board_of({0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}))) ==
        3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 91);
}

TEST_CASE("large boards keep their place in every form") {
  env::RandomStream random(1, env::RandomPurpose::kMatch, 0, 0);
  for (int i = 0; i < 100'000; ++i) {
    const env::Rows rows = random_rows(random);
    REQUIRE(env::board_at(env::board_index(rows)) == rows);
    REQUIRE(env::unpack(env::pack(rows)) == rows);
    REQUIRE(env::to_rows(env::to_board(rows)) == rows);
  }
}

TEST_CASE("stores do not change a board's place") {
  env::Board board = board_of({1, 2, 0, 0, 3, 0, 0, 0, 1, 0, 0, 2});
  const auto index = env::board_index(env::to_rows(board));
  board.store_to_move = 20;
  board.store_opponent = 19;
  board.to_move = env::Side::kNorth;
  CHECK(env::board_index(env::to_rows(board)) == index);
}

}  // namespace awale::test
