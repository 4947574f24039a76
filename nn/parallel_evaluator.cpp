#include "nn/parallel_evaluator.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "env/error.hpp"
#include "nn/worker_thread.hpp"

namespace awale::nn {

// A thread with an evaluator and the part of the batch that it has to do.
class ParallelEvaluator::Worker {
 public:
  explicit Worker(std::unique_ptr<Evaluator> evaluator)
      : evaluator_(std::move(evaluator)),
        thread_([this] { evaluator_->evaluate(*rules_, positions_, evaluations_); }) {}

  void begin(const env::RuleSet& rules, std::span<const env::Position> positions,
             std::span<Evaluation> evaluations) {
    rules_ = &rules;
    positions_ = positions;
    evaluations_ = evaluations;
    thread_.begin();
  }

  // What the part has thrown, nullptr if nothing.
  std::exception_ptr finish() { return thread_.finish(); }

  EvaluatorStats stats() const { return evaluator_->stats(); }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  const env::RuleSet* rules_ = nullptr;
  std::span<const env::Position> positions_;
  std::span<Evaluation> evaluations_;
  WorkerThread thread_;  // last: it uses the others
};

ParallelEvaluator::ParallelEvaluator(std::vector<std::unique_ptr<Evaluator>> parts,
                                     std::size_t least_rows)
    : least_rows_(least_rows) {
  AWALE_CHECK(!parts.empty() && least_rows > 0, parts.size() << " parts, " << least_rows);
  first_ = std::move(parts.front());
  for (std::size_t part = 1; part < parts.size(); ++part)
    workers_.push_back(std::make_unique<Worker>(std::move(parts[part])));
}

ParallelEvaluator::~ParallelEvaluator() = default;

void ParallelEvaluator::evaluate(const env::RuleSet& rules,
                                 std::span<const env::Position> positions,
                                 std::span<Evaluation> evaluations) {
  AWALE_CHECK(positions.size() == evaluations.size(), positions.size());
  const std::size_t rows = positions.size();
  const std::size_t parts = std::clamp<std::size_t>(rows / least_rows_, 1, workers_.size() + 1);
  const auto first_row = [&](std::size_t part) { return rows * part / parts; };
  for (std::size_t part = 1; part < parts; ++part) {
    const std::size_t first = first_row(part);
    const std::size_t size = first_row(part + 1) - first;
    workers_[part - 1]->begin(rules, positions.subspan(first, size),
                              evaluations.subspan(first, size));
  }
  std::exception_ptr error;
  try {
    first_->evaluate(rules, positions.first(first_row(1)), evaluations.first(first_row(1)));
  } catch (...) {
    error = std::current_exception();
  }
  for (std::size_t part = 1; part < parts; ++part) {
    const auto other = workers_[part - 1]->finish();
    if (!error) error = other;
  }
  if (error) std::rethrow_exception(error);
}

std::string ParallelEvaluator::name() const {
  return first_->name() + ", " + std::to_string(workers_.size() + 1) + " threads";
}

EvaluatorStats ParallelEvaluator::stats() const {
  EvaluatorStats sum = first_->stats();
  for (const auto& worker : workers_) {
    const EvaluatorStats stats = worker->stats();
    sum.rows += stats.rows;
    sum.cache_hits += stats.cache_hits;
    sum.encoding_seconds += stats.encoding_seconds;
    sum.network_seconds += stats.network_seconds;
  }
  return sum;
}

}  // namespace awale::nn
