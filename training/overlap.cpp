#include "training/overlap.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace awale::training {
namespace {

// Who may do what; all under one mutex.
class Schedule {
 public:
  Schedule(int groups, std::uint32_t first, std::uint32_t last)
      : last_(last), learning_(first), played_(static_cast<std::size_t>(groups), first - 1) {
    taken_.resize(played_.size(), false);
    stopped_ = first > last;
  }

  enum class Kind { kLearn, kFinish, kPlay };
  struct Job {
    Kind kind;
    int group;
    std::uint32_t iteration;
  };

  // Waits for a job; nothing once there will be none.
  std::optional<Job> take() {
    std::unique_lock lock(mutex_);
    while (true) {
      if (stopped_) return std::nullopt;
      if (const auto job = next()) {
        set_taken(*job, true);
        return job;
      }
      changed_.wait(lock);
    }
  }

  void done(const Job& job, bool go_on) {
    const std::lock_guard lock(mutex_);
    set_taken(job, false);
    if (job.kind == Kind::kPlay) {
      played_[static_cast<std::size_t>(job.group)] = job.iteration;
    } else {
      learned_ = job.kind == Kind::kLearn;
      if (job.kind == Kind::kFinish) ++learning_;
      if (!go_on || learning_ > last_) stopped_ = true;
    }
    changed_.notify_all();
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stopped_ = true;
    changed_.notify_all();
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // The learner first: the others wait for it, if for anything. Then the group that is furthest
  // behind.
  std::optional<Job> next() const {
    if (!lane_taken_ && !learned_) return Job{Kind::kLearn, 0, learning_};
    if (!lane_taken_ && all_played(learning_)) return Job{Kind::kFinish, 0, learning_};
    const std::uint32_t newest_network = learned_ ? learning_ + 1 : learning_;
    for (std::uint32_t iteration = learning_; iteration <= std::min(newest_network, last_);
         ++iteration) {
      for (std::size_t group = 0; group < played_.size(); ++group) {
        if (!taken_[group] && played_[group] + 1 == iteration) {
          return Job{Kind::kPlay, static_cast<int>(group), iteration};
        }
      }
    }
    return std::nullopt;
  }

  void set_taken(const Job& job, bool taken) {
    if (job.kind == Kind::kPlay) {
      taken_[static_cast<std::size_t>(job.group)] = taken;
    } else {
      lane_taken_ = taken;
    }
  }

  bool all_played(std::uint32_t iteration) const {
    for (const auto played : played_) {
      if (played < iteration) return false;
    }
    return true;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t last_;
  std::uint32_t learning_;             // the iteration that learns, has learned or finishes
  bool learned_ = false;               // learn(learning_) is done
  bool lane_taken_ = false;            // learn() or finish() runs
  std::vector<std::uint32_t> played_;  // [group] the last iteration that it has played
  std::vector<bool> taken_;            // [group] it is being played
  bool stopped_ = false;
  std::exception_ptr failure_;
};

void work(int worker, const OverlappedJobs& jobs, Schedule& schedule) {
  while (const auto job = schedule.take()) {
    try {
      bool go_on = true;
      switch (job->kind) {
        case Schedule::Kind::kLearn:
          jobs.learn(job->iteration);
          break;
        case Schedule::Kind::kFinish:
          go_on = jobs.finish(job->iteration);
          break;
        case Schedule::Kind::kPlay:
          jobs.play(job->group, job->iteration, worker);
          break;
      }
      schedule.done(*job, go_on);
    } catch (...) {
      schedule.fail(std::current_exception());
    }
  }
}

}  // namespace

void run_overlapped(int threads, int groups, std::uint32_t first, std::uint32_t last,
                    const OverlappedJobs& jobs) {
  Schedule schedule(groups, first, last);
  std::vector<std::thread> workers;
  for (int worker = 1; worker < threads; ++worker)
    workers.emplace_back([&, worker] { work(worker, jobs, schedule); });
  work(0, jobs, schedule);
  for (auto& worker : workers)
    worker.join();
  schedule.rethrow();
}

}  // namespace awale::training
