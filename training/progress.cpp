#include "training/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace awale::training {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval{200};
constexpr std::chrono::seconds kLogInterval{10};

// "\r", the line, and "erase to the end of the line" (ECMA-48).
constexpr const char* kRewriteFormat = "\r%s\x1b[K";

// Three significant digits where it matters, no decimals from 100 on.
std::string rate_text(double rate) {
  char text[32];
  std::snprintf(text, sizeof(text), rate < 100 ? "%.1f" : "%.0f", rate);
  return text;
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  char text[64];
  if (whole < 60) {
    std::snprintf(text, sizeof(text), "%lld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof(text), "%lld min %02lld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof(text), "%lld h %02lld min", whole / 3600, whole / 60 % 60);
  }
  return text;
}

std::string progress_text(const std::string& label, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds) {
  std::string text = label + ": " + std::to_string(done);
  if (total != Progress::kUnknownTotal) text += '/' + std::to_string(total);
  text += ' ' + unit;
  if (done == 0 || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  text += ", " + rate_text(rate) + " " + unit + "/s";
  if (done < total)
    text += ", " + duration_text(static_cast<double>(total - done) / rate) + " left";
  return text;
}

Progress::Progress(std::string label, std::string unit, std::uint64_t total)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_print_(start_) {}

Progress::Progress() : total_(kUnknownTotal), silent_(true) {}

Progress::~Progress() {
  if (terminal_) std::fprintf(stderr, kRewriteFormat, "");
}

void Progress::advance(std::uint64_t count, const std::string& note) {
  if (silent_) return;
  const std::lock_guard lock(mutex_);
  done_ += count;
  const auto now = Clock::now();
  const Clock::duration interval = terminal_ ? Clock::duration(kTerminalInterval) : kLogInterval;
  if (now - last_print_ < interval) return;
  last_print_ = now;
  std::string text = progress_text(label_, unit_, done_, total_,
                                   std::chrono::duration<double>(now - start_).count());
  if (!note.empty()) text += ", " + note;
  std::fprintf(stderr, terminal_ ? kRewriteFormat : "%s\n", text.c_str());
}

}  // namespace awale::training
