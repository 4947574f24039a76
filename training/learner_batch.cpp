#include "training/learner_batch.hpp"

#include <algorithm>
#include <array>

#include "env/error.hpp"

namespace awale::training {
namespace {

static_assert(nn::kFeatures * kVectorColumns <= 65535, "offsets are 16 bits");

std::array<std::uint16_t, kRowFeatures> first_offsets() {
  std::array<std::uint16_t, kRowFeatures> offsets = {};
  for (std::size_t i = 0; i < offsets.size(); ++i)
    offsets[i] = static_cast<std::uint16_t>(nn::feature_blocks()[i].first * kVectorColumns);
  return offsets;
}

RuleRun run_of(const env::RuleSet& rules, int rows) {
  return {rows, nn::rule_indices(rules)};
}

// Rows lie anywhere in a buffer of many megabytes: asked for together, they come from memory at
// once rather than one after the other.
void prefetch(std::span<const TrainingRow* const> rows) {
  constexpr std::size_t kCacheLine = 64;
  for (const TrainingRow* row : rows) {
    const auto* first = reinterpret_cast<const std::byte*>(row);
    for (std::size_t byte = 0; byte < sizeof(TrainingRow); byte += kCacheLine)
      __builtin_prefetch(first + byte);
  }
}

}  // namespace

LearnerBatch::LearnerBatch(std::vector<env::RuleSet> rules)
    : rules_(std::move(rules)), rule_rows_(rules_.size()) {
  AWALE_CHECK(!rules_.empty(), "a learner without rules");
}

void LearnerBatch::fill(std::span<const TrainingRow* const> rows, int most_rows) {
  AWALE_CHECK(!rows.empty(), "a batch without rows");
  prefetch(rows);
  const int count = static_cast<int>(rows.size());
  pieces_ = (count + most_rows - 1) / most_rows;
  piece_rows_ = (count + pieces_ - 1) / pieces_;
  sort(rows);
  encode();
  cut_runs();
}

std::span<const TrainingRow* const> LearnerBatch::rows(int piece) const {
  const auto first = static_cast<std::size_t>(piece * piece_rows_);
  return rows().subspan(first,
                        std::min(static_cast<std::size_t>(piece_rows_), rows_.size() - first));
}

FeatureRows LearnerBatch::features(int piece) const {
  const auto at = static_cast<std::size_t>(piece);
  return {offsets_.data() + at * static_cast<std::size_t>(piece_rows_) * kRowFeatures,
          runs_.data() + first_run_[at], static_cast<int>(first_run_[at + 1] - first_run_[at])};
}

void LearnerBatch::sort(std::span<const TrainingRow* const> rows) {
  rows_.clear();
  positions_.clear();
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    const std::size_t before = rows_.size();
    for (const TrainingRow* row : rows) {
      if (row->rules != rule) continue;
      rows_.push_back(row);
      positions_.push_back(row->position);
    }
    rule_rows_[rule] = rows_.size() - before;
  }
  AWALE_CHECK(rows_.size() == rows.size(), "rows of a rule set that the learner does not know");
}

void LearnerBatch::encode() {
  static const auto first = first_offsets();
  values_.assign(static_cast<std::size_t>(pieces_ * piece_rows_), {});
  std::size_t begin = 0;
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    const std::size_t rows = rule_rows_[rule];
    nn::encode_values(rules_[rule], std::span(positions_).subspan(begin, rows),
                      std::span(values_).subspan(begin, rows));
    begin += rows;
  }
  offsets_.resize(values_.size() * kRowFeatures);
  auto* offset = offsets_.data();
  for (const nn::FeatureValues& values : values_) {
    for (std::size_t i = 0; i < kRowFeatures; ++i)
      *offset++ = static_cast<std::uint16_t>(first[i] + values.value[i] * kVectorColumns);
  }
}

void LearnerBatch::cut_runs() {
  runs_.clear();
  first_run_.clear();
  std::size_t rule = 0;
  int left = static_cast<int>(rule_rows_[0]);
  for (int piece = 0; piece < pieces_; ++piece) {
    first_run_.push_back(runs_.size());
    for (int room = piece_rows_; room > 0;) {
      while (left == 0 && rule + 1 < rules_.size())
        left = static_cast<int>(rule_rows_[++rule]);
      const int rows = left == 0 ? room : std::min(room, left);  // filled up with the last rules
      runs_.push_back(run_of(rules_[rule], rows));
      room -= rows;
      left -= std::min(left, rows);
    }
  }
  first_run_.push_back(runs_.size());
}

}  // namespace awale::training
