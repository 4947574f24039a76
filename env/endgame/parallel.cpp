#include "env/endgame/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace awale::env {

void run_on_threads(int threads, const std::function<void(int thread)>& work) {
  if (threads == 1) return work(0);
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&](int thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back(guarded, thread);
    guarded(0);
  }
  if (first) std::rethrow_exception(first);
}

void run_in_pieces(
    int threads, std::uint64_t size, std::uint64_t piece,
    const std::function<void(int thread, std::uint64_t begin, std::uint64_t end)>& work) {
  std::atomic<std::uint64_t> next = 0;
  const std::uint64_t pieces = (size + piece - 1) / piece;
  const int useful = static_cast<int>(std::clamp<std::uint64_t>(pieces, 1, threads));
  run_on_threads(useful, [&](int thread) {
    for (std::uint64_t begin = next.fetch_add(piece); begin < size; begin = next.fetch_add(piece))
      work(thread, begin, std::min(begin + piece, size));
  });
}

}  // namespace awale::env
