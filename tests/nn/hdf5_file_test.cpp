#include "nn/hdf5_file.hpp"

#include <sys/time.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <thread>

#include "env/error.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

// Replaces the C library's clock in this program, for HDF5 too: every look at it is a second later,
// so that a time stamp in a file shows as a difference.
int gettimeofday(timeval* now, void*) noexcept {
  static std::atomic<time_t> seconds = 1'000'000'000;
  *now = {seconds++, 0};
  return 0;
}

using awale::ErrorKind;
using awale::InputError;
using awale::nn::Hdf5Attribute;
using awale::nn::Hdf5Reader;
using awale::nn::Hdf5Writer;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::read_bytes;
using awale::tests::TempDir;
using awale::tests::write_bytes;

namespace {

namespace fs = std::filesystem;

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5F);
  return values;
}

// Something of everything: many attributes, empty and larger arrays, nested groups.
void write_sample(const fs::path& path) {
  Hdf5Writer file;
  file.attribute("/", "kind", std::string("sample"));
  for (int i = 0; i < 12; ++i) {
    file.attribute("rules", "parameter " + std::to_string(i), std::string("value"));
  }
  file.attribute("rules", "number", std::int64_t{-7});
  file.attribute("rules", "long text", std::string(5000, 'x'));
  std::vector<std::uint8_t> bytes(300);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  file.dataset<std::uint8_t>("tables/bytes", bytes, {100, 3});
  file.dataset<float>("tables/nested/floats", ramp(50), {50});
  file.dataset<std::uint32_t>("tables/empty", {}, {0, 6});
  file.attribute("tables/bytes", "description", std::string("what it is"));
  file.write(path);
}

// Everything in the file as text; throws if any of it cannot be read.
std::string contents(const Hdf5Reader& file, const std::string& object) {
  std::ostringstream text;
  text << "\n" << object << ":";
  for (const auto& name : file.attributes(object)) {
    text << " " << name << "=";
    std::visit([&text](const auto& value) { text << value; }, file.attribute(object, name));
  }
  if (file.is_group(object)) {
    for (const auto& name : file.children(object)) {
      text << contents(file, object == "/" ? name : object + "/" + name);
    }
    return text.str();
  }
  const auto info = file.dataset_info(object);
  text << " " << info.type;
  for (const auto size : info.shape)
    text << " " << size;
  if (info.type == "uint8") {
    for (const auto value : file.dataset<std::uint8_t>(object).values)
      text << "," << +value;
  } else if (info.type == "float32") {
    for (const auto value : file.dataset<float>(object).values)
      text << "," << value;
  } else {
    text << file.dataset<std::uint32_t>(object).values.size();
  }
  return text.str();
}

template <typename T>
void check_round_trip(const TempDir& dir) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> values = {Limits::lowest(), Limits::max(), T{0}, T{1}, Limits::min(), T{42}};
  Hdf5Writer writer;
  writer.dataset<T>("group/values", values, {3, 2});
  writer.write(dir / "file.h5");
  const auto array = Hdf5Reader(dir / "file.h5").dataset<T>("group/values");
  CHECK(array.values == values);
  CHECK(array.shape == std::vector<std::size_t>{3, 2});
}

}  // namespace

TEST_CASE("arrays of every type survive a round trip, extremes included") {
  const TempDir dir;
  check_round_trip<std::uint8_t>(dir);
  check_round_trip<std::int8_t>(dir);
  check_round_trip<std::uint16_t>(dir);
  check_round_trip<std::int16_t>(dir);
  check_round_trip<std::uint32_t>(dir);
  check_round_trip<std::int32_t>(dir);
  check_round_trip<std::uint64_t>(dir);
  check_round_trip<std::int64_t>(dir);
  check_round_trip<float>(dir);
  check_round_trip<double>(dir);
}

