// Shards after accidents: whatever happens to the bytes, reading gives the games that were written
// or an error.
#include "env/error.hpp"
#include "nn/hdf5_rules.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::tests::read_bytes;
using awale::tests::TempDir;
using awale::tests::write_bytes;

namespace {

namespace fs = std::filesystem;

// A small shard; the damaged copies are made of its bytes.
class SmallShard {
 public:
  SmallShard() {
    const auto rules = env::from_key_values({}, {{"ply_limit", "30"}});
    provenance_ = {{rules}, 1, "000000.h5", 1, "abc"};
    write_shard(dir_ / "shard.h5", provenance_, tests::random_games(rules, 3));
    bytes_ = read_bytes(dir_ / "shard.h5");
  }

  const std::string& bytes() const { return bytes_; }

  // False if reading `bytes` gives an error, true if it gives the games written.
  bool reads(const std::string& bytes) const {
    write_bytes(dir_ / "damaged.h5", bytes);
    Shard shard;
    try {
      shard = read_shard(dir_ / "damaged.h5");
    } catch (const InputError&) {
      return false;
    }
    // The same games give the same bytes: see "equal games give equal bytes".
    write_shard(dir_ / "again.h5", shard.provenance, shard.games);
    const bool same = read_bytes(dir_ / "again.h5") == bytes_;  // not to print the bytes
    REQUIRE(same);
    return true;
  }

 private:
  TempDir dir_;
  Provenance provenance_;
  std::string bytes_;
};

// Column by column, by `change`, which gets each column and may alter it.
template <typename T, typename Change>
void copy_column(const nn::Hdf5Reader& from, nn::Hdf5Writer& to, const std::string& path,
                 const Change& change) {
  const auto array = from.dataset<T>(path);
  std::vector<std::int64_t> values(array.values.begin(), array.values.end());
  const std::size_t width = array.values.size() / array.shape[0];
  if (!change(path, values)) return;
  const std::vector<T> changed(values.begin(), values.end());
  auto shape = array.shape;
  shape[0] = changed.size() / width;
  to.dataset<T>(path, changed, shape);
}

// Writes a copy of the shard `from` whose integer columns went through `change`.
template <typename Change>
void copy_shard(const fs::path& from, const fs::path& to, const Change& change) {
  const nn::Hdf5Reader reader(from);
  nn::Hdf5Writer writer;
  for (const auto& name : reader.attributes("/")) {
    std::visit([&](const auto& value) { writer.attribute("/", name, value); },
               reader.attribute("/", name));
  }
  nn::store_rule_sets(writer, nn::load_rule_sets(reader));
  for (const std::string table : {"games/", "plies/"}) {
    for (const auto& name : reader.children(table.substr(0, 5))) {
      const std::string path = table + name;
      const auto type = reader.dataset_info(path).type;
      if (type == "uint8") copy_column<std::uint8_t>(reader, writer, path, change);
      if (type == "int8") copy_column<std::int8_t>(reader, writer, path, change);
      if (type == "int16") copy_column<std::int16_t>(reader, writer, path, change);
      if (type == "uint16") copy_column<std::uint16_t>(reader, writer, path, change);
      if (type == "uint32") copy_column<std::uint32_t>(reader, writer, path, change);
      if (type == "uint64") copy_column<std::uint64_t>(reader, writer, path, change);
      if (type == "float32") copy_column<float>(reader, writer, path, change);
    }
  }
  writer.write(to);
}

using Values = std::vector<std::int64_t>;

// What reading says after `change` has altered column `path`, or left it out by returning false.
template <typename Change>
std::string error_after(const std::string& path, const Change& change) {
  const TempDir dir;
  env::RuleSet rules;
  rules.ply_limit = 10;
  write_shard(dir / "shard.h5", {{rules}, 1, "", 1, ""}, tests::random_games(rules, 3));
  copy_shard(dir / "shard.h5", dir / "copy.h5", [&](const std::string& column, Values& values) {
    return column != path || change(values);
  });
  try {
    read_shard(dir / "copy.h5");
  } catch (const InputError& error) {
    CHECK(error.kind() == ErrorKind::kFile);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a shard cut short anywhere is refused") {
  const SmallShard shard;
  const auto& bytes = shard.bytes();
  for (std::size_t length = 0; length < bytes.size(); length += 1 + length % 61) {
    INFO("cut to " << length << " of " << bytes.size() << " bytes");
    REQUIRE_FALSE(shard.reads(bytes.substr(0, length)));
  }
  REQUIRE_FALSE(shard.reads(bytes.substr(0, bytes.size() - 1)));
  REQUIRE(shard.reads(bytes));
}

TEST_CASE("a shard with a flipped byte is refused or reads the same") {
  const SmallShard shard;
  const auto& bytes = shard.bytes();
  std::size_t noticed = 0;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + at % 13) {
    INFO("byte " << at << " of " << bytes.size());
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    noticed += shard.reads(damaged) ? 0 : 1;
    ++tried;
  }
  CHECK(noticed > tried / 2);
}

TEST_CASE("a shard overwritten in part is refused or reads the same") {
  const SmallShard shard;
  const auto& bytes = shard.bytes();
  for (std::size_t at = 0; at + 64 < bytes.size(); at += 509) {
    INFO("64 bytes at " << at << " of " << bytes.size());
    for (const char filler : {'\0', '\xFF'}) {
      std::string damaged = bytes;
      damaged.replace(at, 64, 64, filler);
      shard.reads(damaged);
    }
  }
}

TEST_CASE("an unaltered copy of a shard reads") {
  CHECK(error_after("", [](Values&) { return true; }).empty());
}

TEST_CASE("each column must be there, with as many rows as the others") {
  for (const std::string column : {"games/game_id", "games/start_board", "plies/board",
                                   "plies/move", "plies/visits", "plies/network_margin"}) {
    INFO(column);
    const auto missing = error_after(column, [](Values&) { return false; });
    CHECK(missing.find(column + ": missing") != std::string::npos);
    const auto longer = error_after(column, [](Values& values) {
      values.resize(values.size() * 2);
      return true;
    });
    CHECK(longer.find("expected") != std::string::npos);
    CHECK(longer.find("rows as in the other columns") != std::string::npos);
  }
}

TEST_CASE("numbers that stand for something else than they may are refused") {
  const auto set_second = [](std::int64_t value) {
    return [value](Values& values) {
      values[1] = value;
      return true;
    };
  };
  CHECK_THAT(error_after("games/reason", set_second(6)),
             tests::contains("games/reason: row 1: expected 0..5, found 6"));
  CHECK_THAT(error_after("games/start_to_move", set_second(2)),
             tests::contains("games/start_to_move: row 1: expected 0..1, found 2"));
  CHECK_THAT(error_after("plies/to_move", set_second(255)),
             tests::contains("plies/to_move: row 1: expected 0..1, found 255"));
}

TEST_CASE("the games must cover the plies without gaps") {
  const auto add = [](std::size_t row, std::int64_t value) {
    return [row, value](Values& values) {
      values[row] += value;
      return true;
    };
  };
  CHECK_THAT(error_after("games/first_ply", add(1, 1)),
             tests::contains("first_ply: game 1: expected 10 and at most"));
  CHECK_THAT(error_after("games/plies", add(1, 1)), tests::contains("first_ply: game 2"));
  CHECK_THAT(error_after("games/plies", add(2, -1)),
             tests::contains("the games have 29 plies, the file 30"));
  CHECK_THAT(error_after("games/plies", add(2, 0xFFFF0000)), tests::contains("first_ply: game 2"));
}
