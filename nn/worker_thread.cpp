#include "nn/worker_thread.hpp"

#include <utility>

namespace awale::nn {
namespace {

constexpr int kIdle = 0;
constexpr int kBusy = 1;
constexpr int kStop = 2;

// Some 20 to 100 us: longer than a search takes between two batches, so that threads rarely sleep
// during a search, and shorter than anybody minds of an idle one.
constexpr int kSpins = 2000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Until `state` is another one; returns it.
int wait_while(const std::atomic<int>& state, int old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    const int now = state.load(std::memory_order_acquire);
    if (now != old) return now;
    relax();
  }
  state.wait(old, std::memory_order_acquire);
  return state.load(std::memory_order_acquire);
}

}  // namespace

WorkerThread::WorkerThread(std::function<void()> work)
    : work_(std::move(work)), state_(kIdle), thread_([this] { loop(); }) {}

WorkerThread::~WorkerThread() {
  change_to(kStop);
  thread_.join();
}

void WorkerThread::begin() {
  change_to(kBusy);
}

std::exception_ptr WorkerThread::finish() {
  wait_while(state_, kBusy);
  return std::exchange(error_, nullptr);
}

void WorkerThread::change_to(int state) {
  state_.store(state, std::memory_order_release);
  state_.notify_one();
}

void WorkerThread::loop() {
  while (wait_while(state_, kIdle) != kStop) {
    try {
      work_();
    } catch (...) {
      error_ = std::current_exception();
    }
    change_to(kIdle);
  }
}

}  // namespace awale::nn
