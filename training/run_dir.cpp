#include "training/run_dir.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"

namespace awale::training {
namespace {

constexpr const char* kReadme =
    R"(A training run of awale. Look inside with `awale inspect DIR`.

config.toml      every setting in force; go on with `awale train --run DIR --resume`
checkpoints/     NNNNNN.h5 after so many iterations: network, optimizer, open games (HDF5)
shards/          NNNNNN.h5: the games that iteration NNNNNN and those before it, back to the last
                 shard, finished (HDF5, one row a ply)
metrics.jsonl    one JSON object a line and iteration: losses, rates, lengths, endings
grades.jsonl     one JSON object a kept checkpoint: points against opponents, moves against the truth
evaluation.json  the final grading: the agent before and after training against each opponent
summary.json     totals; exists once the run is complete

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
    const auto stem = entry.path().stem().string();
    const bool number = stem.size() == 6 && std::all_of(stem.begin(), stem.end(), [](char c) {
                          return std::isdigit(static_cast<unsigned char>(c)) != 0;
                        });
    if (number && entry.path().extension() == ".h5") {
      numbers.push_back(static_cast<std::uint32_t>(std::stoul(stem)));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

[[noreturn]] void fail(ErrorKind kind, const std::filesystem::path& path,
                       const std::string& problem) {
  throw InputError(kind, "run directory " + path.string() + ": " + problem);
}

void create(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path / "config.toml", error)) {
    fail(ErrorKind::kFile, path,
         "holds a run already; continue it with --resume or choose another --run");
  }
  for (const char* child : {"checkpoints", "shards"}) {
    std::filesystem::create_directories(path / child, error);
    if (error) fail(ErrorKind::kWrite, path, "cannot create: " + error.message());
  }
  nn::write_file_atomically(path / "README.txt", kReadme);
}

int take_lock(const std::filesystem::path& path) {
  const auto file = path / "lock";
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    fail(ErrorKind::kWrite, path, std::string("cannot open lock: ") + std::strerror(errno));
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    fail(ErrorKind::kFile, path, "another process is training in it");
  }
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

RunDir::RunDir(const std::filesystem::path& path, bool resume) : path_(path) {
  if (!resume) {
    create(path_);
  } else if (!std::filesystem::exists(path_ / "config.toml")) {
    fail(ErrorKind::kFile, path_, "no run to resume here (config.toml is missing)");
  }
  lock_ = take_lock(path_);
  remove_leftovers(path_);
}

RunDir::~RunDir() {
  ::close(lock_);
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
