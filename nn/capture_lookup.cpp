#include "nn/capture_lookup.hpp"

#include <bit>
#include <cstring>

namespace awale::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "pit i of a row is byte i of a word");

constexpr RowBytes kOnes = 0x0101010101010101;

constexpr RowBytes kTopBits = kOnes * 0x80;

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

// The sum of all bytes, which must be below 256.
int byte_sum(RowBytes bytes) {
  return static_cast<int>((bytes * kOnes) >> 56);
}

}  // namespace

RowBytes row_bytes(const env::Board& board, int first_pit) {
  RowBytes row = 0;
  std::memcpy(&row, board.pits.data() + first_pit, env::kPitsPerSide);
  return row;
}

CaptureLookup::CaptureLookup(const env::RuleSet& rules)
    : shift_to_two_three_(rules.capture_counts == env::CaptureCounts::kTwoThree ? 0 : kOnes),
      grand_slam_takes_(rules.grand_slam == env::GrandSlam::kCapture ||
                        rules.grand_slam == env::GrandSlam::kIllegalUnlessOnly) {}

// Without branches: which of them is taken is as good as random.
CaptureLookup::Sown CaptureLookup::sow(int pit, int seeds, RowBytes opponent) const {
  const Sowing& sowing = kSowings[pit][seeds];
  const RowBytes sown = opponent + sowing.opponent_row;
  // A byte is 0 where the count is capturable (2 or 3 after the shift); adding 0x7f then leaves the
  // top bit clear exactly there. No byte overflows: a pit holds at most 53.
  const RowBytes differs = ((sown + shift_to_two_three_) & (kOnes * 0xfe)) ^ (kOnes * 0x02);
  const RowBytes kept = ((differs + kOnes * 0x7f) & kTopBits) | sowing.no_capture;
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
    taken[pit] = static_cast<std::uint8_t>(byte_sum(sow(pit, seeds, opponent).captured));
  }
  return taken;
}

Rows CaptureLookup::after(int pit, RowBytes own, RowBytes opponent) const {
  const int seeds = static_cast<int>(own >> (8 * pit) & 0xff);
  const Sown sown = sow(pit, seeds, opponent);
  const RowBytes emptied = own & ~(RowBytes{0xff} << (8 * pit));
  return {emptied + kSowings[pit][seeds].own_row, sown.opponent & ~sown.captured};
}

}  // namespace awale::nn
