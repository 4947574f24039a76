// A search that may be stopped: whatever it reports is what a search of so many simulations finds.
#include "mcts/anytime_search.hpp"

#include <atomic>
#include <memory>

#include "env/notation.hpp"
#include "env/rules.hpp"
#include "nn/hash_evaluator.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Clock = mcts::StopSignal::Clock;

mcts::SearchConfig with_simulations(int simulations) {
  mcts::SearchConfig config;
  config.simulations = simulations;
  return config;
}

// Says stop after so many batches of all evaluators that share the count, as somebody else would in
// the middle of a search.
class StoppingEvaluator final : public nn::Evaluator {
 public:
  StoppingEvaluator(mcts::StopSignal& stop, std::shared_ptr<std::atomic<int>> batches)
      : stop_(stop), batches_(std::move(batches)) {}

  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<nn::Evaluation> evaluations) override {
    if (--*batches_ == 0) stop_.stop();
    inner_.evaluate(rules, positions, evaluations);
  }
  std::string name() const override { return inner_.name(); }

 private:
  mcts::StopSignal& stop_;
  std::shared_ptr<std::atomic<int>> batches_;
  nn::HashEvaluator inner_;
};

mcts::MakeEvaluator hash_evaluators() {
  return [](int) { return std::make_unique<nn::HashEvaluator>(); };
}

mcts::MakeEvaluator stopping_evaluators(mcts::StopSignal& stop, int batches) {
  auto left = std::make_shared<std::atomic<int>>(batches);
  return [&stop, left](int) { return std::make_unique<StoppingEvaluator>(stop, left); };
}

std::vector<mcts::AnytimeReport> reports_of(mcts::AnytimeSearch& search, const env::Game& game,
                                            int most) {
  std::vector<mcts::AnytimeReport> reports;
  search.run({game.position(), game.history()}, most,
             [&](const mcts::AnytimeReport& report) { reports.push_back(report); });
  return reports;
}

// Each report against one search of its own.
void check_reports(const std::vector<mcts::AnytimeReport>& reports, const env::Game& game) {
  for (const auto& report : reports) {
    INFO(report.simulations << " simulations of " << game.board());
    nn::HashEvaluator evaluator;
    mcts::BatchedSearch search(game.rules(), with_simulations(report.simulations), 1);
    const mcts::SearchRoot root{game.position(), game.history()};
    mcts::SearchResult expected;
    search.run({&root, 1}, evaluator, {&expected, 1});
    REQUIRE(same_result(report.result, expected));
    REQUIRE(report.line == search.principal_variation(0, 20));
  }
}

std::vector<int> simulations_of(const std::vector<mcts::AnytimeReport>& reports) {
  std::vector<int> simulations;
  for (const auto& report : reports)
    simulations.push_back(report.simulations);
  return simulations;
}

TEST_CASE("an anytime search doubles its simulations and finds what single searches find") {
  for (const int threads : {1, 2}) {
    mcts::StopSignal stop;
    mcts::AnytimeSearch search(env::preset("abapa"), with_simulations(600), threads,
                               hash_evaluators(), stop);
    for (const auto& game : random_games(env::preset("abapa"), 20, 41)) {
      const auto reports = reports_of(search, game, 100);
      check_reports(reports, game);
      if (!reports.back().result.solved) {
        CHECK(simulations_of(reports) == std::vector<int>{2, 4, 8, 16, 32, 64, 100});
        CHECK(reports.back().all == 226);
      }
    }
    CHECK(simulations_of(reports_of(search, env::Game(env::preset("abapa")), 1)) ==
          std::vector<int>{1});
  }
}

TEST_CASE("an anytime search that is stopped before it begins reports once") {
  mcts::StopSignal stop;
  mcts::AnytimeSearch search(env::preset("abapa"), with_simulations(600), 1, hash_evaluators(),
                             stop);
  const env::Game game(env::preset("abapa"));
  stop.stop();
  CHECK(simulations_of(reports_of(search, game, 600)) == std::vector<int>{2});
  stop.reset();
  stop.stop_at(Clock::now() - std::chrono::seconds(1));
  CHECK(simulations_of(reports_of(search, game, 600)) == std::vector<int>{2});
  stop.reset();
  CHECK(reports_of(search, game, 600).back().simulations == 600);
}

TEST_CASE("an anytime search that is stopped within a search has reported the one before") {
  for (const auto algorithm : {mcts::Algorithm::kGumbel, mcts::Algorithm::kPuct}) {
    for (const int threads : {1, 2}) {
      for (const int batches : {1, 3, 40, 100}) {
        mcts::StopSignal stop;
        auto config = with_simulations(4096);
        config.algorithm = algorithm;
        mcts::AnytimeSearch search(env::preset("abapa"), config, threads,
                                   stopping_evaluators(stop, batches), stop);
        const env::Game game(env::preset("abapa"));
        const auto reports = reports_of(search, game, 4096);
        INFO(threads << " threads, " << batches << " batches");
        CHECK(!reports.empty());
        CHECK(reports.back().simulations < 4096);
        if (algorithm == mcts::Algorithm::kGumbel) check_reports(reports, game);
        // And what was left behind in the middle does not spoil the next search.
        stop.reset();
        const auto again = reports_of(search, game, 512);
        CHECK(again.back().simulations == 512);
        if (algorithm == mcts::Algorithm::kGumbel) check_reports(again, game);
      }
    }
  }
}

TEST_CASE("an anytime search ends when its position is solved") {
  mcts::StopSignal stop;
  const auto rules = env::preset("abapa");
  mcts::AnytimeSearch search(
      rules, with_simulations(60000), 1,
      [](int) { return std::make_unique<nn::UniformEvaluator>(); }, stop);
  const env::Game game(rules, env::parse_board("0-0-0-0-0-1-0-0-0-0-0-0-24-23-S"));
  const auto reports = reports_of(search, game, 60000);
  CHECK(reports.back().result.solved);
  CHECK(reports.back().simulations < 100);
}

}  // namespace
}  // namespace awale::test
