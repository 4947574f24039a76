// Lines of an input as they come, read by a thread of their own: whoever takes them gets all that
// have come, up to a number.
#pragma once

#include <condition_variable>
#include <deque>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace awale::training {

class LineQueue {
 public:
  // Reads ahead at most `most_waiting` lines, so that a program that writes faster than it is
  // answered has to wait. `input` must end before this does.
  LineQueue(std::istream& input, std::size_t most_waiting);
  ~LineQueue();

  // Waits for a line, then takes as many as there are, `most` at most. None: the input has ended.
  std::vector<std::string> take(std::size_t most);

 private:
  void read(std::istream& input);

  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool ended_ = false;
  bool stopped_ = false;
  std::thread reader_;
};

}  // namespace awale::training
