#include "nn/encoder.hpp"

#include <algorithm>
#include <array>

#include "env/error.hpp"
#include "nn/capture_lookup.hpp"
#include "nn/position_key.hpp"

namespace awale::nn {
namespace {

constexpr int kPitValues = 25;    // 0..23, 24 or more
constexpr int kStoreValues = 49;  // 0..48
constexpr int kMaxTakes = 8;      // this many seeds or more

// Values of a "takes" block: an empty pit, 0..8 seeds and, for the mover's pits only, an illegal
// move.
constexpr int kTakesEmpty = 0;
constexpr int kTakesZero = 1;
constexpr int kTakesIllegal = kTakesZero + kMaxTakes + 1;

// Columns, i.e. indices into the table of blocks.
constexpr int kPitColumn = 0;
constexpr int kStoreColumn = 12;
constexpr int kQuietColumn = 14;
constexpr int kRepetitionColumn = 15;
constexpr int kPliesLeftColumn = 16;
constexpr int kTakesColumn = 17;
constexpr int kRulesColumn = 29;

constexpr std::string_view kPitText = "seeds: 0..23, 24 or more";
constexpr std::string_view kStoreText = "seeds: 0..48";
constexpr std::string_view kTakesMoverText = "empty, takes 0..7, 8 or more, illegal";
constexpr std::string_view kTakesOpponentText = "empty, takes 0..7, 8 or more";

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
      {"quiet_plies", "0, 1, 2, 3-4, 5-8, 9-16, 17-32, 33 or more", 0, kQuietSteps},
      {"repetitions", "0, 1, 2 or more", 0, kRepetitionSteps},
      {"plies_left",
       "up to 2, 5, 10, 20, 30, 50, 100, 200 plies to the limit, more than 200, no limit", 0,
       kPliesLeftSteps},
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
static_assert(kBlocks[kRulesColumn].name == "rules.grand_slam");

int target_step(int target_seeds) {
  if (target_seeds == 0) return 0;
  if (target_seeds <= 20) return 1;
  if (target_seeds == 21) return 2;
  if (target_seeds <= 24) return 3;
  return target_seeds == 25 ? 4 : 5;
}

// The indices of the rules' blocks, equal for all rows of a call.
using RuleIndices = std::array<std::int32_t, kActiveFeatures - kRulesColumn>;

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
    values[i] += kBlocks[kRulesColumn + i].first;
  return values;
}

void encode_takes(const env::RuleSet& rules, const CaptureLookup& lookup, const env::Board& board,
                  std::int32_t* row) {
  const RowBytes own = row_bytes(board, 0);
  const RowBytes opponent = row_bytes(board, env::kPitsPerSide);
  const auto own_takes = lookup.captures(own, opponent);
  const auto opponent_takes = lookup.captures(opponent, own);
  const env::LegalMask legal = env::legal_moves(rules, board);
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    const int column = kTakesColumn + pit;
    int value = kTakesZero + std::min<int>(own_takes[pit], kMaxTakes);
    if ((legal >> pit & 1) == 0) value = kTakesIllegal;
    row[column] = kBlocks[column].first + (board.pits[pit] == 0 ? kTakesEmpty : value);
  }
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    const int column = kTakesColumn + env::kPitsPerSide + pit;
    const int value = kTakesZero + std::min<int>(opponent_takes[pit], kMaxTakes);
    const bool empty = board.pits[env::kPitsPerSide + pit] == 0;
    row[column] = kBlocks[column].first + (empty ? kTakesEmpty : value);
  }
}

void encode_counts(const env::RuleSet& rules, const env::Position& position, std::int32_t* row) {
  const env::Board& board = position.board;
  for (int pit = 0; pit < env::kPits; ++pit) {
    row[kPitColumn + pit] =
        kBlocks[kPitColumn + pit].first + std::min<int>(board.pits[pit], kPitValues - 1);
  }
  const auto set = [row](int column, int value) { row[column] = kBlocks[column].first + value; };
  set(kStoreColumn, std::min<int>(board.store_to_move, kStoreValues - 1));
  set(kStoreColumn + 1, std::min<int>(board.store_opponent, kStoreValues - 1));
  set(kQuietColumn, quiet_step(position.quiet_plies));
  set(kRepetitionColumn, repetition_step(position.repetitions));
  set(kPliesLeftColumn, plies_left_step(rules, position.ply));
}

}  // namespace

std::span<const FeatureBlock> feature_blocks() {
  return kBlocks;
}

void encode(const env::RuleSet& rules, std::span<const env::Position> positions,
            std::span<std::int32_t> indices) {
  AWALE_CHECK(indices.size() == positions.size() * kActiveFeatures,
              indices.size() << " indices for " << positions.size() << " positions");
  const CaptureLookup lookup(rules);
  const RuleIndices rule_columns = rule_indices(rules);
  std::int32_t* row = indices.data();
  for (const env::Position& position : positions) {
    encode_counts(rules, position, row);
    encode_takes(rules, lookup, position.board, row);
    std::copy(rule_columns.begin(), rule_columns.end(), row + kRulesColumn);
    row += kActiveFeatures;
  }
}

}  // namespace awale::nn
