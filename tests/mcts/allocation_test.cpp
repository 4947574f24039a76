// Counts every call of operator new in this program.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "mcts/batched_search.hpp"
#include "nn/cached_evaluator.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"

namespace {

std::atomic<std::size_t> allocations = 0;

void* counted(std::size_t size, std::size_t alignment) noexcept {
  ++allocations;
  // aligned_alloc wants a multiple of the alignment.
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* counted_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = counted(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// All forms that the others fall back on: a sanitizer would notice a mixture of its own and ours.
void* operator new(std::size_t size) {
  return counted_or_throw(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, alignof(std::max_align_t));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace awale::test {
namespace {

TEST_CASE("after the first run a search allocates nothing") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 64, 21);
  const auto roots = roots_of(games);
  std::vector<mcts::SearchResult> results(roots.size());
  nn::HashEvaluator evaluator;
  mcts::SearchConfig config;
  config.simulations = 64;
  config.noise_weight = 0.25F;
  mcts::BatchedSearch search(rules, config, 5);
  const auto before_first = allocations.load();
  search.run(roots, evaluator, results);
  const auto before_second = allocations.load();
  REQUIRE(before_second > before_first);
  search.run(roots, evaluator, results);
  search.run({roots.data(), 10}, evaluator, {results.data(), 10});
  search.run(roots, evaluator, results);
  CHECK(allocations.load() == before_second);
}

TEST_CASE("after its largest batch a cached evaluator allocates nothing") {
  const auto rules = env::preset("abapa");
  nn::CachedEvaluator evaluator(std::make_unique<nn::HashEvaluator>(), 1000);
  std::vector<env::Position> positions;
  for (const auto& game : random_games(rules, 512, 22))
    positions.push_back(game.position());
  std::vector<nn::Evaluation> evaluations(positions.size());
  // The first batch knows half of its rows, so it has fewer misses than later ones.
  std::copy_n(positions.begin() + 256, 256, positions.begin());
  evaluator.evaluate(rules, positions, evaluations);
  const auto before = allocations.load();
  for (std::uint8_t store = 1; store < 20; ++store) {
    for (env::Position& position : positions)
      position.board.store_opponent = store;
    evaluator.evaluate(rules, positions, evaluations);
    evaluator.evaluate(rules, std::span(positions).first(10), std::span(evaluations).first(10));
  }
  CHECK(evaluator.stats().cache_hits > 0);
  CHECK(allocations.load() == before);
}

}  // namespace
}  // namespace awale::test
