// Runs acting and learning beside each other, with a lag that the threads do not decide.
//
// Iteration k plays every group once and learns once. What must wait for what:
//   play(g, k)   for play(g, k-1), and for learn(k-1), whose network it plays with
//   learn(k)     for finish(k-1), so it knows the games of all iterations before k
//   finish(k)    for learn(k) and for play(g, k) of every group
// So whoever has no group left to play in iteration k goes on with k+1 while the others still play
// k: nobody waits at the end of an iteration, and on one thread or many each job sees the same.
#pragma once

#include <cstdint>
#include <functional>

namespace awale::training {

struct OverlappedJobs {
  // Group `group` in one iteration; `worker` in 0..threads-1 is the calling thread's number. Called
  // for several groups at once.
  std::function<void(int group, std::uint32_t iteration, int worker)> play;
  // One call at a time, of both together, in the order learn(k), finish(k), learn(k+1).
  std::function<void(std::uint32_t iteration)> learn;
  std::function<bool(std::uint32_t iteration)> finish;  // false: no further iterations
};

// Iterations first..last, fewer if finish() says so (what has been played of the next iteration is
// then dropped). Returns when no job runs any more; the first exception of a job stops all others
// and is rethrown.
void run_overlapped(int threads, int groups, std::uint32_t first, std::uint32_t last,
                    const OverlappedJobs& jobs);

}  // namespace awale::training
