#include "nn/cached_evaluator.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "env/error.hpp"

namespace awale::nn {
namespace {

constexpr std::uint32_t kKnown = 0;

}  // namespace

CachedEvaluator::CachedEvaluator(std::unique_ptr<Evaluator> inner, std::size_t positions)
    : inner_(std::move(inner)), entries_((positions + kWays - 1) / kWays * kWays) {
  AWALE_CHECK(inner_ != nullptr && positions > 0, "a cache of " << positions << " positions");
}

void CachedEvaluator::evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                               std::span<Evaluation> evaluations) {
  AWALE_CHECK(positions.size() == evaluations.size(), positions.size());
  prepare(rules, positions);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (const Entry* entry = find(row)) {
      evaluations[row] = entry->evaluation;
      sources_[row] = kKnown;
    } else {
      sources_[row] = add_miss(row, positions[row]) + 1;
    }
  }
  hits_ += positions.size() - misses_.size();
  if (misses_.empty()) return;
  found_.resize(misses_.size());
  inner_->evaluate(rules, misses_, found_);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (sources_[row] != kKnown) evaluations[row] = found_[sources_[row] - 1];
  }
  for (std::size_t miss = 0; miss < misses_.size(); ++miss)
    insert(miss_rows_[miss], found_[miss]);
}

std::string CachedEvaluator::name() const {
  return inner_->name() + ", cache " + std::to_string(entries_.size());
}

EvaluatorStats CachedEvaluator::stats() const {
  EvaluatorStats stats = inner_->stats();
  stats.cache_hits += hits_;
  return stats;
}

// The high bits choose the set, the low ones the place among the unknown.
CachedEvaluator::Entry* CachedEvaluator::set_of(std::uint64_t hash) {
  __extension__ using Wide = unsigned __int128;
  const std::size_t sets = entries_.size() / kWays;
  return &entries_[static_cast<std::size_t>((Wide{hash} * sets) >> 64) * kWays];
}

// Keys and hashes of all rows, so that their sets are on the way before the first is looked into.
void CachedEvaluator::prepare(const env::RuleSet& rules, std::span<const env::Position> positions) {
  if (!rules.same_game(rules_)) {
    rules_ = rules;
    cleared_ = inserted_;
  }
  const std::size_t rows = positions.size();
  keys_.resize(std::max(keys_.size(), rows));
  hashes_.resize(keys_.size());
  sources_.resize(keys_.size());
  for (std::size_t row = 0; row < rows; ++row) {
    keys_[row] = position_key(rules, positions[row]);
    hashes_[row] = hash(keys_[row]);
    const Entry* set = set_of(hashes_[row]);
    for (std::size_t way = 0; way < kWays; ++way)
      __builtin_prefetch(set + way);
  }
  unknown_.assign(std::bit_ceil(2 * rows), {});
  misses_.clear();
  misses_.reserve(rows);
  miss_rows_.clear();
  miss_rows_.reserve(rows);
  found_.reserve(rows);
}

const CachedEvaluator::Entry* CachedEvaluator::find(std::size_t row) {
  const Entry* set = set_of(hashes_[row]);
  for (const Entry* entry = set; entry != set + kWays; ++entry) {
    if (entry->filled > cleared_ && entry->key == keys_[row]) return entry;
  }
  return nullptr;
}

// The row's index among the misses; added if no earlier row of the batch is the same position.
std::uint32_t CachedEvaluator::add_miss(std::size_t row, const env::Position& position) {
  const std::size_t mask = unknown_.size() - 1;
  std::size_t place = hashes_[row] & mask;
  for (; unknown_[place].row != 0; place = (place + 1) & mask) {
    const Unknown& other = unknown_[place];
    const std::uint32_t miss = other.row - 1;
    if (other.hash == hashes_[row] && keys_[miss_rows_[miss]] == keys_[row]) return miss;
  }
  unknown_[place] = {hashes_[row], static_cast<std::uint32_t>(misses_.size() + 1)};
  misses_.push_back(position);
  miss_rows_.push_back(row);
  return unknown_[place].row - 1;
}

void CachedEvaluator::insert(std::size_t row, const Evaluation& evaluation) {
  Entry* set = set_of(hashes_[row]);
  Entry* oldest = std::min_element(set, set + kWays, [](const Entry& left, const Entry& right) {
    return left.filled < right.filled;
  });
  *oldest = {keys_[row], evaluation, ++inserted_};
}

}  // namespace awale::nn
