#include "nn/atomic_file.hpp"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "env/error.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

using awale::ErrorKind;
using awale::nn::read_file;
using awale::nn::write_file_atomically;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::read_bytes;
using awale::tests::TempDir;
using awale::tests::write_bytes;

namespace {

namespace fs = std::filesystem;

std::ptrdiff_t count_files(const fs::path& directory) {
  return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
}

// Files of this process cannot grow beyond a limit: a full disk that needs no privileges.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_ = {};
};

class TinyFileSystem {
 public:
  explicit TinyFileSystem(const fs::path& directory) : directory_(directory) {
    fs::create_directory(directory);
    error_ = ::mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=16k") == 0 ? 0 : errno;
  }
  ~TinyFileSystem() {
    if (error_ == 0) ::umount(directory_.c_str());
  }
  TinyFileSystem(const TinyFileSystem&) = delete;
  TinyFileSystem& operator=(const TinyFileSystem&) = delete;
  int error() const { return error_; }

 private:
  fs::path directory_;
  int error_;
};

}  // namespace

TEST_CASE("what is written is read back, and replaces what was there") {
  const TempDir dir;
  for (const std::string text : {"first", "a second, longer one", ""}) {
    write_file_atomically(dir / "file", text);
    CHECK(read_bytes(dir / "file") == text);
    const auto bytes = read_file(dir / "file");
    CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == text);
  }
  CHECK(count_files(dir.path()) == 1);
}

TEST_CASE("a name without directory is written to the current one") {
  const TempDir dir;
  const auto before = fs::current_path();
  fs::current_path(dir.path());
  write_file_atomically("file", std::string_view("text"));
  fs::current_path(before);
  CHECK(read_bytes(dir / "file") == "text");
}

TEST_CASE("a missing directory is named, with the reason") {
  const TempDir dir;
  const auto path = dir / "missing" / "file";
  const auto error = error_of(ErrorKind::kWrite, [&] { write_file_atomically(path, "text"); });
  CHECK(contains(error, path.string()));
  CHECK(contains(error, "No such file or directory"));
}

TEST_CASE("what is no regular file is never replaced") {
  const TempDir dir;
  fs::create_directory(dir / "directory");
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0600) == 0);
  for (const auto& path : {dir / "directory", dir / "pipe"}) {
    const auto error = error_of(ErrorKind::kWrite, [&] { write_file_atomically(path, "text"); });
    CHECK(contains(error, "no regular file"));
    CHECK(contains(error_of(ErrorKind::kFile, [&] { read_file(path); }), "no regular file"));
  }
  CHECK(fs::is_fifo(dir / "pipe"));
  CHECK(count_files(dir.path()) == 2);
}

TEST_CASE("when the disk is full the old file stays and nothing is left behind") {
  const TempDir dir;
  write_file_atomically(dir / "file", "old");
  const std::string large(10000, 'x');
  std::string error;
  {
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    const FileSizeLimit limit(4096);
    error = error_of(ErrorKind::kWrite, [&] { write_file_atomically(dir / "file", large); });
    std::signal(SIGXFSZ, before);
  }
  CHECK(contains(error, (dir / "file").string()));
  CHECK(contains(error, std::strerror(EFBIG)));
  CHECK(read_bytes(dir / "file") == "old");
  CHECK(count_files(dir.path()) == 1);
}

TEST_CASE("a file system without space left is reported as such") {
  const TempDir dir;
  const auto mounted = dir / "tiny";
  const TinyFileSystem file_system(mounted);
  if (file_system.error() != 0) {
    WARN("skipped: cannot mount a tmpfs here: " << std::strerror(file_system.error()));
    return;
  }
  const std::string large(100000, 'x');
  const auto error =
      error_of(ErrorKind::kWrite, [&] { write_file_atomically(mounted / "file", large); });
  CHECK(contains(error, std::strerror(ENOSPC)));
  CHECK(count_files(mounted) == 0);
}

TEST_CASE("a writer that is killed leaves the old file, and the next one succeeds") {
  const TempDir dir;
  write_file_atomically(dir / "file", "old");
  const std::string large(10000, 'x');
  const pid_t child = ::fork();
  if (child == 0) {
    // The signal comes in the middle of the file.
    std::signal(SIGXFSZ, SIG_DFL);
    const FileSizeLimit limit(4096);
    write_file_atomically(dir / "file", large);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(read_bytes(dir / "file") == "old");
  CHECK(count_files(dir.path()) == 2);
  write_file_atomically(dir / "file", large);
  CHECK(read_bytes(dir / "file") == large);
}

TEST_CASE("leftovers of another process with the same id are not touched") {
  const TempDir dir;
  const std::string stem = ".file.tmp-" + std::to_string(::getpid()) + "-";
  constexpr int kLeftovers = 50;
  for (int i = 0; i < kLeftovers; ++i)
    write_bytes(dir / (stem + std::to_string(i)), "half");
  write_file_atomically(dir / "file", "whole");
  CHECK(read_bytes(dir / "file") == "whole");
  CHECK(count_files(dir.path()) == kLeftovers + 1);
  for (int i = 0; i < kLeftovers; ++i) {
    CHECK(read_bytes(dir / (stem + std::to_string(i))) == "half");
  }
}

TEST_CASE("a missing file is an error that names it") {
  const TempDir dir;
  const auto error = error_of(ErrorKind::kFile, [&] { read_file(dir / "missing"); });
  CHECK(contains(error, (dir / "missing").string()));
  CHECK(contains(error, "No such file or directory"));
}
