// Parts of a batch on threads: every row answered once, by whichever part, as one evaluator would.
#include "nn/parallel_evaluator.hpp"

#include "tests/contract/evaluator_contract.hpp"
#include "tests/nn/counting_evaluator.hpp"

namespace awale::test {
namespace {

using Parts = std::vector<std::unique_ptr<nn::Evaluator>>;

struct Parallel {
  Parallel(int threads, std::size_t least_rows) {
    Parts parts;
    for (int thread = 0; thread < threads; ++thread) {
      auto part = std::make_unique<CountingEvaluator>();
      inner.push_back(part.get());
      parts.push_back(std::move(part));
    }
    evaluator = std::make_unique<nn::ParallelEvaluator>(std::move(parts), least_rows);
  }

  std::vector<std::uint64_t> rows() const {
    std::vector<std::uint64_t> rows;
    for (const CountingEvaluator* part : inner)
      rows.push_back(part->stats().rows);
    return rows;
  }

  std::vector<CountingEvaluator*> inner;
  std::unique_ptr<nn::ParallelEvaluator> evaluator;
};

TEST_CASE("A parallel evaluator keeps the evaluator contract and equals one evaluator") {
  for (const int threads : {1, 2, 5}) {
    Parallel parallel(threads, 4);
    check_evaluator_contract(*parallel.evaluator);
    nn::HashEvaluator hash;
    const env::RuleSet rules;
    const auto positions = random_positions(rules, 300, 41);
    for (std::size_t rows = 0; rows < positions.size(); rows += 1 + rows / 8) {
      const auto expected = evaluate_all(hash, rules, std::span(positions).first(rows));
      const auto found = evaluate_all(*parallel.evaluator, rules, std::span(positions).first(rows));
      for (std::size_t i = 0; i < rows; ++i)
        REQUIRE(same_bits(expected[i], found[i]));
    }
  }
}

TEST_CASE("Rows are split evenly, and only where each part has enough of them") {
  using Rows = std::vector<std::uint64_t>;
  const auto split = [](std::size_t rows) {
    Parallel parallel(3, 10);
    const env::RuleSet rules;
    evaluate_all(*parallel.evaluator, rules, random_positions(rules, static_cast<int>(rows), 42));
    CHECK(parallel.evaluator->stats().rows == rows);
    return parallel.rows();
  };
  CHECK(split(1) == Rows{1, 0, 0});
  CHECK(split(19) == Rows{19, 0, 0});
  CHECK(split(20) == Rows{10, 10, 0});
  CHECK(split(29) == Rows{14, 15, 0});
  CHECK(split(30) == Rows{10, 10, 10});
  CHECK(split(301) == Rows{100, 100, 101});
}

TEST_CASE("Whichever part fails, the others end and the first failure is told, again and again") {
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 40, 43);
  for (const int broken : {0, 1, 2}) {
    Parts parts;
    for (int part = 0; part < 4; ++part) {
      parts.push_back(std::make_unique<CountingEvaluator>(
          part == broken || part == 3 ? "part " + std::to_string(part) : ""));
    }
    nn::ParallelEvaluator evaluator(std::move(parts), 10);
    for (int round = 0; round < 3; ++round) {
      CHECK_THROWS_WITH(evaluate_all(evaluator, rules, positions),
                        "part " + std::to_string(broken));
      CHECK(evaluator.stats().rows == 40U * (round + 1));
    }
  }
}

TEST_CASE("Many short batches pass from thread to thread without a loss") {
  Parallel parallel(3, 1);
  nn::HashEvaluator hash;
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 64, 44);
  const auto expected = evaluate_all(hash, rules, positions);
  std::vector<nn::Evaluation> found(positions.size());
  for (std::size_t round = 0; round < 3000; ++round) {
    const std::size_t rows = 1 + round % 9;
    const std::size_t first = round % (positions.size() - rows);
    parallel.evaluator->evaluate(rules, std::span(positions).subspan(first, rows),
                                 std::span(found).subspan(first, rows));
    for (std::size_t i = first; i < first + rows; ++i)
      REQUIRE(same_bits(found[i], expected[i]));
  }
}

TEST_CASE("The name tells the number of threads") {
  CHECK(Parallel(3, 1).evaluator->name() == "counting, 3 threads");
}

}  // namespace
}  // namespace awale::test
