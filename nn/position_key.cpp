#include "nn/position_key.hpp"

#include <algorithm>
#include <bit>

namespace awale::nn {
namespace {

// The last count of each step; then "more than the last" and "no limit".
constexpr std::array<int, kPliesLeftSteps - 2> kLastPliesLeft = {2, 5, 10, 20, 30, 50, 100, 200};

constexpr int kRepetitionBit = 4;

// The finalizer of MurmurHash3.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33);
}

}  // namespace

int quiet_step(int plies) {
  if (plies == 0) return 0;
  const int doublings = static_cast<int>(std::bit_width(static_cast<unsigned>(plies - 1)));
  return std::min(kQuietSteps - 1, doublings + 1);
}

int repetition_step(int repetitions) {
  return std::min(kRepetitionSteps - 1, repetitions);
}

int plies_left_step(const env::RuleSet& rules, int ply) {
  if (rules.ply_limit == 0) return kPliesLeftSteps - 1;
  const int left = rules.ply_limit - ply;
  return static_cast<int>(std::count_if(kLastPliesLeft.begin(), kLastPliesLeft.end(),
                                        [left](int last) { return left > last; }));
}

PositionKey position_key(const env::RuleSet& rules, const env::Position& position) {
  const env::Board& board = position.board;
  PositionKey key{board.pits, board.store_to_move, board.store_opponent};
  key.past = static_cast<std::uint8_t>(quiet_step(position.quiet_plies) |
                                       repetition_step(position.repetitions) << kRepetitionBit);
  key.plies_left = static_cast<std::uint8_t>(plies_left_step(rules, position.ply));
  return key;
}

std::uint64_t hash(const PositionKey& key) {
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(key);
  return mix(halves[0] ^ mix(halves[1] + 0x9e3779b97f4a7c15ULL));
}

}  // namespace awale::nn
