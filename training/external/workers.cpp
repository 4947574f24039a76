#include "training/external/workers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <string>

#include "env/error.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

constexpr std::uint32_t kLastWorker = 999'999;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw InputError(ErrorKind::kWrite, path.string() + ": cannot claim it: " + reason);
}

// 0 for a name that is no number.
std::uint32_t number_of(const std::string& name) {
  std::uint32_t number = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && *rest == '\0' ? number : 0;
}

std::uint32_t last_claimed(const std::filesystem::path& workers) {
  std::uint32_t last = 0;
  std::error_code ignored;  // a folder that cannot be read fails at the claim
  for (const auto& entry : std::filesystem::directory_iterator(workers, ignored))
    last = std::max(last, number_of(entry.path().filename().string()));
  return last;
}

std::string claim_text() {
  char host[256] = {};
  if (::gethostname(host, sizeof(host) - 1) != 0) host[0] = '?';
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&now, &utc);
  char time[32];
  std::strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return format_text("host %s\npid %d\nstart %s\n", host, static_cast<int>(::getpid()), time);
}

}  // namespace

std::uint32_t claim_worker(const std::filesystem::path& run) {
  const auto workers = run / "workers";
  std::error_code error;
  std::filesystem::create_directories(workers, error);
  if (error) fail(workers, error.message());
  for (std::uint32_t number = last_claimed(workers) + 1; number <= kLastWorker; ++number) {
    const auto path = workers / format_text("%06u", number);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) fail(path, std::strerror(errno));
    const std::string text = claim_text();
    const bool written =
        ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int reason = errno;
    ::close(file);
    if (!written) fail(path, std::strerror(reason));
    return number;
  }
  fail(workers, "all numbers are taken");
}

}  // namespace awale::training