TEST_CASE("attributes survive a round trip") {
  const TempDir dir;
  const std::string long_text(50000, 'x');
  Hdf5Writer writer;
  writer.attribute("/", "text", std::string("Awalé"));
  writer.attribute("/", "empty", std::string());
  writer.attribute("a/b", "long", long_text);
  writer.attribute("a/b", "int", std::numeric_limits<std::int64_t>::min());
  writer.attribute("a/b", "uint", std::numeric_limits<std::uint64_t>::max());
  writer.attribute("a/b", "double", 0.1);
  writer.write(dir / "file.h5");
  const Hdf5Reader reader(dir / "file.h5");
  CHECK(reader.string_attribute("/", "text") == "Awalé");
  CHECK(reader.string_attribute("/", "empty").empty());
  CHECK(reader.string_attribute("a/b", "long") == long_text);
  CHECK(reader.int_attribute("a/b", "int") == std::numeric_limits<std::int64_t>::min());
  CHECK(reader.uint_attribute("a/b", "uint") == std::numeric_limits<std::uint64_t>::max());
  CHECK(reader.double_attribute("a/b", "double") == 0.1);
  CHECK(reader.attribute("a/b", "double") == Hdf5Attribute(0.1));
  CHECK(reader.attributes("a/b") == std::vector<std::string>{"double", "int", "long", "uint"});
  CHECK(reader.children("/") == std::vector<std::string>{"a"});
  CHECK(reader.has("a/b"));
  CHECK_FALSE(reader.has("a/c"));
  CHECK_FALSE(reader.has("x/y"));
}

TEST_CASE("a file in memory reads as the one on the disk, under the name it is given") {
  const TempDir dir;
  write_sample(dir / "file.h5");
  const auto bytes = read_bytes(dir / "file.h5");
  const Hdf5Reader memory("inside", std::as_bytes(std::span(bytes)));
  CHECK(contents(memory, "/") == contents(Hdf5Reader(dir / "file.h5"), "/"));
  CHECK(memory.path() == "inside");
  const auto error = error_of(ErrorKind::kFile, [&] { memory.int_attribute("/", "none"); });
  CHECK(contains(error, "'inside'"));
}

TEST_CASE("a list is the groups numbered from 0 on") {
  const TempDir dir;
  Hdf5Writer writer;
  for (const char* group : {"list/0", "list/1", "gap/0", "gap/2"})
    writer.attribute(group, "x", std::int64_t{1});
  writer.write(dir / "file.h5");
  const Hdf5Reader reader(dir / "file.h5");
  CHECK(awale::nn::numbered_group("list", 12) == "list/12");
  CHECK(reader.numbered_groups("none") == 0);
  CHECK(reader.numbered_groups("list") == 2);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { reader.numbered_groups("gap"); }),
                 "gap: expected groups 0 to 1, found others"));
}

