#include "training/run_dir.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "env/error.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::TempDir;

namespace {

// What a second process hears.
std::string refusal(const std::filesystem::path& run) {
  return error_of(ErrorKind::kFile, [&] { const RunLock second(run); });
}

}  // namespace

TEST_CASE("a run's lock names its holder to whoever else wants it") {
  const TempDir dir;
  char host[256] = {};
  REQUIRE(::gethostname(host, sizeof(host) - 1) == 0);
  {
    const RunDir run(dir / "run", false);
    const auto error = refusal(dir / "run");
    CHECK(contains(error, "another process is training in it: pid " + std::to_string(::getpid()) +
                              " on " + host));
    CHECK(error.find('\n') == std::string::npos);
  }
  const RunLock free(dir / "run");
  CHECK(contains(refusal(dir / "run"), "pid "));
}

TEST_CASE("a run begins in an empty directory, or where one was killed that had just begun") {
  const TempDir dir;
  std::filesystem::create_directories(dir / "run" / "checkpoints");
  tests::write_bytes(dir / "run" / "lock", "");
  tests::write_bytes(dir / "run" / "config.toml.tmp-1-0", "[run]");
  { const RunDir run(dir / "run", false); }
  { const RunDir run(dir / "run", false); }  // whose README.txt is there now
  for (const char* name : {"thesis.txt", "README.txt"}) {
    tests::write_bytes(dir / "run" / name, "mine");
    CHECK(
        contains(error_of(ErrorKind::kFile, [&] { const RunDir run(dir / "run", false); }),
                 std::string(name) + ", which is of no run; expected a new or an empty directory"));
    CHECK(tests::read_bytes(dir / "run" / name) == "mine");
    std::filesystem::remove(dir / "run" / name);
  }
}

TEST_CASE("text in a lock's file alone locks nothing, and an old one is replaced") {
  const TempDir dir;
  tests::write_bytes(dir / "lock", "pid 1 on a host with a longer name than ours will ever be\n");
  {
    const RunLock lock(dir.path());
    CHECK(tests::read_bytes(dir / "lock").find("longer name") == std::string::npos);
  }
  const RunLock lock(dir.path());
  std::filesystem::resize_file(dir / "lock", 0);  // by a program that does not say who it is
  CHECK(contains(refusal(dir.path()), "training in it: which has not said its name"));
}

TEST_CASE("a lock dies with its process, however that ends") {
  const TempDir dir;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(dir.path());
    [[maybe_unused]] const auto told = ::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(contains(refusal(dir.path()), "pid " + std::to_string(child) + " on "));
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  const RunLock lock(dir.path());
  ::close(ready[0]);
  ::close(ready[1]);
}
