// A session of the engine as a script: what is typed, and what the engine must have said before
// more is typed.
#pragma once

#include <condition_variable>
#include <istream>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace awale::test {

// Collects lines; other threads may wait for them.
class Transcript final : public std::streambuf {
 public:
  std::vector<std::string> lines() const;
  // Waits until a line that begins with `start` has come, that no earlier call has waited for.
  void wait_for(const std::string& start);

 protected:
  int_type overflow(int_type letter) override;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::string line_;
  std::size_t waited_for_ = 0;
};

// The lines of a script, one after the other; "< bestmove" is not typed but waits for such a line.
class Script final : public std::streambuf {
 public:
  Script(std::vector<std::string> lines, Transcript& transcript)
      : lines_(std::move(lines)), transcript_(transcript) {}

 protected:
  int_type underflow() override;

 private:
  std::vector<std::string> lines_;
  Transcript& transcript_;
  std::size_t next_ = 0;
  std::string typed_;
};

}  // namespace awale::test
