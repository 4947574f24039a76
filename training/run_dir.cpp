#include "training/run_dir.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "training/data/data_files.hpp"

namespace awale::training {
namespace {

constexpr const char* kReadme =
    R"(A training run of awale. Look inside with `awale inspect DIR`.

config.toml      every setting in force; go on with `awale train --run DIR --resume`
checkpoints/     NNNNNN.h5 after so many iterations: network, optimizer, open games (HDF5)
shards/          NNNNNN.h5: the games that iteration NNNNNN and those before it, back to the last
                 shard, finished (HDF5, one row a ply)
metrics.jsonl    one JSON object a line and iteration: losses (null where nothing was learned), rates,
                 lengths, endings
grades.jsonl     one JSON object a kept checkpoint: points against opponents, moves against the truth
tensorboard/     the numbers of both as event files: tensorboard --logdir DIR
evaluation.json  the final grading: the agent before and after training against each opponent
summary.json     totals; exists once the run is complete
diverged/        NNNNNN.h5: the batch on which training diverged in iteration NNNNNN
incoming/        shards that other processes have played and no checkpoint counts yet
damaged/         those of them that could not be read, or are of another run
workers/         a file a process that plays or has played

Files ending in .h5 are whole or absent: they are written under a temporary name and renamed.
)";

std::string file_name(std::uint32_t number) {
  char name[32];
  std::snprintf(name, sizeof(name), "%06u.h5", number);
  return name;
}

// Of the files that file_name() names, ascending.
std::vector<std::uint32_t> file_numbers(const std::filesystem::path& directory) {
  std::vector<std::uint32_t> numbers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (const auto number = file_number(entry.path())) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

[[noreturn]] void fail(ErrorKind kind, const std::filesystem::path& path,
                       const std::string& problem) {
  throw InputError(kind, "run directory " + path.string() + ": " + problem);
}

std::filesystem::path existing(const std::filesystem::path& path) {
  if (std::filesystem::exists(path / "config.toml")) return path;
  fail(ErrorKind::kFile, path, "no run to resume here (config.toml is missing)");
}

// What a process leaves that is killed before it has written config.toml.
bool of_begun_run(const std::filesystem::path& path) {
  const auto name = path.filename().string();
  if (name == "README.txt") {
    const auto text = nn::read_file(path);
    return std::ranges::equal(text, std::as_bytes(std::span(std::string_view(kReadme))));
  }
  return name == "lock" || name == "checkpoints" || name == "shards" ||
         name.find(".tmp-") != std::string::npos;
}

// A run would be mixed with what lies there, and write over some of it.
void require_no_other_files(const std::filesystem::path& path) {
  std::error_code ignored;  // a directory that cannot be read cannot be written either
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    if (of_begun_run(entry.path())) continue;
    fail(ErrorKind::kFile, path,
         "holds " + entry.path().filename().string() +
             ", which is of no run; expected a new or an empty directory");
  }
}

std::filesystem::path created(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path / "config.toml", error)) {
    fail(ErrorKind::kFile, path,
         "holds a run already; continue it with --resume or choose another --run");
  }
  require_no_other_files(path);
  for (const char* child : {"checkpoints", "shards"}) {
    std::filesystem::create_directories(path / child, error);
    if (error) fail(ErrorKind::kWrite, path, "cannot create: " + error.message());
  }
  nn::write_file_atomically(path / "README.txt", kReadme);
  return path;
}

// What the process that holds the lock has written into it: "pid 123 on alpha".
std::string lock_holder(int descriptor) {
  char text[300];
  const ssize_t length = ::pread(descriptor, text, sizeof(text), 0);
  const std::string found(text, length > 0 ? static_cast<std::size_t>(length) : 0);
  const auto line = found.substr(0, found.find('\n'));
  return line.empty() ? "which has not said its name" : line;
}

// For people and for the error of others; it is the lock that counts, which dies with the process.
void note_holder(int descriptor) {
  char host[256] = {};
  if (::gethostname(host, sizeof(host) - 1) != 0) host[0] = '?';
  std::string text = "pid " + std::to_string(::getpid()) + " on ";
  text.append(host).append("\n");
  // Where the disk is full, nothing: training will say so.
  [[maybe_unused]] const bool written =
      ::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, text.data(), text.size(), 0) >= 0;
}

int take_lock(const std::filesystem::path& path) {
  const auto file = path / "lock";
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    fail(ErrorKind::kWrite, path, std::string("cannot open lock: ") + std::strerror(errno));
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    const std::string holder = lock_holder(descriptor);
    ::close(descriptor);
    if (error == EWOULDBLOCK) {
      fail(ErrorKind::kFile, path, "another process is training in it: " + holder);
    }
    fail(ErrorKind::kWrite, path, std::string("cannot lock it: ") + std::strerror(error));
  }
  note_holder(descriptor);
  return descriptor;
}

// What a killed process was writing: no reader knows these names.
void remove_leftovers(const std::filesystem::path& path) {
  for (const auto& directory : {path, path / "checkpoints", path / "shards"}) {
    std::error_code ignored;  // they cost space, nothing else
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
      const bool temporary = entry.path().filename().string().find(".tmp-") != std::string::npos;
      if (temporary) std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& directory) : descriptor_(take_lock(directory)) {}

RunLock::~RunLock() {
  ::close(descriptor_);
}

bool RunLock::is_held(const std::filesystem::path& directory) {
  const int descriptor = ::open((directory / "lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return held;
}

RunDir::RunDir(const std::filesystem::path& path, bool resume)
    : path_(resume ? existing(path) : created(path)), lock_(path) {
  remove_leftovers(path_);
}

std::filesystem::path RunDir::diverged(std::uint32_t iteration) const {
  return path_ / "diverged" / file_name(iteration);
}

std::vector<std::filesystem::path> RunDir::uncounted_shards(std::uint32_t iteration) const {
  std::vector<std::filesystem::path> files;
  for (const std::uint32_t number : shard_numbers(path_ / "shards")) {
    if (number > iteration) files.push_back(shard(number));
  }
  return files;
}

void RunDir::prune_checkpoints(int keep_every) const {
  const auto iterations = checkpoint_iterations(path_);
  for (std::size_t i = 0; i + 2 < iterations.size(); ++i) {
    if (iterations[i] % static_cast<std::uint32_t>(keep_every) == 0) continue;
    std::error_code ignored;  // a leftover costs space, nothing else
    std::filesystem::remove(checkpoint(iterations[i]), ignored);
  }
}

std::filesystem::path checkpoint_file(const std::filesystem::path& directory,
                                      std::uint32_t iteration) {
  return directory / "checkpoints" / file_name(iteration);
}

std::filesystem::path shard_file(const std::filesystem::path& directory, std::uint32_t number) {
  return directory / file_name(number);
}

std::vector<std::uint32_t> checkpoint_iterations(const std::filesystem::path& directory) {
  return file_numbers(directory / "checkpoints");
}

std::vector<std::uint32_t> shard_numbers(const std::filesystem::path& directory) {
  return file_numbers(directory);
}

}  // namespace awale::training
