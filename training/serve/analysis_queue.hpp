// Positions from many games, analyzed together: whatever has come in while a batch was searched is
// the next batch, so the more games there are, the fuller are the network's batches.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "training/analysis/analyst.hpp"

namespace awale::training {

// More wait than can be answered soon, or the queue has been closed.
struct QueueBusy : std::runtime_error {
  QueueBusy() : std::runtime_error("too busy to search this position; try again in a second") {}
};

class AnalysisQueue {
 public:
  // Searches on `threads` threads, each `batch` positions at once at most; `most_waiting` may wait.
  AnalysisQueue(const AnalystSetup& setup, int threads, std::size_t batch,
                std::size_t most_waiting);
  ~AnalysisQueue();

  // Whoever waits gets QueueBusy, also whose position is being searched, and whoever comes.
  void close();

  // Waits its turn; any thread. Throws QueueBusy, and what Analyst::analyze() does.
  Analysis analyze(AnalysisRequest request);

 private:
  struct Job {
    AnalysisRequest request;
    std::promise<Analysis> answer;
  };

  void work();
  // Waits for jobs and takes a batch; none: the queue has been closed.
  std::vector<Job> take();

  const AnalystSetup setup_;  // whose evaluators end a search when the queue is closed
  const std::size_t batch_;
  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::atomic<bool> closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace awale::training
