#include "training/serve/connection_threads.hpp"

#include <thread>
#include <utility>

namespace awale::training {

void ConnectionThreads::enqueue(std::function<void()> connection) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return active_ < most_; });
  ++active_;
  std::thread([this, connection = std::move(connection)] {
    connection();
    // Under the lock, so that who waits in shutdown() finds nobody here any more.
    const std::lock_guard done(mutex_);
    --active_;
    changed_.notify_all();
  }).detach();
}

void ConnectionThreads::shutdown() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return active_ == 0; });
}

}  // namespace awale::training
