#include "training/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace awale::training {
namespace {

// The failure that wins is that of the lowest index, whichever thread met it first.
class FirstFailure {
 public:
  void record(int index) {
    const std::lock_guard lock(mutex_);
    if (error_ && index_ < index) return;
    error_ = std::current_exception();
    index_ = index;
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  int index_ = 0;
};

}  // namespace

void run_jobs(int threads, int jobs, const std::function<void(int index, int worker)>& job) {
  std::atomic<int> next = 0;
  std::atomic<bool> failed = false;
  FirstFailure failure;
  const auto work = [&](int worker) {
    while (!failed) {
      const int index = next++;
      if (index >= jobs) return;
      try {
        job(index, worker);
      } catch (...) {
        failure.record(index);
        failed = true;
      }
    }
  };
  std::vector<std::jthread> workers;
  for (int worker = 1; worker < std::min(threads, jobs); ++worker)
    workers.emplace_back(work, worker);
  work(0);
  workers.clear();
  failure.rethrow();
}

}  // namespace awale::training
