// A cache changes how often the inner evaluator is asked, never what is answered.
#include "nn/cached_evaluator.hpp"

#include "tests/contract/evaluator_contract.hpp"
#include "tests/nn/counting_evaluator.hpp"

namespace awale::test {
namespace {

using env::Position;
using env::RuleSet;

RuleSet rules_with_limit(int ply_limit) {
  RuleSet rules;
  rules.ply_limit = ply_limit;
  return rules;
}

struct Cached {
  explicit Cached(std::size_t positions) {
    auto counting = std::make_unique<CountingEvaluator>();
    inner = counting.get();
    evaluator = std::make_unique<nn::CachedEvaluator>(std::move(counting), positions);
  }

  CountingEvaluator* inner;
  std::unique_ptr<nn::CachedEvaluator> evaluator;
};

void require_right(nn::Evaluator& evaluator, const RuleSet& rules,
                   std::span<const Position> positions) {
  nn::HashEvaluator hash;
  const auto expected = evaluate_all(hash, rules, positions);
  const auto found = evaluate_all(evaluator, rules, positions);
  for (std::size_t i = 0; i < expected.size(); ++i)
    REQUIRE(same_bits(expected[i], found[i]));
}

TEST_CASE("A cached evaluator keeps the evaluator contract, whatever its size") {
  for (const std::size_t positions : {1, 3, 64, 100'000}) {
    Cached cached(positions);
    check_evaluator_contract(*cached.evaluator);
  }
}

TEST_CASE("Known positions are not evaluated again, nor twice in a batch") {
  Cached cached(65536);
  const RuleSet rules;
  const auto positions = random_positions(rules, 200, 31);
  std::vector<Position> twice(positions.begin(), positions.end());
  twice.insert(twice.end(), positions.begin(), positions.end());
  require_right(*cached.evaluator, rules, twice);
  const auto distinct = cached.inner->stats().rows;
  CHECK(distinct <= positions.size());
  CHECK(cached.inner->calls == 1);
  require_right(*cached.evaluator, rules, positions);
  CHECK(cached.inner->stats().rows == distinct);
  CHECK(cached.inner->calls == 1);  // no call for no row
  const auto stats = cached.evaluator->stats();
  CHECK(stats.rows == distinct);
  CHECK(stats.rows + stats.cache_hits == twice.size() + positions.size());
}

TEST_CASE("A tiny cache, full of collisions, answers as if there were none") {
  const RuleSet rules;
  const auto positions = random_positions(rules, 3000, 32);
  for (const std::size_t entries : {1, 2, 7, 50}) {
    Cached cached(entries);
    for (std::size_t round = 0; round < 200; ++round) {
      const std::size_t rows = 1 + round * 7 % 40;
      const std::size_t first = round * 13 % (positions.size() - rows);
      require_right(*cached.evaluator, rules, std::span(positions).subspan(first, rows));
    }
    CHECK(cached.evaluator->stats().cache_hits > 0);
  }
}

TEST_CASE("The oldest entry of a set is driven out") {
  Cached cached(4);  // one set
  const RuleSet rules;
  const std::vector<Position> positions = random_positions(rules, 5, 33);
  const auto calls_after = [&](int which) {
    require_right(*cached.evaluator, rules, {&positions[which], 1});
    return cached.inner->calls;
  };
  for (int which = 0; which < 4; ++which)
    CHECK(calls_after(which) == which + 1);
  CHECK(calls_after(0) == 4);
  CHECK(calls_after(4) == 5);  // instead of 0
  for (const int which : {1, 2, 3, 4})
    CHECK(calls_after(which) == 5);
  CHECK(calls_after(0) == 6);
}

TEST_CASE("Other rules empty the cache") {
  Cached cached(4096);
  const Position position{env::initial_board(), 10, 2, 0};
  const auto ask = [&](const RuleSet& rules) {
    require_right(*cached.evaluator, rules, {&position, 1});
    return cached.inner->calls;
  };
  RuleSet slam;  // looks the same to the hash, but not to a network
  slam.grand_slam = env::GrandSlam::kCapture;
  CHECK(ask(RuleSet{}) == 1);
  CHECK(ask(RuleSet{}) == 1);
  CHECK(ask(slam) == 2);
  CHECK(ask(RuleSet{}) == 3);
  CHECK(ask(rules_with_limit(30)) == 4);
  RuleSet renamed = rules_with_limit(30);
  renamed.name = "thirty";
  CHECK(ask(renamed) == 4);
}

TEST_CASE("Mirrored positions share an entry, others do not") {
  Cached cached(4096);
  const RuleSet rules;
  Position position{env::initial_board(), 10, 2, 0};
  const auto is_known = [&] {
    const int calls = cached.inner->calls;
    require_right(*cached.evaluator, rules, {&position, 1});
    return cached.inner->calls == calls;
  };
  CHECK_FALSE(is_known());
  position.board.to_move = env::Side::kNorth;
  CHECK(is_known());
  position.repetitions = 1;
  CHECK_FALSE(is_known());
  position.quiet_plies = 9;
  CHECK_FALSE(is_known());
  position.ply = 999;
  CHECK_FALSE(is_known());
  ++position.board.store_opponent;
  CHECK_FALSE(is_known());
}

TEST_CASE("A failure of the inner evaluator leaves the cache as it was") {
  nn::CachedEvaluator evaluator(std::make_unique<CountingEvaluator>("broken"), 64);
  const RuleSet rules;
  const auto positions = random_positions(rules, 5, 34);
  for (int i = 0; i < 2; ++i)
    CHECK_THROWS_WITH(evaluate_all(evaluator, rules, positions), "broken");
}

TEST_CASE("The name tells the cache and its size") {
  CHECK(Cached(1000).evaluator->name() == "counting, cache 1000");
  CHECK(Cached(7).evaluator->name() == "counting, cache 8");
}

}  // namespace
}  // namespace awale::test
