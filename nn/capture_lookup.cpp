#include "nn/capture_lookup.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace awale::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "pit i of a row is byte i of a word");

constexpr RowBytes kOnes = 0x0101010101010101;

constexpr RowBytes kTopBits = kOnes * 0x80;
constexpr RowBytes kRow = 0xffff'ffff'ffff;        // its six pits
constexpr RowBytes kSeedsUpTo = 0x0605'0403'0201;  // a seed in each pit up to here

// 0xff for each byte whose top bit is set; no other bits may be.
constexpr RowBytes whole_bytes(RowBytes top_bits) {
  return (top_bits >> 7) * 0xff;
}

struct Sowing {
  RowBytes own_row;       // seeds added to each pit of the own row
  RowBytes opponent_row;  // seeds added to each pit of the opponent's row
  RowBytes no_capture;    // 0 if the last seed falls into the opponent's row, else kTopBits
  int landing_shift;      // brings the pit of the last seed to the top byte; >= 1
};

constexpr Sowing make_sowing(int origin, int seeds) {
  RowBytes own_row = 0;
  RowBytes opponent_row = 0;
  int pit = origin;
  for (int left = seeds; left > 0; --left) {
    pit = (pit + 1) % env::kPits;
    if (pit == origin) pit = (pit + 1) % env::kPits;
    const bool own = pit < env::kPitsPerSide;
    (own ? own_row : opponent_row) += RowBytes{1} << (8 * (pit % env::kPitsPerSide));
  }
  if (pit < env::kPitsPerSide) return {own_row, opponent_row, kTopBits, 8};
  return {own_row, opponent_row, 0, 8 * (7 - (pit - env::kPitsPerSide))};
}

constexpr auto make_sowings() {
  std::array<std::array<Sowing, env::kSeeds + 1>, env::kMoves> table = {};
  for (int origin = 0; origin < env::kMoves; ++origin) {
    for (int seeds = 0; seeds <= env::kSeeds; ++seeds) {
      table[origin][seeds] = make_sowing(origin, seeds);
    }
  }
  return table;
}

constexpr auto kSowings = make_sowings();

}  // namespace

int row_sum(RowBytes row) {
  return static_cast<int>((row * kOnes) >> 56);
}

RowBytes row_bytes(const env::Board& board, int first_pit) {
  RowBytes row = 0;
  std::memcpy(&row, board.pits.data() + first_pit, env::kPitsPerSide);
  return row;
}

CaptureLookup::CaptureLookup(const env::RuleSet& rules)
    : shift_to_two_three_(rules.capture_counts == env::CaptureCounts::kTwoThree ? 0 : kOnes),
      grand_slam_takes_(rules.grand_slam == env::GrandSlam::kCapture ||
                        rules.grand_slam == env::GrandSlam::kIllegalUnlessOnly) {}

// The top bit of each byte that is not a capturable count. No byte overflows: a pit holds at
// most 53.
RowBytes CaptureLookup::kept_bits(RowBytes sown) const {
  // A byte is 0 where the count is capturable (2 or 3 after the shift); adding 0x7f then leaves the
  // top bit clear exactly there.
  const RowBytes differs = ((sown + shift_to_two_three_) & (kOnes * 0xfe)) ^ (kOnes * 0x02);
  return (differs + ~kTopBits) & kTopBits;
}

// Without branches: which of them is taken is as good as random.
CaptureLookup::Sown CaptureLookup::sow(int pit, int seeds, RowBytes opponent) const {
  const Sowing& sowing = kSowings[pit][seeds];
  const RowBytes sown = opponent + sowing.opponent_row;
  const RowBytes kept = kept_bits(sown) | sowing.no_capture;
  // The chain is the run of clear top bits from the landing pit down; a set bit below pit 0 ends
  // it.
  const int shift = sowing.landing_shift;
  const RowBytes chain_end = kept << shift | RowBytes{1} << (shift - 1);
  const int chain_bits = std::countl_zero(chain_end) & ~7;
  const RowBytes captured = ((sown << shift) & ~(~RowBytes{0} >> chain_bits)) >> shift;
  const bool grand_slam = captured == sown;
  return {sown, grand_slam && !grand_slam_takes_ ? 0 : captured};
}

std::array<std::uint8_t, env::kMoves> CaptureLookup::captures(RowBytes own,
                                                              RowBytes opponent) const {
  std::array<std::uint8_t, env::kMoves> taken = {};
  for (int pit = 0; pit < env::kMoves; ++pit) {
    const int seeds = static_cast<int>(own >> (8 * pit) & 0xff);
    taken[pit] = static_cast<std::uint8_t>(row_sum(sow(pit, seeds, opponent).captured));
  }
  return taken;
}

// Byte j: what the last seed of less than a lap takes if it falls into the opponent's pit j. Each
// pit up to there gets one seed, so it is decided by his row alone.
RowBytes CaptureLookup::taken_at(RowBytes opponent) const {
  const RowBytes sown = opponent + kOnes;
  const RowBytes kept = kept_bits(sown);
  // The sums of the runs of capturable pits down from each: of 2, then 4, then all.
  RowBytes run = whole_bytes(~kept & kTopBits & kRow);
  RowBytes taken = sown & run;
  taken += taken << 8 & run;
  run &= run << 8;
  taken += taken << 16 & run;
  run &= run << 16;
  taken += taken << 32 & run;
  if (grand_slam_takes_) return taken;
  const RowBytes differs = taken ^ (kOnes * static_cast<RowBytes>(row_sum(opponent)) + kSeedsUpTo);
  return taken & ~whole_bytes(~(differs + ~kTopBits) & kTopBits);
}

int CaptureLookup::most_taken(RowBytes own, RowBytes opponent) const {
  const RowBytes taken = taken_at(opponent);
  int most = 0;
  for (int pit = 0; pit < env::kMoves; ++pit) {
    const int seeds = static_cast<int>(own >> (8 * pit) & 0xff);
    const int last = pit + seeds - env::kPitsPerSide;  // of the opponent's pits
    if (seeds >= env::kPits) {
      most = std::max(most, row_sum(sow(pit, seeds, opponent).captured));
    } else if (last >= 0 && last < env::kPitsPerSide) {
      most = std::max(most, static_cast<int>(taken >> (8 * last) & 0xff));
    }
  }
  return most;
}

int CaptureLookup::best_gain(RowBytes own, RowBytes opponent, int plies, int low, int high) const {
  if (plies == 1) return most_taken(own, opponent);
  if (own == 0) return 0;
  int best = -env::kSeeds;
  for (int pit = 0; pit < env::kMoves && best < high; ++pit) {
    if ((own >> (8 * pit) & 0xff) == 0) continue;
    const Rows rows = after(pit, own, opponent);
    const int taken = row_sum(own) + row_sum(opponent) - row_sum(rows.own) - row_sum(rows.opponent);
    const int better = std::max(best, low);
    // The last answer takes nothing or more, so that no answer can make it enough.
    const bool too_little = plies == 2 && taken <= better;
    const int answered =
        too_little ? 0
                   : best_gain(rows.opponent, rows.own, plies - 1, taken - high, taken - better);
    best = std::max(best, taken - answered);
  }
  return best;
}

Rows CaptureLookup::after(int pit, RowBytes own, RowBytes opponent) const {
  const int seeds = static_cast<int>(own >> (8 * pit) & 0xff);
  const Sown sown = sow(pit, seeds, opponent);
  const RowBytes emptied = own & ~(RowBytes{0xff} << (8 * pit));
  return {emptied + kSowings[pit][seeds].own_row, sown.opponent & ~sown.captured};
}

}  // namespace awale::nn
