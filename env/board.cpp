#include "env/board.hpp"

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <ostream>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::env {
namespace {

// A row of six pits as the low six bytes of a word: all pits are added to, compared and captured at
// once. No pit holds more than 48 seeds, so no byte ever carries into the next.
using PackedRow = std::uint64_t;

static_assert(std::endian::native == std::endian::little);

constexpr int kBits = 8;  // of a pit
constexpr int kRowBits = kPitsPerSide * kBits;
constexpr PackedRow kRow = (PackedRow{1} << kRowBits) - 1;

constexpr PackedRow in_every_pit(int value) {
  return kRow / 0xff * static_cast<PackedRow>(value);
}

// A board as two words: its first eight bytes and the rest, as in memory.
struct Words {
  std::uint64_t low;
  std::uint64_t high;
};

Words to_words(const Board& board) {
  Words words;
  std::memcpy(&words, &board, sizeof(words));
  return words;
}

void from_words(const Words& words, Board& board) {
  std::memcpy(static_cast<void*>(&board), &words, sizeof(words));
}

constexpr int kRestBits = 64 - kRowBits;  // the opponent's row begins in the first word
constexpr int kStoreShift = 40;           // of store_opponent in the second word
static_assert(offsetof(Board, store_opponent) * kBits == 64 + kStoreShift);

PackedRow row_to_move(const Words& words) {
  return words.low & kRow;
}

PackedRow row_opponent(const Words& words) {
  return words.low >> kRowBits | (words.high << kRestBits & kRow);
}

int sum(PackedRow row) {
  return static_cast<int>(row * 0x0101010101010101 >> 56);
}

// Bit i: the highest bit of pit i.
int high_bits(PackedRow row) {
  return static_cast<int>((row >> 7 & in_every_pit(1)) * 0x0102040810204080 >> 56);
}

// The highest bit of every pit that holds something.
PackedRow occupied(PackedRow row) {
  return (row + in_every_pit(0x7f)) & in_every_pit(0x80);
}

// The sixteen bytes of a board in one register.
typedef std::uint8_t Bytes __attribute__((vector_size(16)));

// kSowing[move][seeds] is what sowing adds to each byte of the board, the origin included, which
// loses all it has: one addition instead of a loop over the seeds.
constexpr auto make_sowing_table() {
  std::array<std::array<std::array<std::uint8_t, 16>, kSeeds + 1>, kMoves> table = {};
  for (int move = 0; move < kMoves; ++move) {
    for (int seeds = 0; seeds <= kSeeds; ++seeds) {
      table[move][seeds][move] = static_cast<std::uint8_t>(-seeds);
      int pit = move;
      for (int left = seeds; left > 0; --left) {
        pit = (pit + 1) % kPits;
        if (pit == move) pit = (pit + 1) % kPits;  // skipped on every lap
        ++table[move][seeds][pit];
      }
    }
  }
  return table;
}

alignas(16) constexpr auto kSowing = make_sowing_table();

// The pit of the last seed: eleven seeds a lap, because the origin is skipped.
constexpr int landing_pit(int move, int seeds) {
  return (move + 1 + (seeds - 1) % (kPits - 1)) % kPits;
}

// kChainShift[move][seeds] shifts the opponent's row so that the pit of the last seed becomes the
// highest byte; where that pit is the mover's, so that nothing of the row's highest bits is left.
constexpr auto make_chain_shift_table() {
  std::array<std::array<std::uint8_t, kSeeds + 1>, kMoves> table = {};
  for (int move = 0; move < kMoves; ++move) {
    for (int seeds = 1; seeds <= kSeeds; ++seeds) {
      const int last = landing_pit(move, seeds) - kPitsPerSide;
      table[move][seeds] = static_cast<std::uint8_t>(last < 0 ? 63 : 64 - (last + 1) * kBits);
    }
  }
  return table;
}

constexpr auto kChainShift = make_chain_shift_table();

// The board after sowing, before any capture, as the other player sees it: rows and stores have
// changed places, and he is to move.
Words sow_and_turn(const Board& board, Move move) {
  Bytes bytes;
  Bytes delta;
  std::memcpy(&bytes, &board, sizeof(bytes));
  std::memcpy(&delta, &kSowing[move][board.pits[move]], sizeof(delta));
  bytes += delta;
  constexpr Bytes kOtherSide = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  bytes =
      __builtin_shufflevector(bytes, bytes, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 13, 12, 14, 15) ^
      kOtherSide;
  Words words;
  std::memcpy(&words, &bytes, sizeof(words));
  return words;
}

// The chain of captures from the last seed backwards in the opponent's row, already sown: the seeds
// taken, where they lie. Nothing where the last seed lies in the mover's row. Without branches,
// because a capture cannot be predicted.
PackedRow captured_pits(const RuleSet& rules, PackedRow opponent, int chain_shift) {
  // {2, 3} are the counts that differ from 2 in the lowest bit only; {1, 2} are one less.
  const int less = rules.capture_counts == CaptureCounts::kTwoThree ? 0 : 1;
  const PackedRow others =
      occupied(((opponent + in_every_pit(less)) & in_every_pit(0xfe)) ^ in_every_pit(2));
  const PackedRow capturable = ~others & in_every_pit(0x80);
  // The chain is what lies above the highest pit that stops it; zeros shifted in stop it too.
  const PackedRow stops = ~(capturable << chain_shift) & 0x8080808080808080;
  const int chain_bits = std::countl_zero(stops);
  return opponent & (~PackedRow{0} << (63 - chain_bits) << 1 >> chain_shift);
}

// A legal grand slam takes the seeds only under these two rules.
bool grand_slam_takes(const RuleSet& rules) {
  return rules.grand_slam == GrandSlam::kCapture ||
         rules.grand_slam == GrandSlam::kIllegalUnlessOnly;
}

bool move_is_grand_slam(const RuleSet& rules, const Board& board, Move move) {
  const int chain_shift = kChainShift[move][board.pits[move]];
  // What lies beyond the last seed is not captured.
  if (row_opponent(to_words(board)) >> (64 - chain_shift) != 0) return false;
  const PackedRow opponent = row_to_move(sow_and_turn(board, move));
  const PackedRow taken = captured_pits(rules, opponent, chain_shift);
  return taken == opponent && taken != 0;
}

LegalMask without_grand_slams(const RuleSet& rules, const Board& board, LegalMask moves) {
  // Sowing only adds: where a pit is beyond capture, nothing takes all.
  if ((row_opponent(to_words(board)) & in_every_pit(0xfc)) != 0) return moves;
  LegalMask kept = moves;
  for (Move move = 0; move < kMoves; ++move) {
    if ((moves >> move & 1) != 0 && move_is_grand_slam(rules, board, move)) {
      kept = static_cast<LegalMask>(kept & ~(1 << move));
    }
  }
  const bool slams_allowed = rules.grand_slam == GrandSlam::kIllegalUnlessOnly && kept == 0;
  return slams_allowed ? moves : kept;
}

// Apart, so that what it takes to print does not slow play() down.
[[noreturn, gnu::noinline]] void reject_move(const Board& board, Move move) {
  AWALE_CHECK(false, "move " << int{move} << " on " << board);
  std::abort();
}

}  // namespace

std::uint64_t hash(const Board& board) {
  std::uint64_t halves[2];
  std::memcpy(halves, &board, sizeof(halves));
  auto mix = [](std::uint64_t value) {
    value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
    value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return value ^ (value >> 33);
  };
  return mix(halves[0] ^ mix(halves[1] + 0x9e3779b97f4a7c15ULL));
}

std::ostream& operator<<(std::ostream& stream, const Board& board) {
  return stream << to_text(board);
}

Board initial_board() {
  Board board;
  board.pits.fill(4);
  return board;
}

int row_to_move_seeds(const Board& board) {
  return sum(row_to_move(to_words(board)));
}

int row_opponent_seeds(const Board& board) {
  return sum(row_opponent(to_words(board)));
}

int total_seeds(const Board& board) {
  return std::accumulate(board.pits.begin(), board.pits.end(), 0) + board.store_to_move +
         board.store_opponent;
}

LegalMask legal_moves(const RuleSet& rules, const Board& board) {
  const Words words = to_words(board);
  const PackedRow own = row_to_move(words);
  auto moves = static_cast<LegalMask>(high_bits(occupied(own)));
  if (rules.must_feed && row_opponent(words) == 0) {
    // Pit i reaches the opponent's row with 6 - i seeds, which lifts it to 128.
    constexpr PackedRow kReach = 0x7f7e7d7c7b7a;
    const auto feeding = static_cast<LegalMask>(high_bits(own + kReach));
    const bool plays_on = feeding == 0 && rules.cannot_feed == CannotFeed::kPlaysOn;
    if (!plays_on) moves = feeding;
  }
  const bool slams_restricted =
      rules.grand_slam == GrandSlam::kIllegal || rules.grand_slam == GrandSlam::kIllegalUnlessOnly;
  return slams_restricted && moves != 0 ? without_grand_slams(rules, board, moves) : moves;
}

int play(const RuleSet& rules, Board& board, Move move) {
  if (move >= kMoves || board.pits[move] == 0) reject_move(board, move);
  Words words = sow_and_turn(board, move);
  const PackedRow opponent = row_to_move(words);
  PackedRow taken = captured_pits(rules, opponent, kChainShift[move][board.pits[move]]);
  if (taken == opponent && !grand_slam_takes(rules)) taken = 0;
  const int captured = sum(taken);
  words.low -= taken;
  words.high += static_cast<std::uint64_t>(captured) << kStoreShift;
  from_words(words, board);
  return captured;
}

MovePreview preview(const RuleSet& rules, const Board& board, Move move) {
  if (move >= kMoves || board.pits[move] == 0) reject_move(board, move);
  const PackedRow opponent = row_to_move(sow_and_turn(board, move));
  const int seeds = board.pits[move];
  const PackedRow taken = captured_pits(rules, opponent, kChainShift[move][seeds]);
  const bool cancelled = taken != 0 && taken == opponent && !grand_slam_takes(rules);
  return {landing_pit(move, seeds), cancelled ? 0 : sum(taken), cancelled};
}

const char* to_string(EndReason reason) {
  switch (reason) {
    case EndReason::kNone:
      return "none";
    case EndReason::kTarget:
      return "target";
    case EndReason::kNoMoves:
      return "no_moves";
    case EndReason::kRepetition:
      return "repetition";
    case EndReason::kPlyLimit:
      return "ply_limit";
  }
  return "unknown";
}

EndReason end_reason(const RuleSet& rules, const Board& board, LegalMask legal, int occurrences,
                     int ply) {
  const int target = rules.target_seeds;
  if (target > 0 && (board.store_to_move >= target || board.store_opponent >= target)) {
    return EndReason::kTarget;
  }
  if (legal == 0) return EndReason::kNoMoves;
  if (rules.repetition_occurrence > 0 && occurrences >= rules.repetition_occurrence) {
    return EndReason::kRepetition;
  }
  if (rules.ply_limit > 0 && ply >= rules.ply_limit) return EndReason::kPlyLimit;
  return EndReason::kNone;
}

int final_margin_to_move(const RuleSet& rules, const Board& board, EndReason reason) {
  const int stores = board.store_to_move - board.store_opponent;
  const int rows = row_to_move_seeds(board) - row_opponent_seeds(board);
  const auto cut_off = [&](CutOffScore score) {
    return score == CutOffScore::kOwnRow ? stores + rows : stores;
  };
  switch (reason) {
    case EndReason::kTarget:
      return rules.sweep_at_target ? stores + rows : stores;
    case EndReason::kNoMoves:
      return stores + rows;
    case EndReason::kRepetition:
      return cut_off(rules.repetition_score);
    case EndReason::kPlyLimit:
      return cut_off(rules.limit_score);
    case EndReason::kNone:
      break;
  }
  AWALE_CHECK(false, "no final margin while the game goes on: " << board);
}

}  // namespace awale::env
