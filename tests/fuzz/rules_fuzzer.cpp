// A coverage-guided search for a game in which the implementations of the rules differ: the bytes
// choose every parameter of the rules, start positions, the size of the batch and what happens in
// each of its games. libFuzzer (preset `fuzz`, scripts/fuzz.sh) drives it; replay_test.cpp runs the
// inputs it has found under every compiler.
//
// A difference is a Disagreement that is not caught here, so that the fuzzer stops with its
// message.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "tests/env/side_by_side.hpp"
#include "tests/fuzz/byte_reader.hpp"

namespace awale::fuzz {
namespace {

using env::Board;
using test::SideBySide;

constexpr int kFewGames = 4;
constexpr int kMostGames = 140;  // more than two blocks of 64
constexpr int kMostBoards = 4;
constexpr int kMostLastSteps = 40;  // more than three of the shortest cycles

// 0 or 2..100; half of the bytes mean few, because only long inputs come to many.
int read_occurrence(ByteReader& bytes) {
  const std::uint8_t byte = bytes.byte();
  return byte < 0x80 ? std::array{0, 2, 3, 4}[byte % 4] : 2 + byte % 99;
}

env::RuleSet read_rules(ByteReader& bytes) {
  env::RuleSet rules;
  rules.name = "fuzz";
  rules.grand_slam = bytes.choice<env::GrandSlam>(4);
  rules.capture_counts = bytes.choice<env::CaptureCounts>(2);
  rules.must_feed = bytes.choice<bool>(2);
  rules.cannot_feed = bytes.choice<env::CannotFeed>(2);
  rules.target_seeds = bytes.number(0, env::kSeeds);
  rules.sweep_at_target = bytes.choice<bool>(2);
  rules.repetition_occurrence = read_occurrence(bytes);
  rules.repetition_score = bytes.choice<env::CutOffScore>(3);
  rules.ply_limit = bytes.byte() + 256 * bytes.number(0, 3);
  if (rules.ply_limit == 0 && rules.repetition_occurrence == 0) rules.ply_limit = 60000;
  rules.limit_score = bytes.choice<env::CutOffScore>(3);
  rules.validate();
  return rules;
}

// A number of seeds of those that are left.
std::uint8_t take(ByteReader& bytes, int& left) {
  const int seeds = std::min(bytes.number(0, env::kSeeds), left);
  left -= seeds;
  return static_cast<std::uint8_t>(seeds);
}

// Any board of at most 48 seeds: pit by pit, or, for the few seeds with which games circle and rows
// run empty, seed by seed.
Board read_board(ByteReader& bytes) {
  Board board;
  int left = env::kSeeds;
  const int single_seeds = bytes.number(0, 8);
  if (single_seeds == 0) {
    for (std::uint8_t& pit : board.pits)
      pit = take(bytes, left);
  }
  for (int i = 0; i < single_seeds; ++i, --left)
    ++board.pits[bytes.number(0, env::kPits - 1)];
  board.store_to_move = take(bytes, left);
  board.store_opponent = take(bytes, left);
  board.to_move = bytes.choice<env::Side>(2);
  return board;
}

// Mostly few, for speed.
int read_game_count(ByteReader& bytes) {
  const std::uint8_t byte = bytes.byte();
  return 1 + byte % (byte < 0xC0 ? kFewGames : kMostGames);
}

// Up to four boards in turn for as many games as there are, the last one first; one of them is the
// start position.
std::vector<Board> read_starts(ByteReader& bytes) {
  std::vector<Board> boards = {env::initial_board()};
  const int more = bytes.number(0, kMostBoards - 1);
  for (int i = 0; i < more; ++i)
    boards.push_back(read_board(bytes));
  std::vector<Board> starts;
  const int games = read_game_count(bytes);
  for (int i = 0; i < games; ++i)
    starts.push_back(boards[(i + more) % boards.size()]);
  return starts;
}

// What a byte makes of one game in one step: mostly a move.
enum class Event { kMove, kRefuse, kLoad, kReset };

Event event_of(std::uint8_t byte) {
  if (byte < 0xF0) return Event::kMove;
  if (byte < 0xF4) return Event::kRefuse;
  return byte < 0xFA ? Event::kLoad : Event::kReset;
}

// One of the illegal moves of the game.
env::Move illegal_move(const env::Game& game, std::uint8_t byte) {
  std::vector<env::Move> illegal = {6, 100, 254};
  if (!game.over()) illegal.push_back(env::kNoMove);
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) illegal.push_back(move);
  }
  return illegal[byte % illegal.size()];
}

// One byte a game. Of the games that are to be loaded or to refuse a move only the first does,
// because all others are looked at each time.
void play_step(ByteReader& bytes, SideBySide& games, const std::vector<Board>& starts) {
  std::vector<std::uint8_t> chosen;
  std::vector<int> resets;
  std::vector<Board> fresh;
  std::optional<int> loaded;
  std::optional<int> refusing;
  for (int i = 0; i < games.size(); ++i) {
    chosen.push_back(bytes.byte());
    const Event event = event_of(chosen[i]);
    if (event == Event::kLoad && !loaded) loaded = i;
    if (event == Event::kRefuse && !refusing) refusing = i;
    if (event != Event::kReset) continue;
    resets.push_back(i);
    fresh.push_back(starts[(i + chosen[i]) % games.size()]);
  }
  if (loaded) games.load(*loaded, (*loaded + chosen[*loaded]) % games.size());
  if (!resets.empty()) games.reset(resets, fresh);
  const auto moves =
      test::draw_moves(games, [&](int game, std::uint32_t count) { return chosen[game] % count; });
  if (refusing) {
    const env::Move bad = illegal_move(games.game(*refusing), chosen[*refusing]);
    games.refuse(moves, *refusing, bad);
  }
  games.step(moves);
}

}  // namespace
}  // namespace awale::fuzz

// The name is libFuzzer's.  NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace awale::fuzz;
  ByteReader bytes({data, size});
  const awale::env::RuleSet rules = read_rules(bytes);
  const std::vector<Board> starts = read_starts(bytes);
  const int last_steps = bytes.number(0, kMostLastSteps);
  SideBySide games(rules, starts);
  while (!bytes.at_end())
    play_step(bytes, games, starts);
  for (int step = 0; step < last_steps; ++step)  // the lowest legal moves
    play_step(bytes, games, starts);
  return 0;
}
