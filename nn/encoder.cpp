#include "nn/encoder.hpp"

#include <algorithm>
#include <array>

#include "env/error.hpp"
#include "nn/encoder_kernel.hpp"

namespace awale::nn {
namespace {

constexpr std::string_view kPitText = "seeds: 0..23, 24 or more";
constexpr std::string_view kStoreText = "seeds: 0..48";
constexpr std::string_view kTakesMoverText = "empty, takes 0..7, 8 or more, illegal";
constexpr std::string_view kTakesOpponentText = "empty, takes 0..7, 8 or more";
constexpr std::string_view kReplyMoverText = "empty or illegal, reply takes 0..7, 8 or more";
constexpr std::string_view kReplyOpponentText = "empty, reply takes 0..7, 8 or more";
constexpr std::string_view kGainText =
    "empty or illegal, gains -8 or less, -7..7, 8 or more in 4 plies";

constexpr std::array<FeatureBlock, kActiveFeatures> make_blocks() {
  std::array<FeatureBlock, kActiveFeatures> blocks = {{
      {"pit.to_move.0", kPitText, 0, kPitValues},
      {"pit.to_move.1", kPitText, 0, kPitValues},
      {"pit.to_move.2", kPitText, 0, kPitValues},
      {"pit.to_move.3", kPitText, 0, kPitValues},
      {"pit.to_move.4", kPitText, 0, kPitValues},
      {"pit.to_move.5", kPitText, 0, kPitValues},
      {"pit.opponent.0", kPitText, 0, kPitValues},
      {"pit.opponent.1", kPitText, 0, kPitValues},
      {"pit.opponent.2", kPitText, 0, kPitValues},
      {"pit.opponent.3", kPitText, 0, kPitValues},
      {"pit.opponent.4", kPitText, 0, kPitValues},
      {"pit.opponent.5", kPitText, 0, kPitValues},
      {"store.to_move", kStoreText, 0, kStoreValues},
      {"store.opponent", kStoreText, 0, kStoreValues},
      {"quiet_plies", "0, 1, 2, 3-4, 5-8, 9-16, 17-32, 33 or more", 0, kQuietValues},
      {"repetitions", "0, 1, 2 or more", 0, kRepetitionValues},
      {"plies_left",
       "up to 2, 5, 10, 20, 30, 50, 100, 200 plies to the limit, more than 200, no limit", 0,
       kPliesLeftValues},
      {"takes.to_move.0", kTakesMoverText, 0, kTakesIllegal + 1},
      {"takes.to_move.1", kTakesMoverText, 0, kTakesIllegal + 1},
      {"takes.to_move.2", kTakesMoverText, 0, kTakesIllegal + 1},
      {"takes.to_move.3", kTakesMoverText, 0, kTakesIllegal + 1},
      {"takes.to_move.4", kTakesMoverText, 0, kTakesIllegal + 1},
      {"takes.to_move.5", kTakesMoverText, 0, kTakesIllegal + 1},
      {"takes.opponent.0", kTakesOpponentText, 0, kTakesIllegal},
      {"takes.opponent.1", kTakesOpponentText, 0, kTakesIllegal},
      {"takes.opponent.2", kTakesOpponentText, 0, kTakesIllegal},
      {"takes.opponent.3", kTakesOpponentText, 0, kTakesIllegal},
      {"takes.opponent.4", kTakesOpponentText, 0, kTakesIllegal},
      {"takes.opponent.5", kTakesOpponentText, 0, kTakesIllegal},
      {"reply.to_move.0", kReplyMoverText, 0, kReplyValues},
      {"reply.to_move.1", kReplyMoverText, 0, kReplyValues},
      {"reply.to_move.2", kReplyMoverText, 0, kReplyValues},
      {"reply.to_move.3", kReplyMoverText, 0, kReplyValues},
      {"reply.to_move.4", kReplyMoverText, 0, kReplyValues},
      {"reply.to_move.5", kReplyMoverText, 0, kReplyValues},
      {"reply.opponent.0", kReplyOpponentText, 0, kReplyValues},
      {"reply.opponent.1", kReplyOpponentText, 0, kReplyValues},
      {"reply.opponent.2", kReplyOpponentText, 0, kReplyValues},
      {"reply.opponent.3", kReplyOpponentText, 0, kReplyValues},
      {"reply.opponent.4", kReplyOpponentText, 0, kReplyValues},
      {"reply.opponent.5", kReplyOpponentText, 0, kReplyValues},
      {"gain.to_move.0", kGainText, 0, kGainValues},
      {"gain.to_move.1", kGainText, 0, kGainValues},
      {"gain.to_move.2", kGainText, 0, kGainValues},
      {"gain.to_move.3", kGainText, 0, kGainValues},
      {"gain.to_move.4", kGainText, 0, kGainValues},
      {"gain.to_move.5", kGainText, 0, kGainValues},
      {"rules.grand_slam", "no_capture, illegal_unless_only, capture, illegal", 0, 4},
      {"rules.capture_counts", "2 and 3, 1 and 2", 0, 2},
      {"rules.must_feed", "false, true", 0, 2},
      {"rules.cannot_feed", "ends, plays_on", 0, 2},
      {"rules.target_seeds", "none, 1-20, 21, 22-24, 25, 26-48", 0, 6},
      {"rules.sweep_at_target", "false, true", 0, 2},
      {"rules.repetition_occurrence", "never, 2nd, 3rd or later", 0, 3},
      {"rules.repetition_score", "own_row, split, captured", 0, 3},
      {"rules.limit_score", "own_row, split, captured", 0, 3},
  }};
  int first = 0;
  for (auto& block : blocks) {
    block.first = first;
    first += block.size;
  }
  return blocks;
}

constexpr auto kBlocks = make_blocks();
static_assert(kBlocks.back().first + kBlocks.back().size == kFeatures);
static_assert(kBlocks[kTakesColumn].name == "takes.to_move.0");
static_assert(kBlocks[kReplyColumn].name == "reply.to_move.0");
static_assert(kBlocks[kGainColumn].name == "gain.to_move.0");
static_assert(kBlocks[kBoardColumns].name == "rules.grand_slam");
static_assert(kPastValues == kQuietValues * kRepetitionValues * kPliesLeftValues);

int target_step(int target_seeds) {
  if (target_seeds == 0) return 0;
  if (target_seeds <= 20) return 1;
  if (target_seeds == 21) return 2;
  if (target_seeds <= 24) return 3;
  return target_seeds == 25 ? 4 : 5;
}

// How many positions encode() takes at once, so that their values stay in the first cache.
constexpr std::size_t kChunk = 128;

void write_indices(const FeatureValues& values, const RuleIndices& rules, std::int32_t* row) {
  for (int column = 0; column < kBoardColumns; ++column)
    row[column] = kBlocks[column].first + values.value[column];
  std::copy(rules.begin(), rules.end(), row + kBoardColumns);
}

}  // namespace

std::span<const FeatureBlock> feature_blocks() {
  return kBlocks;
}

RuleIndices rule_indices(const env::RuleSet& rules) {
  RuleIndices values = {static_cast<int>(rules.grand_slam),
                        static_cast<int>(rules.capture_counts),
                        static_cast<int>(rules.must_feed),
                        static_cast<int>(rules.cannot_feed),
                        target_step(rules.target_seeds),
                        static_cast<int>(rules.sweep_at_target),
                        std::clamp(rules.repetition_occurrence - 1, 0, 2),
                        static_cast<int>(rules.repetition_score),
                        static_cast<int>(rules.limit_score)};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] += kBlocks[kBoardColumns + i].first;
  return values;
}

void encode_values(const env::RuleSet& rules, std::span<const env::Position> positions,
                   std::span<FeatureValues> values) {
  AWALE_CHECK(values.size() == positions.size(),
              values.size() << " rows for " << positions.size() << " positions");
  encoder_kernels().front().encode(rules, positions.data(), static_cast<long>(positions.size()),
                                   values.data());
}

void encode(const env::RuleSet& rules, std::span<const env::Position> positions,
            std::span<std::int32_t> indices) {
  AWALE_CHECK(indices.size() == positions.size() * kActiveFeatures,
              indices.size() << " indices for " << positions.size() << " positions");
  const RuleIndices rule_columns = rule_indices(rules);
  std::array<FeatureValues, kChunk> values;
  std::int32_t* row = indices.data();
  while (!positions.empty()) {
    const std::size_t rows = std::min(kChunk, positions.size());
    encode_values(rules, positions.first(rows), {values.data(), rows});
    for (std::size_t i = 0; i < rows; ++i, row += kActiveFeatures)
      write_indices(values[i], rule_columns, row);
    positions = positions.subspan(rows);
  }
}

}  // namespace awale::nn
