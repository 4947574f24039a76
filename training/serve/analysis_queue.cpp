#include "training/serve/analysis_queue.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "nn/stoppable_evaluator.hpp"

namespace awale::training {

namespace {

AnalystSetup stoppable(AnalystSetup setup, const std::atomic<bool>& stop) {
  setup.make_evaluator = [make = std::move(setup.make_evaluator), &stop](int threads) {
    return std::make_unique<nn::StoppableEvaluator>(make(threads), [&stop] { return stop.load(); });
  };
  return setup;
}

template <typename Jobs>
void fail(Jobs& jobs, const std::exception_ptr& error) {
  for (auto& job : jobs)
    job.answer.set_exception(error);
}

}  // namespace

AnalysisQueue::AnalysisQueue(const AnalystSetup& setup, int threads, std::size_t batch,
                             std::size_t most_waiting)
    : setup_(stoppable(setup, closed_)), batch_(batch), most_waiting_(most_waiting) {
  for (int thread = 0; thread < threads; ++thread)
    threads_.emplace_back([this] { work(); });
}

AnalysisQueue::~AnalysisQueue() {
  close();
  for (auto& thread : threads_)
    thread.join();
}

void AnalysisQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  fail(jobs_, std::make_exception_ptr(QueueBusy()));
  jobs_.clear();
  changed_.notify_all();
}

Analysis AnalysisQueue::analyze(AnalysisRequest request) {
  std::future<Analysis> answer;
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || jobs_.size() >= most_waiting_) throw QueueBusy();
    jobs_.push_back({std::move(request), {}});
    answer = jobs_.back().answer.get_future();
  }
  changed_.notify_one();
  return answer.get();
}

std::vector<AnalysisQueue::Job> AnalysisQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
  std::vector<Job> taken;
  // The other threads get their share of what waits.
  const std::size_t share = (jobs_.size() + threads_.size() - 1) / threads_.size();
  for (std::size_t left = std::min(batch_, share); left > 0; --left) {
    taken.push_back(std::move(jobs_.front()));
    jobs_.pop_front();
  }
  return taken;
}

void AnalysisQueue::work() {
  Analyst analyst(setup_);
  for (auto jobs = take(); !jobs.empty(); jobs = take()) {
    std::vector<AnalysisRequest> requests;
    for (const Job& job : jobs)
      requests.push_back(job.request);
    try {
      auto analyses = analyst.analyze(requests);
      for (std::size_t i = 0; i < jobs.size(); ++i)
        jobs[i].answer.set_value(std::move(analyses[i]));
    } catch (const nn::SearchStopped&) {
      fail(jobs, std::make_exception_ptr(QueueBusy()));
    } catch (...) {
      fail(jobs, std::current_exception());
    }
  }
}

}  // namespace awale::training
