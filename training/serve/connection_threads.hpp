// A thread for each connection while it lasts, up to a number; whoever comes then waits to be
// accepted. Not a pool: hundreds of threads that wait for work would each keep what they have
// allocated.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace awale::training {

class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> connection) override;
  // Waits for those that there are.
  void shutdown() override;

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t active_ = 0;
};

}  // namespace awale::training
