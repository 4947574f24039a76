#include "env/board.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::env {
namespace {

// kSowing[move][seeds] is what sowing adds to each of the board's 16 bytes: one addition in a
// vector register instead of a loop over the seeds. The origin stays 0 on every lap.
using Delta = std::array<std::uint8_t, 16>;

constexpr auto make_sowing_table() {
  std::array<std::array<Delta, kSeeds + 1>, kMoves> table = {};
  for (int move = 0; move < kMoves; ++move) {
    for (int seeds = 0; seeds <= kSeeds; ++seeds) {
      int pit = move;
      for (int left = seeds; left > 0; --left) {
        pit = (pit + 1) % kPits;
        if (pit == move) pit = (pit + 1) % kPits;
        ++table[move][seeds][pit];
      }
    }
  }
  return table;
}

constexpr auto kSowing = make_sowing_table();

// The pit of the last seed: eleven seeds a lap, because the origin is skipped.
constexpr auto make_landing_table() {
  std::array<std::array<std::uint8_t, kSeeds + 1>, kMoves> table = {};
  for (int move = 0; move < kMoves; ++move) {
    for (int seeds = 1; seeds <= kSeeds; ++seeds) {
      table[move][seeds] = static_cast<std::uint8_t>((move + 1 + (seeds - 1) % 11) % kPits);
    }
  }
  return table;
}

constexpr auto kLanding = make_landing_table();

// Sows without capturing; returns the pit of the last seed.
int sow(Board& board, Move move) {
  const int seeds = board.pits[move];
  board.pits[move] = 0;
  const Delta& delta = kSowing[move][seeds];
  Delta bytes;
  std::memcpy(bytes.data(), &board, sizeof(bytes));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] += delta[i];
  std::memcpy(static_cast<void*>(&board), bytes.data(), sizeof(bytes));
  return kLanding[move][seeds];
}

struct Capture {
  int first_pit = 0;  // pits first_pit..landing are taken
  int seeds = 0;
};

// The chain of captures from `landing` backwards, on a board already sown.
Capture capture_chain(const RuleSet& rules, const Board& board, int landing) {
  const int lowest = rules.capture_counts == CaptureCounts::kTwoThree ? 2 : 1;
  Capture capture{landing + 1, 0};
  for (int pit = landing; pit >= kPitsPerSide; --pit) {
    if (board.pits[pit] != lowest && board.pits[pit] != lowest + 1) break;
    capture.first_pit = pit;
    capture.seeds += board.pits[pit];
  }
  return capture;
}

bool is_grand_slam(const Board& sown, const Capture& capture) {
  return capture.seeds > 0 && capture.seeds == row_opponent_seeds(sown);
}

// A legal grand slam takes the seeds only under these two rules.
bool grand_slam_takes(const RuleSet& rules) {
  return rules.grand_slam == GrandSlam::kCapture ||
         rules.grand_slam == GrandSlam::kIllegalUnlessOnly;
}

bool move_is_grand_slam(const RuleSet& rules, const Board& board, Move move) {
  Board sown = board;
  const int landing = sow(sown, move);
  return is_grand_slam(sown, capture_chain(rules, sown, landing));
}

LegalMask without_grand_slams(const RuleSet& rules, const Board& board, LegalMask moves) {
  LegalMask kept = moves;
  for (Move move = 0; move < kMoves; ++move) {
    if ((moves >> move & 1) != 0 && move_is_grand_slam(rules, board, move)) {
      kept = static_cast<LegalMask>(kept & ~(1 << move));
    }
  }
  const bool slams_allowed = rules.grand_slam == GrandSlam::kIllegalUnlessOnly && kept == 0;
  return slams_allowed ? moves : kept;
}

void turn(Board& board) {
  std::swap_ranges(board.pits.begin(), board.pits.begin() + kPitsPerSide,
                   board.pits.begin() + kPitsPerSide);
  std::swap(board.store_to_move, board.store_opponent);
  board.to_move = opponent(board.to_move);
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
  return std::accumulate(board.pits.begin(), board.pits.begin() + kPitsPerSide, 0);
}

int row_opponent_seeds(const Board& board) {
  return std::accumulate(board.pits.begin() + kPitsPerSide, board.pits.end(), 0);
}

int total_seeds(const Board& board) {
  return row_to_move_seeds(board) + row_opponent_seeds(board) + board.store_to_move +
         board.store_opponent;
}

LegalMask legal_moves(const RuleSet& rules, const Board& board) {
  LegalMask moves = 0;
  LegalMask feeding = 0;  // moves that reach the opponent's row
  for (Move move = 0; move < kMoves; ++move) {
    const int seeds = board.pits[move];
    moves = static_cast<LegalMask>(moves | (seeds > 0) << move);
    feeding = static_cast<LegalMask>(feeding | (move + seeds >= kPitsPerSide) << move);
  }
  feeding &= moves;
  if (rules.must_feed && row_opponent_seeds(board) == 0) {
    const bool plays_on = feeding == 0 && rules.cannot_feed == CannotFeed::kPlaysOn;
    if (!plays_on) moves = feeding;
  }
  const bool slams_restricted =
      rules.grand_slam == GrandSlam::kIllegal || rules.grand_slam == GrandSlam::kIllegalUnlessOnly;
  return slams_restricted && moves != 0 ? without_grand_slams(rules, board, moves) : moves;
}

int play(const RuleSet& rules, Board& board, Move move) {
  AWALE_CHECK(move < kMoves && board.pits[move] > 0, "move " << int{move} << " on " << board);
  const int landing = sow(board, move);
  Capture capture;
  if (landing >= kPitsPerSide) {
    capture = capture_chain(rules, board, landing);
    if (is_grand_slam(board, capture) && !grand_slam_takes(rules)) capture = {landing + 1, 0};
    for (int pit = capture.first_pit; pit <= landing; ++pit)
      board.pits[pit] = 0;
    board.store_to_move = static_cast<std::uint8_t>(board.store_to_move + capture.seeds);
  }
  turn(board);
  return capture.seeds;
}

MovePreview preview(const RuleSet& rules, const Board& board, Move move) {
  AWALE_CHECK(move < kMoves && board.pits[move] > 0, "move " << int{move} << " on " << board);
  Board sown = board;
  const int landing = sow(sown, move);
  const Capture capture = capture_chain(rules, sown, landing);
  const bool cancelled = is_grand_slam(sown, capture) && !grand_slam_takes(rules);
  return {landing, cancelled ? 0 : capture.seeds, cancelled};
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
