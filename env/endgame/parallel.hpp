// The same work on several threads.
#pragma once

#include <cstdint>
#include <functional>

namespace awale::env {

// Calls work(thread) once for each thread in 0..threads-1, each on a thread of its own (one: on the
// caller's), and waits for all. Throws the first exception that one of them has thrown.
void run_on_threads(int threads, const std::function<void(int thread)>& work);

// Calls work(thread, begin, end) for pieces of 0..size, each of at most `piece`, on as many threads
// as there are pieces for, at most `threads`.
void run_in_pieces(
    int threads, std::uint64_t size, std::uint64_t piece,
    const std::function<void(int thread, std::uint64_t begin, std::uint64_t end)>& work);

}  // namespace awale::env
