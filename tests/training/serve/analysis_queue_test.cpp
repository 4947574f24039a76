// Whoever asks gets the answer to his own question, whatever else is asked at the same time.
#include "training/serve/analysis_queue.hpp"

#include <atomic>
#include <latch>

#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/analysis/hash_setup.hpp"

namespace awale::test {
namespace {

// Lets nobody have a batch before it is opened; `begun` tells that somebody wants one.
class GatedEvaluator final : public nn::Evaluator {
 public:
  GatedEvaluator(std::latch& gate, std::atomic<bool>& begun) : gate_(gate), begun_(begun) {}
  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<nn::Evaluation> evaluations) override {
    begun_ = true;
    begun_.notify_all();
    gate_.wait();
    inner_.evaluate(rules, positions, evaluations);
  }
  std::string name() const override { return inner_.name(); }

 private:
  std::latch& gate_;
  std::atomic<bool>& begun_;
  nn::HashEvaluator inner_;
};

training::AnalysisRequest request(int plies, int simulations) {
  const std::string moves = "FfBeBcEbDdAa";
  return {env::replay({}, env::initial_board(), moves.substr(0, static_cast<std::size_t>(plies))),
          simulations};
}

TEST_CASE("answers from many threads are those of an analyst alone") {
  const auto setup = hash_setup(100);
  constexpr int kThreads = 16;
  std::vector<nlohmann::ordered_json> found(kThreads * 6);
  {
    training::AnalysisQueue queue(setup, 2, 5, 1000);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int plies = 0; plies < 6; ++plies) {
          const auto analysis = queue.analyze(request(plies, 20 + thread));
          found[static_cast<std::size_t>(thread * 6 + plies)] = to_json(analysis);
        }
      });
    }
    for (auto& thread : threads)
      thread.join();
  }
  training::Analyst alone(setup);
  for (int i = 0; i < kThreads * 6; ++i) {
    const auto asked = request(i % 6, 20 + i / 6);
    CHECK(found[static_cast<std::size_t>(i)] == to_json(alone.analyze({&asked, 1}).front()));
  }
}

TEST_CASE("who comes when too many wait is sent away, and the others are answered") {
  std::latch gate(1);
  auto setup = hash_setup(100);
  std::atomic<bool> begun = false;
  setup.make_evaluator = [&](int) { return std::make_unique<GatedEvaluator>(gate, begun); };
  std::atomic<int> answered = 0;
  std::atomic<int> refused = 0;
  training::AnalysisQueue queue(setup, 1, 1, 2);
  // One is searched, two wait; of eight at least five are sent away.
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      try {
        queue.analyze(request(0, 4));
        ++answered;
      } catch (const training::QueueBusy&) {
        if (++refused == 5) gate.count_down();
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  CHECK(answered + refused == 8);
  CHECK(refused >= 5);
  CHECK(answered >= 2);
}

TEST_CASE("a queue that is closed lets nobody wait, not even for the search in progress") {
  std::latch gate(1);
  auto setup = hash_setup(100);
  std::atomic<bool> begun = false;
  setup.make_evaluator = [&](int) { return std::make_unique<GatedEvaluator>(gate, begun); };
  training::AnalysisQueue queue(setup, 1, 1, 10);
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      try {
        queue.analyze(request(0, 100));
      } catch (const training::QueueBusy&) {
        ++refused;
      }
    });
  }
  begun.wait(false);
  queue.close();
  gate.count_down();
  for (auto& thread : threads)
    thread.join();
  CHECK(refused == 3);
  CHECK_THROWS_AS(queue.analyze(request(0, 4)), training::QueueBusy);
}

TEST_CASE("an error of a search comes to who asked") {
  struct Failing final : nn::Evaluator {
    void evaluate(const env::RuleSet&, std::span<const env::Position>,
                  std::span<nn::Evaluation>) override {
      throw std::runtime_error("no luck");
    }
    std::string name() const override { return "failing"; }
  };
  auto setup = hash_setup(100);
  setup.make_evaluator = [](int) { return std::make_unique<Failing>(); };
  training::AnalysisQueue queue(setup, 1, 10, 10);
  for (int i = 0; i < 2; ++i)
    CHECK_THROWS_AS(queue.analyze(request(0, 4)), std::runtime_error);
}

}  // namespace
}  // namespace awale::test
