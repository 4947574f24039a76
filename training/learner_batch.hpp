// The rows of a step as the CPU learner reads them: sorted by rule set, cut into pieces of equal
// size, features encoded once. Nothing is allocated when a batch has the size of the one before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/rules.hpp"
#include "nn/encoder.hpp"
#include "training/learner_kernel.hpp"
#include "training/targets.hpp"

namespace awale::training {

class LearnerBatch {
 public:
  // Rows name their rule set by its index in `rules`.
  explicit LearnerBatch(std::vector<env::RuleSet> rules);

  // At most `most_rows` rows a piece; the last may be short of a few, which it has features of, but
  // no targets.
  void fill(std::span<const TrainingRow* const> rows, int most_rows);

  int pieces() const { return pieces_; }
  int piece_rows() const { return piece_rows_; }
  std::span<const TrainingRow* const> rows() const { return rows_; }
  // Those of a piece that have targets.
  std::span<const TrainingRow* const> rows(int piece) const;
  FeatureRows features(int piece) const;

 private:
  void sort(std::span<const TrainingRow* const> rows);
  void encode();
  void cut_runs();

  std::vector<env::RuleSet> rules_;
  std::vector<const TrainingRow*> rows_;
  std::vector<std::size_t> rule_rows_;  // of each rule set
  std::vector<env::Position> positions_;
  std::vector<nn::FeatureValues> values_;
  std::vector<std::uint16_t> offsets_;  // [pieces * piece_rows][kRowFeatures]
  std::vector<RuleRun> runs_;
  std::vector<std::size_t> first_run_;  // [pieces + 1]
  int pieces_ = 0;
  int piece_rows_ = 0;
};

}  // namespace awale::training