TEST_CASE("arrays of several chunks survive a round trip") {
  const TempDir dir;
  const auto values = ramp(1'000'000);
  Hdf5Writer writer;
  writer.dataset<float>("values", values, {250'000, 4});
  writer.write(dir / "file.h5");
  CHECK(Hdf5Reader(dir / "file.h5").dataset<float>("values").values == values);
}

TEST_CASE("equal contents give equal bytes, and a writer is empty after writing") {
  const TempDir dir;
  write_sample(dir / "one.h5");
  write_sample(dir / "two.h5");
  CHECK(read_bytes(dir / "one.h5") == read_bytes(dir / "two.h5"));

  Hdf5Writer writer;
  writer.attribute("/", "first", std::int64_t{1});
  writer.write(dir / "first.h5");
  writer.attribute("/", "second", std::int64_t{2});
  writer.write(dir / "second.h5");
  CHECK(Hdf5Reader(dir / "second.h5").attributes("/") == std::vector<std::string>{"second"});
}

TEST_CASE("several files may be open at once") {
  const TempDir dir;
  write_sample(dir / "sample.h5");
  Hdf5Writer writer;
  writer.attribute("/", "other", std::int64_t{1});
  writer.write(dir / "other.h5");
  const Hdf5Reader sample(dir / "sample.h5");
  const Hdf5Reader other(dir / "other.h5");
  CHECK(sample.attributes("/") == std::vector<std::string>{"kind"});
  CHECK(other.attributes("/") == std::vector<std::string>{"other"});
}

TEST_CASE("threads may write and read files of their own") {
  const TempDir dir;
  write_sample(dir / "expected.h5");
  const auto work = [&dir](int thread) {
    for (int i = 0; i < 10; ++i) {
      write_sample(dir / (std::to_string(thread) + ".h5"));
      const Hdf5Reader file(dir / (std::to_string(thread) + ".h5"));
      contents(file, "/");
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  CHECK(read_bytes(dir / "1.h5") == read_bytes(dir / "expected.h5"));
  CHECK(read_bytes(dir / "2.h5") == read_bytes(dir / "expected.h5"));
}

TEST_CASE("what is missing or of another type is named") {
  const TempDir dir;
  write_sample(dir / "file.h5");
  const Hdf5Reader file(dir / "file.h5");
  const auto error = [](const auto& call) { return error_of(ErrorKind::kFile, call); };

  CHECK(contains(error([&] { file.dataset<float>("tables/no"); }), "tables/no: missing"));
  CHECK(contains(error([&] { file.dataset<float>("no/no"); }), "no/no: missing"));
  CHECK(contains(error([&] { file.dataset<float>("tables"); }), "tables: expected a dataset"));
  CHECK(contains(error([&] { file.dataset<float>("tables/bytes"); }),
                 "tables/bytes: expected type float32, found uint8"));
  CHECK(contains(error([&] { file.int_attribute("rules", "no"); }), "rules@no: missing"));
  CHECK(contains(error([&] { file.string_attribute("rules", "number"); }),
                 "rules@number: expected type fixed-length string, found int64"));
  CHECK(contains(error([&] { file.int_attribute("/", "kind"); }),
                 "/@kind: expected type int64, found fixed-length string"));
  CHECK(contains(error([&] { file.children("no"); }), (dir / "file.h5").string()));
}

TEST_CASE("what is no HDF5 file is refused with one line") {
  const TempDir dir;
  write_bytes(dir / "empty.h5", "");
  write_bytes(dir / "text.h5", "not HDF5 at all\n");
  CHECK(contains(error_of(ErrorKind::kFile, [&] { Hdf5Reader{dir / "empty.h5"}; }), "is empty"));
  const auto error = error_of(ErrorKind::kFile, [&] { Hdf5Reader{dir / "text.h5"}; });
  CHECK(contains(error, "no HDF5 file"));
  CHECK(error.find('\n') == std::string::npos);
  CHECK(contains(error_of(ErrorKind::kFile, [&] { Hdf5Reader{dir / "missing.h5"}; }),
                 "No such file"));
}

TEST_CASE("a file cut short anywhere is refused") {
  const TempDir dir;
  write_sample(dir / "file.h5");
  const std::string whole = read_bytes(dir / "file.h5");
  for (std::size_t length = 0; length < whole.size(); length += 17) {
    INFO("cut to " << length << " of " << whole.size() << " bytes");
    write_bytes(dir / "cut.h5", whole.substr(0, length));
    REQUIRE_THROWS_AS(Hdf5Reader(dir / "cut.h5"), InputError);
  }
}

TEST_CASE("a flipped byte anywhere is noticed or changes nothing that is read") {
  const TempDir dir;
  write_sample(dir / "file.h5");
  const std::string whole = read_bytes(dir / "file.h5");
  const std::string expected = contents(Hdf5Reader(dir / "file.h5"), "/");
  int noticed = 0;
  for (std::size_t at = 0; at < whole.size(); at += 1 + at % 5) {
    INFO("byte " << at << " of " << whole.size());
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? 0x01 : 0x80));
    write_bytes(dir / "damaged.h5", damaged);
    std::string found = expected;
    try {
      found = contents(Hdf5Reader(dir / "damaged.h5"), "/");
    } catch (const InputError&) {
      ++noticed;
    }
    REQUIRE(found == expected);
  }
  CHECK(noticed > static_cast<int>(whole.size()) / 5);
}
