// Endgame tables as files: what is read is what was built, and nothing else is.
#include "env/endgame/table.hpp"

#include <sys/file.h>
#include <xxhash.h>

#include <fcntl.h>
#include <unistd.h>

#include "env/endgame/table_file.hpp"
#include "env/endgame/verify.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using tests::read_bytes;
using tests::write_bytes;

const env::RuleSet kAbapa = env::preset("abapa");
const env::RuleSet kAwari = env::preset("awari");

std::string open_error(ErrorKind kind, const std::filesystem::path& path) {
  return error_of(kind, [&] { env::EndgameTable::open(path); });
}

// Makes the checksums right again, so that only the contents are wrong.
void sign(std::string& bytes, int seeds, std::size_t width) {
  for (int layer = 0; layer <= seeds; ++layer) {
    const auto begin = env::kEndgameHeaderBytes + env::layer_begin(layer) * width;
    const std::uint64_t sum = XXH3_64bits(&bytes[begin], env::layer_size(layer) * width);
    bytes.replace(24 + 8 * static_cast<std::size_t>(layer), 8,
                  {reinterpret_cast<const char*>(&sum), 8});
  }
  const std::uint64_t sum = XXH3_64bits(bytes.data(), env::kEndgameHeaderBytes - 8);
  bytes.replace(env::kEndgameHeaderBytes - 8, 8, {reinterpret_cast<const char*>(&sum), 8});
}

}  // namespace

TEST_CASE("a table is the same bytes whatever the number of threads, the stops and the start") {
  const tests::TempDir directory;
  REQUIRE(build_table(kAbapa, 9, directory / "one"));
  const std::string whole = read_bytes(directory / "one");

  REQUIRE(build_table(kAbapa, 9, directory / "three", 3));
  CHECK(read_bytes(directory / "three") == whole);

  // Stopped after some layers, twice, and gone on with.
  CHECK_FALSE(build_table(kAbapa, 9, directory / "stopped", 1, 4));
  CHECK_FALSE(std::filesystem::exists(directory / "stopped"));
  CHECK_FALSE(build_table(kAbapa, 9, directory / "stopped", 1, 3));
  REQUIRE(build_table(kAbapa, 9, directory / "stopped"));
  CHECK(read_bytes(directory / "stopped") == whole);
  CHECK_FALSE(std::filesystem::exists(directory / "stopped.building"));

  // From a smaller finished one.
  REQUIRE(build_table(kAbapa, 6, directory / "grown"));
  CHECK(env::EndgameTable::open(directory / "grown").seeds() == 6);
  REQUIRE(build_table(kAbapa, 9, directory / "grown"));
  CHECK(read_bytes(directory / "grown") == whole);

  // Rules that share the table leave it as it is.
  REQUIRE(build_table(kAbapa, 6, directory / "shared"));
  REQUIRE(build_table(env::preset("auale"), 9, directory / "shared"));
  CHECK(read_bytes(directory / "shared") == whole);

  // A larger one is kept.
  REQUIRE(build_table(kAbapa, 5, directory / "grown"));
  CHECK(read_bytes(directory / "grown") == whole);
}

TEST_CASE("a build goes on from what a kill has left, whatever that is") {
  const tests::TempDir directory;
  REQUIRE(build_table(kAbapa, 8, directory / "whole"));
  const std::string whole = read_bytes(directory / "whole");
  REQUIRE_FALSE(build_table(kAbapa, 8, directory / "t", 1, 6));
  const std::string partial = read_bytes(directory / "t.building");

  SECTION("a part of the next layer") {
    write_bytes(directory / "t.building", partial + std::string(1000, 'x'));
  }
  SECTION("a damaged layer") {
    std::string bytes = partial;
    bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] + 1);
    write_bytes(directory / "t.building", bytes);
  }
  SECTION("a layer cut short") {
    write_bytes(directory / "t.building", partial.substr(0, partial.size() - 1));
  }
  SECTION("a torn header") {
    write_bytes(directory / "t.building", partial.substr(0, 100) + std::string(5000, '\0'));
  }
  SECTION("nothing") {
    write_bytes(directory / "t.building", "");
  }
  REQUIRE(build_table(kAbapa, 8, directory / "t"));
  CHECK(read_bytes(directory / "t") == whole);
}

TEST_CASE("an unfinished build of other rules is not thrown away") {
  const tests::TempDir directory;
  REQUIRE_FALSE(build_table(kAwari, 8, directory / "t", 1, 4));
  CHECK(contains(error_of(ErrorKind::kMismatch, [&] { build_table(kAbapa, 8, directory / "t"); }),
                 "expected an unfinished build for the rules abapa, found one for awari"));
  CHECK(build_table(kAwari, 8, directory / "t"));
}

TEST_CASE("two processes never build one table") {
  const tests::TempDir directory;
  const int other = ::open((directory / "t.building").c_str(), O_RDWR | O_CREAT, 0666);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  CHECK(contains(error_of(ErrorKind::kWrite, [&] { build_table(kAbapa, 3, directory / "t"); }),
                 "another process is building it"));
  ::close(other);
  CHECK(build_table(kAbapa, 3, directory / "t"));
}

