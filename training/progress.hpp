// How far a long piece of work is, on stderr: rate and time left, so that nobody wonders whether
// anything happens. On a terminal one line that is rewritten, elsewhere (a log) a line every ten
// seconds. Work that is over sooner prints nothing to a log.
//
// Callers tell it what is done; it calls nobody. All functions may be called from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace awale::training {

// "evaluate: 120/200 games, 31.2 games/s, 3 s left"; with an unknown total "check: 120 lines, 31.2
// lines/s". `seconds` since the start.
std::string progress_text(const std::string& label, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds);

// "42 s", "3 min 05 s", "2 h 07 min".
std::string duration_text(double seconds);

class Progress {
 public:
  static constexpr std::uint64_t kUnknownTotal = 0;

  // `unit` is a plural ("games").
  Progress(std::string label, std::string unit, std::uint64_t total);
  // Prints nothing: for work beside other work that is shown.
  Progress();
  // Wipes the line from a terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `count` more are done. `note` is put behind the numbers.
  void advance(std::uint64_t count, const std::string& note = "");

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  const std::string label_;
  const std::string unit_;
  const std::uint64_t total_;
  const bool silent_ = false;
  const bool terminal_ = false;
  const Clock::time_point start_;
  Clock::time_point last_print_;
  std::uint64_t done_ = 0;
};

}  // namespace awale::training
