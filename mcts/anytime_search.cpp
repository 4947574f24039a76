#include "mcts/anytime_search.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "env/error.hpp"
#include "nn/stoppable_evaluator.hpp"

namespace awale::mcts {
namespace {

constexpr int kFirstSimulations = 2;
constexpr int kLinePlies = 20;

// A last search that is hardly larger than the one before is not worth its time, and the estimate
// of what fits before the deadline is none to be relied on to the last millisecond.
constexpr double kLeastGrowth = 1.25;
constexpr double kUsableTime = 0.9;

double elapsed_seconds(StopSignal::Clock::time_point begin) {
  return std::chrono::duration<double>(StopSignal::Clock::now() - begin).count();
}

}  // namespace

AnytimeSearch::AnytimeSearch(const env::RuleSet& rules, const SearchConfig& config, int threads,
                             const MakeEvaluator& make_evaluator, const StopSignal& stop)
    : stop_(stop), search_(rules, config, 1, threads, stoppable(make_evaluator)) {}

MakeEvaluator AnytimeSearch::stoppable(const MakeEvaluator& make_evaluator) const {
  return [this, make_evaluator](int threads) {
    return std::make_unique<nn::StoppableEvaluator>(
        make_evaluator(threads), [this] { return may_stop_ && stop_.stopped(); });
  };
}

void AnytimeSearch::run(const SearchRoot& root, int most_simulations,
                        const std::function<void(const AnytimeReport&)>& report) {
  AWALE_CHECK(most_simulations >= 1, most_simulations << " simulations");
  const auto begin = StopSignal::Clock::now();
  AnytimeReport found;
  SearchRoot request = root;
  request.simulations = std::min(kFirstSimulations, most_simulations);
  may_stop_ = false;
  while (true) {
    const double began = elapsed_seconds(begin);
    try {
      found.result = search_.run(request);
    } catch (const nn::SearchStopped&) {
      return;
    }
    found.simulations = request.simulations;
    found.all += static_cast<std::uint64_t>(request.simulations);
    found.seconds = elapsed_seconds(begin);
    found.line = search_.principal_variation(kLinePlies);
    report(found);
    if (found.result.solved || request.simulations == most_simulations) return;
    may_stop_ = true;
    request.simulations =
        next_simulations(request.simulations, found.seconds - began, most_simulations);
    if (request.simulations == 0) return;
  }
}

// 0: there is no time for another search.
int AnytimeSearch::next_simulations(int last, double last_seconds, int most) const {
  const int next = std::min(2 * last, most);
  const double seconds = kUsableTime * stop_.seconds_left();
  const double affordable = last * std::max(seconds, 0.0) / last_seconds;
  if (affordable >= next) return next;
  return affordable >= kLeastGrowth * last ? static_cast<int>(affordable) : 0;
}

}  // namespace awale::mcts
