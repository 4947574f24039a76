// Runs independent jobs on a few threads. The jobs decide the result, the threads only when:
// callers split their work into fixed jobs, so that one thread and many give the same bytes.
#pragma once

#include <functional>

namespace awale::training {

// Calls job(index, worker) once for each index in 0..jobs-1, in order of index as workers get free;
// worker is in 0..threads-1 and no two concurrent calls share one. Returns when all are done. The
// exception of the lowest failed index is rethrown; jobs not yet started are then skipped.
void run_jobs(int threads, int jobs, const std::function<void(int index, int worker)>& job);

}  // namespace awale::training