TEST_CASE("a build refuses to replace what is no table of its rules") {
  const tests::TempDir directory;
  REQUIRE(build_table(kAwari, 4, directory / "awari"));
  CHECK(
      contains(error_of(ErrorKind::kMismatch, [&] { build_table(kAbapa, 5, directory / "awari"); }),
               "expected a table for the rules abapa"));
  write_bytes(directory / "text", "not a table");
  CHECK(contains(error_of(ErrorKind::kFile, [&] { build_table(kAbapa, 5, directory / "text"); }),
                 "this is no endgame table"));
  CHECK(read_bytes(directory / "text") == "not a table");
  CHECK(
      contains(error_of(ErrorKind::kWrite, [&] { build_table(kAbapa, 5, directory / "no" / "t"); }),
               "opening it: No such file or directory"));
}

TEST_CASE("a build that needs more memory than allowed is refused before it begins") {
  env::EndgameBuildConfig config;
  config.rules = kAbapa;
  config.seeds = 20;
  config.memory_bytes = std::size_t{1} << 30;
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { config.validate(); }),
                 "--memory: expected at least 1077 MiB for 20 seeds, found 1024 MiB"));
  config.seeds = 32;
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { config.validate(); }),
                 "--seeds: expected 1..31, found 32"));
}

TEST_CASE("any damaged byte of a table is noticed") {
  const tests::TempDir directory;
  REQUIRE(build_table(kAwari, 4, directory / "t"));
  const std::string whole = read_bytes(directory / "t");
  for (std::size_t i = 0; i < whole.size(); i += i < 300 || i > 4080 ? 1 : 97) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    write_bytes(directory / "t", bytes);
    INFO("byte " << i);
    CHECK(open_error(ErrorKind::kFile, directory / "t") +
              open_error(ErrorKind::kMismatch, directory / "t") !=
          "");
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{4096}, whole.size() - 1}) {
    write_bytes(directory / "t", whole.substr(0, size));
    INFO(size << " bytes");
    CHECK(open_error(ErrorKind::kFile, directory / "t") != "");
  }
  write_bytes(directory / "t", whole + "x");
  CHECK(contains(open_error(ErrorKind::kFile, directory / "t"), "bytes, found"));
}

TEST_CASE("errors about a table say what is wrong with it") {
  const tests::TempDir directory;
  REQUIRE(build_table(kAwari, 4, directory / "t"));
  std::string bytes = read_bytes(directory / "t");
  CHECK(contains(open_error(ErrorKind::kFile, directory / "absent"), "No such file"));
  CHECK(contains(open_error(ErrorKind::kFile, directory.path()), "this is no regular file"));
  CHECK(contains(
      error_of(ErrorKind::kMismatch, [&] { env::EndgameTable::open(directory / "t", kAbapa); }),
      "expected a table for the rules abapa, found one for awari"));
  bytes[8] = 9;
  write_bytes(directory / "t", bytes);
  CHECK(contains(open_error(ErrorKind::kMismatch, directory / "t"),
                 "expected format version 1, found 9"));
  bytes[8] = 1;
  bytes[env::kEndgameHeaderBytes + 3] = 9;
  write_bytes(directory / "t", bytes);
  CHECK(contains(open_error(ErrorKind::kFile, directory / "t"),
                 "the boards with 1 seeds are damaged"));
}

TEST_CASE("verification finds a wrong entry behind right checksums, the first of them") {
  const tests::TempDir directory;
  REQUIRE(build_table(kAwari, 5, directory / "t"));
  std::string bytes = read_bytes(directory / "t");
  const auto wrong = env::layer_begin(5) + 1234;
  bytes[env::kEndgameHeaderBytes + wrong] = 3;
  bytes[env::kEndgameHeaderBytes + wrong + 500] = 3;
  sign(bytes, 5, 1);
  write_bytes(directory / "t", bytes);
  const auto table = env::EndgameTable::open(directory / "t");
  const auto mismatch = env::find_mismatch(table, 2, [](std::uint64_t) {});
  REQUIRE(mismatch);
  // The entry itself, or a board that leads to it and comes before it.
  CHECK(env::board_index(env::to_rows(mismatch->board)) <= wrong);
}

TEST_CASE("rules that differ only where a table does not look share it") {
  CHECK(env::same_endgame(kAbapa, env::preset("auale")));
  CHECK(env::same_endgame(kAbapa, env::preset("openspiel")));
  CHECK_FALSE(env::same_endgame(kAbapa, kAwari));
  CHECK_FALSE(env::same_endgame(kAbapa, env::preset("codingame")));
  CHECK_FALSE(env::same_endgame(kAbapa, env::preset("beginner")));
  CHECK_FALSE(env::same_endgame(kAbapa, env::preset("wari_caribbean")));
  CHECK_FALSE(env::same_endgame(env::preset("valencian"), kAwari));
}

TEST_CASE("a table answers for boards with up to its seeds, whatever the stores") {
  const auto table = small_table(kAwari, 5);
  env::Board board;
  board.pits = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0};  // the only move takes both
  board.store_to_move = 23;
  board.store_opponent = 23;
  CHECK(table.covers(board));
  CHECK(table.probe(board) == env::FutureMargin{2, 2});
  board.pits[0] = 4;
  CHECK_FALSE(table.covers(board));
  CHECK_FALSE(table.probe(board));
  CHECK_FALSE(table.guarantees(env::initial_board()));
}

}  // namespace awale::test
