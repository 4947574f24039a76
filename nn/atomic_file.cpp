#include "nn/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "env/error.hpp"

namespace awale::nn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(ErrorKind kind, const fs::path& path, const std::string& doing, int error) {
  const std::string verb = kind == ErrorKind::kWrite ? "write" : "read";
  throw InputError(
      kind, "cannot " + verb + " '" + path.string() + "': " + doing + ": " + std::strerror(error));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  // The error number, 0 if all went well.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

// The name of a file that disappears unless it has been renamed.
class TemporaryName {
 public:
  explicit TemporaryName(fs::path path) : path_(std::move(path)) {}
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  ~TemporaryName() {
    if (!renamed_) ::unlink(path_.c_str());
  }
  const fs::path& path() const { return path_; }
  void set_renamed() { renamed_ = true; }

 private:
  fs::path path_;
  bool renamed_ = false;
};

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// A new file beside `path`; its name goes to `name`. A leftover of a killed process that had our
// process id (common in containers) is stepped over, not overwritten.
int create_beside(const fs::path& path, fs::path& name) {
  static std::atomic<unsigned> counter = 0;
  std::string stem = ".";
  stem.append(path.filename().string()).append(".tmp-").append(std::to_string(::getpid()));
  int fd = -1;
  do {
    name = directory_of(path) / (stem + "-" + std::to_string(counter++));
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && (errno == EEXIST || errno == EINTR));
  if (fd < 0) fail(ErrorKind::kWrite, path, "creating a temporary file beside it", errno);
  return fd;
}

void write_all(int fd, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(ErrorKind::kWrite, path, "writing", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// A descriptor of the directory that holds `path`.
int open_directory(const fs::path& path) {
  const int fd = ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail(ErrorKind::kWrite, path, "opening its directory", errno);
  return fd;
}

}  // namespace

void require_replaceable(const fs::path& path) {
  std::error_code ignored;  // what does not exist, or cannot be looked at, fails when it is written
  const auto status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(ErrorKind::kWrite,
                     "cannot write '" + path.string() + "': it exists and is no regular file");
  }
  const FileDescriptor directory(open_directory(path));  // there is one, or this throws
}

void write_file_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  require_replaceable(path);
  FileDescriptor directory(open_directory(path));

  fs::path name;
  FileDescriptor file(create_beside(path, name));
  TemporaryName temporary(name);
  write_all(file.get(), bytes, path);
  if (::fsync(file.get()) != 0) fail(ErrorKind::kWrite, path, "syncing", errno);
  if (const int error = file.close()) fail(ErrorKind::kWrite, path, "closing", error);
  if (::rename(name.c_str(), path.c_str()) != 0) fail(ErrorKind::kWrite, path, "renaming", errno);
  temporary.set_renamed();
  // EINVAL: the file system has no such thing as a directory's sync.
  if (::fsync(directory.get()) != 0 && errno != EINVAL) {
    fail(ErrorKind::kWrite, path, "syncing its directory", errno);
  }
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

std::vector<std::byte> read_file(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat info = {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
    fail(ErrorKind::kFile, path, "opening", errno);
  }
  if (!S_ISREG(info.st_mode)) {
    throw InputError(ErrorKind::kFile,
                     "cannot read '" + path.string() + "': it is no regular file");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(info.st_size));
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(ErrorKind::kFile, path, "reading", errno);
    if (count == 0) break;  // somebody has cut it short since fstat
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace awale::nn
