// A thread that does the same piece of work whenever it is told to: for work so short that starting
// a thread, or waking a sleeping one, would take as long.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace awale::nn {

// begin() and finish() in turns, by one thread at a time. What the work reads and writes belongs to
// the caller before begin() and after finish(), to the thread between them.
class WorkerThread {
 public:
  explicit WorkerThread(std::function<void()> work);
  // Not between begin() and finish().
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  void begin();

  // Waits for the end of the work. What it has thrown, nullptr if nothing.
  std::exception_ptr finish();

 private:
  void change_to(int state);
  void loop();

  std::function<void()> work_;
  std::exception_ptr error_;
  alignas(64) std::atomic<int> state_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace awale::nn
