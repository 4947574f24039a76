#include "env/endgame/builder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "env/endgame/layer_solver.hpp"
#include "env/endgame/table.hpp"
#include "env/endgame/table_file.hpp"
#include "env/error.hpp"

namespace awale::env {
namespace {

constexpr std::size_t kBytesPerBoard = 8;
constexpr std::size_t kWriteBoards = 1 << 20;

void require(bool valid, const std::string& field, const std::string& expected,
             const std::string& found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage, field + ": expected " + expected + ", found " + found);
}

// The file in which a table grows. Locked while it is open, so that two processes never write it.
class GrowingFile {
 public:
  explicit GrowingFile(std::filesystem::path path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)) {
    if (file_ < 0) fail("opening it");
    struct stat info = {};
    const bool regular = ::fstat(file_, &info) == 0 && S_ISREG(info.st_mode);
    const bool locked = regular && ::flock(file_, LOCK_EX | LOCK_NB) == 0;
    if (locked) return;
    ::close(file_);
    throw InputError(ErrorKind::kWrite,
                     "cannot write '" + path_.string() + "': " +
                         (regular ? "another process is building it" : "it is no regular file"));
  }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile() { ::close(file_); }

  const std::filesystem::path& path() const { return path_; }

  std::uint64_t size() const {
    struct stat info = {};
    if (::fstat(file_, &info) != 0) fail("looking at it");
    return static_cast<std::uint64_t>(info.st_size);
  }

  void write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
      const ssize_t written =
          ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("writing");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
  }

  void sync() {
    if (::fdatasync(file_) != 0) fail("syncing");
  }

  void resize(std::uint64_t size) {
    if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail("resizing");
  }

  void rename_to(const std::filesystem::path& path) {
    if (::rename(path_.c_str(), path.c_str()) != 0) fail("renaming it");
  }

 private:
  [[noreturn]] void fail(const std::string& doing) const {
    throw InputError(ErrorKind::kWrite, "cannot write '" + path_.string() + "': " + doing + ": " +
                                            std::strerror(errno));
  }

  std::filesystem::path path_;
  int file_;
};

// The header of a build that was interrupted, if `file` is one and undamaged. Throws
// InputError(kMismatch) if it is one of another endgame.
std::optional<EndgameHeader> find_earlier_build(const GrowingFile& file, const RuleSet& rules) {
  if (file.size() < kEndgameHeaderBytes) return std::nullopt;
  const MappedFile mapped = map_file(file.path());
  EndgameHeader header;
  try {
    header = parse_header({mapped.bytes.get(), kEndgameHeaderBytes}, file.path());
  } catch (const InputError&) {
    return std::nullopt;  // killed before its first layer: begin anew
  }
  if (!same_endgame(header.rules, rules)) {
    throw InputError(ErrorKind::kMismatch, "endgame table '" + file.path().string() +
                                               "': expected an unfinished build for the rules " +
                                               describe(rules) + ", found one for " +
                                               describe(header.rules));
  }
  if (mapped.size < header.layer_offset(header.seeds + 1)) return std::nullopt;
  if (find_damaged_layer(header, mapped)) return std::nullopt;
  return header;
}

// Grows one table.
class Builder {
 public:
  Builder(const EndgameBuildConfig& config, GrowingFile& file, const EndgameBuildReports& reports)
      : config_(config), file_(file), reports_(reports), solver_(config.rules, config.threads) {
    header_.rules = config.rules;
    header_.cycles = cycle_score(config.rules);
    header_.seeds = -1;
  }

  // Takes over the layers that `header` describes and that lie in the file.
  void resume(const EndgameHeader& header) { header_ = header; }

  int next_layer() const { return header_.seeds + 1; }

