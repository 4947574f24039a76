// Writers of shards that are killed, or that the disk stops: nothing half-written is ever read.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "env/error.hpp"
#include "env/random.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/data/data_files.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::tests::TempDir;

namespace {

namespace fs = std::filesystem;

// The largest file that this process may write.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int) = SIG_DFL;
};

Provenance provenance(std::uint32_t iteration) {
  return {{env::RuleSet{}}, 1, "", iteration, ""};
}

// Writes shards for ever, new ones and over the first one again.
[[noreturn]] void write_for_ever(const fs::path& directory, int ready) {
  const auto few = tests::random_games({}, 2);
  const auto many = tests::random_games({}, 20);
  write_shard(directory / "000000.h5", provenance(0), few);
  [[maybe_unused]] const auto told = ::write(ready, "x", 1);
  for (std::uint32_t i = 1;; ++i) {
    write_shard(directory / "000000.h5", provenance(i), i % 2 == 0 ? few : many);
    write_shard(directory / (std::to_string(100'000 + i % 50) + ".h5"), provenance(i), many);
  }
}

}  // namespace

TEST_CASE("a writer killed at any moment leaves whole shards and names that nobody reads") {
  const TempDir dir;
  env::RandomStream random(1, env::RandomPurpose::kTest, 0, 0);
  std::size_t read = 0;
  std::size_t leftovers = 0;
  // On a busy machine the writer may seldom be in the middle of a file: then it is killed more
  // often.
  for (int kill = 0; kill < 40 || (leftovers == 0 && kill < 2000); ++kill) {
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) write_for_ever(dir.path(), ready[1]);
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    ::usleep(random.below(20'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    const auto found = find_data(dir.path());
    for (const auto& file : found.shards) {
      const auto games = read_shard(file).games.size();  // or this throws
      REQUIRE((games == 2 || games == 20));
      ++read;
    }
    for (const auto& leftover : found.leftovers)
      fs::remove(leftover);
    leftovers += found.leftovers.size();
    REQUIRE(static_cast<std::size_t>(std::distance(fs::directory_iterator(dir.path()), {})) ==
            found.shards.size());
  }
  INFO(read << " shards read, " << leftovers << " leftovers");
  CHECK(read >= 40);
  CHECK(leftovers > 0);
}

TEST_CASE("a disk that ends anywhere in a shard leaves the one that was there, and nothing else") {
  const TempDir dir;
  const auto file = dir / "000001.h5";
  write_shard(file, provenance(1), tests::random_games({}, 1));
  const auto before = tests::read_bytes(file);
  const auto games = tests::random_games({}, 5);
  write_shard(dir / "size.h5", provenance(2), games);
  const auto size = fs::file_size(dir / "size.h5");
  fs::remove(dir / "size.h5");
  for (std::uintmax_t limit = 0; limit < size; limit += 1 + size / 23) {
    INFO("a disk of " << limit << " of " << size << " bytes");
    {
      const FileSizeLimit full(limit);
      const auto error =
          test::error_of(ErrorKind::kWrite, [&] { write_shard(file, provenance(2), games); });
      REQUIRE(test::contains(error, file.string()));
    }
    REQUIRE((tests::read_bytes(file) == before));
    REQUIRE(std::distance(fs::directory_iterator(dir.path()), {}) == 1);
  }
  const FileSizeLimit enough(size);
  write_shard(file, provenance(2), games);
  CHECK(read_shard(file).games.size() == 5);
}
