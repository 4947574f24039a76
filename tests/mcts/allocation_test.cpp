// Counts every call of operator new in this program.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/configs.hpp"
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
  auto roots = roots_of(games);
  for (std::size_t i = 0; i < roots.size(); i += 3)
    roots[i].simulations = 10;
  std::vector<mcts::SearchResult> results(roots.size());
  nn::HashEvaluator evaluator;
  for (auto config : {noisy(puct(64)), noisy(gumbel(64)), puct(64), gumbel(64)}) {
    for (const int leaves : {1, 4}) {
      config.leaves = leaves;
      INFO(describe(config));
      mcts::BatchedSearch search(rules, config, 5);
      const auto before_first = allocations.load();
      search.run(roots, evaluator, results);
      const auto before_second = allocations.load();
      REQUIRE(before_second > before_first);
      search.run(roots, evaluator, results);
      search.run({roots.data(), 10}, evaluator, {results.data(), 10});
      search.run(roots, evaluator, results);
      std::reverse(roots.begin(), roots.end());
      search.run(roots, evaluator, results);
      std::reverse(roots.begin(), roots.end());
      const auto after = allocations.load();
      CHECK(after == before_second);
    }
  }
}

}  // namespace
}  // namespace awale::test