  void add_layer() {
    const int seeds = next_layer();
    const std::uint64_t begin = header_.layer_offset(seeds);
    file_.resize(begin);  // whatever a killed build has left behind it
    const std::shared_ptr<const std::uint8_t> lower =
        seeds == 0 ? nullptr : map_file(file_.path()).bytes;
    const std::uint8_t* const boards = seeds == 0 ? nullptr : lower.get() + kEndgameHeaderBytes;
    solver_.solve(seeds, {header_.cycles, boards}, config_.memory_bytes, reports_.on_boards);
    write_layer(begin);
    header_.seeds = seeds;
    header_.checksums[static_cast<std::size_t>(seeds)] = checksum_of_layer(seeds);
    file_.sync();  // the header never speaks of what is not on the disk
    file_.write(0, to_bytes(header_));
    file_.sync();
    reports_.on_layer({seeds, layer_size(seeds), solver_.peak_bytes()});
  }

 private:
  void write_layer(std::uint64_t offset) {
    if (offset == kEndgameHeaderBytes) file_.write(0, EndgameHeaderBytes{});  // makes room
    const std::size_t width = bytes_per_board(header_.cycles);
    std::vector<std::uint8_t> bytes;
    for (auto left = solver_.guarantees(); !left.empty();) {
      const auto part = left.first(std::min(left.size(), kWriteBoards));
      bytes.resize(part.size() * width);
      for (std::size_t i = 0; i < part.size(); ++i)
        GuaranteeArray::store(header_.cycles, part[i], &bytes[i * width]);
      file_.write(offset, bytes);
      offset += bytes.size();
      left = left.subspan(part.size());
    }
  }

  std::uint64_t checksum_of_layer(int seeds) const {
    const MappedFile mapped = map_file(file_.path());
    const std::uint64_t begin = header_.layer_offset(seeds);
    return checksum({mapped.bytes.get() + begin, header_.layer_offset(seeds + 1) - begin});
  }

  const EndgameBuildConfig& config_;
  GrowingFile& file_;
  const EndgameBuildReports& reports_;
  LayerSolver solver_;
  EndgameHeader header_;
};

// A finished table of the same endgame at `path`, nothing if there is no file.
std::optional<EndgameTable> find_table(const std::filesystem::path& path, const RuleSet& rules) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return EndgameTable::open(path, rules);
}

// Begins with the layers of a smaller finished table.
void copy_table(const std::filesystem::path& path, GrowingFile& file) {
  const MappedFile table = map_file(path);
  file.resize(0);
  file.write(0, {table.bytes.get(), table.size});
}

}  // namespace

std::size_t build_memory_bytes(CycleScore cycles, int seeds) {
  return layer_begin(seeds + 1) * bytes_per_board(cycles) + layer_size(seeds) * kBytesPerBoard;
}

void EndgameBuildConfig::validate() const {
  rules.validate();
  require(seeds >= 1 && seeds <= kMaxEndgameSeeds, "--seeds",
          "1.." + std::to_string(kMaxEndgameSeeds), std::to_string(seeds));
  require(threads >= 1 && threads <= 1024, "--threads", "1..1024", std::to_string(threads));
  const std::size_t needed = build_memory_bytes(cycle_score(rules), seeds);
  require(needed <= memory_bytes, "--memory",
          "at least " + std::to_string((needed >> 20) + 1) + " MiB for " + std::to_string(seeds) +
              " seeds",
          std::to_string(memory_bytes >> 20) + " MiB");
}

bool build_endgame_table(const EndgameBuildConfig& config, const std::filesystem::path& path,
                         const EndgameBuildReports& reports) {
  config.validate();
  const auto finished = find_table(path, config.rules);
  if (finished && finished->seeds() >= config.seeds) {
    reports.on_start(finished->seeds() + 1);
    return true;
  }
  GrowingFile file(path.string() + ".building");
  auto earlier = find_earlier_build(file, config.rules);
  if (finished && (!earlier || earlier->seeds < finished->seeds())) {
    copy_table(path, file);
    earlier = find_earlier_build(file, config.rules);
  }
  Builder builder(config, file, reports);
  if (earlier && earlier->seeds <= config.seeds) builder.resume(*earlier);
  reports.on_start(builder.next_layer());
  while (builder.next_layer() <= config.seeds) {
    if (reports.stop()) return false;
    builder.add_layer();
  }
  file.rename_to(path);
  return true;
}

}  // namespace awale::env
