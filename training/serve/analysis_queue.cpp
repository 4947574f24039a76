#include "training/serve/analysis_queue.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace awale::training {

AnalysisQueue::AnalysisQueue(const AnalystSetup& setup, int threads, std::size_t batch,
                             std::size_t most_waiting)
    : batch_(batch), most_waiting_(most_waiting) {
  for (int thread = 0; thread < threads; ++thread)
    threads_.emplace_back([this, &setup] { work(setup); });
}

AnalysisQueue::~AnalysisQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_)
    thread.join();
}

Analysis AnalysisQueue::analyze(AnalysisRequest request) {
  std::future<Analysis> answer;
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || jobs_.size() >= most_waiting_) throw QueueBusy();
    jobs_.push_back({std::move(request), {}});
    answer = jobs_.back().answer.get_future();
  }
  changed_.notify_one();
  return answer.get();
}

std::vector<AnalysisQueue::Job> AnalysisQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
  std::vector<Job> taken;
  // The other threads get their share of what waits.
  const std::size_t share = (jobs_.size() + threads_.size() - 1) / threads_.size();
  for (std::size_t left = std::min(batch_, share); left > 0; --left) {
    taken.push_back(std::move(jobs_.front()));
    jobs_.pop_front();
  }
  return taken;
}

void AnalysisQueue::work(const AnalystSetup& setup) {
  Analyst analyst(setup);
  for (auto jobs = take(); !jobs.empty(); jobs = take()) {
    std::vector<AnalysisRequest> requests;
    for (const Job& job : jobs)
      requests.push_back(job.request);
    try {
      auto analyses = analyst.analyze(requests);
      for (std::size_t i = 0; i < jobs.size(); ++i)
        jobs[i].answer.set_value(std::move(analyses[i]));
    } catch (...) {
      for (Job& job : jobs)
        job.answer.set_exception(std::current_exception());
    }
  }
}

}  // namespace awale::training
