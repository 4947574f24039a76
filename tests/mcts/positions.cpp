#include "tests/mcts/positions.hpp"

namespace awale::test {
namespace {

std::vector<env::Move> moves_that_go_on(const env::Game& game) {
  std::vector<env::Move> moves;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    env::Game next = game;
    next.play(move);
    if (!next.over()) moves.push_back(move);
  }
  return moves;
}

}  // namespace

env::Board random_board(int seeds, env::RandomStream& stream) {
  env::Board board;
  for (int seed = 0; seed < seeds; ++seed)
    ++board.pits[stream.below(env::kPits)];
  const int captured = env::kSeeds - seeds;
  board.store_to_move = static_cast<std::uint8_t>((captured + stream.below(2)) / 2);
  board.store_opponent = static_cast<std::uint8_t>(captured - board.store_to_move);
  board.to_move = stream.below(2) == 0 ? env::Side::kSouth : env::Side::kNorth;
  return board;
}

env::Game random_game(const env::RuleSet& rules, const env::Board& start, int plies,
                      env::RandomStream& stream) {
  env::Game game(rules, start);
  for (int ply = 0; ply < plies; ++ply) {
    const auto moves = moves_that_go_on(game);
    if (moves.empty()) break;
    game.play(moves[stream.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return game;
}

std::vector<env::Game> random_games(const env::RuleSet& rules, int count, std::uint64_t seed) {
  std::vector<env::Game> games;
  for (std::uint64_t id = 0; static_cast<int>(games.size()) < count; ++id) {
    env::RandomStream stream(seed, env::RandomPurpose::kTest, id, 0);
    // Every third game starts as usual, the others with 2..13 seeds left.
    const env::Board start = id % 3 == 0
                                 ? env::initial_board()
                                 : random_board(static_cast<int>(2 + stream.below(12)), stream);
    if (env::Game(rules, start).over()) continue;
    games.push_back(random_game(rules, start, static_cast<int>(stream.below(90)), stream));
  }
  return games;
}

env::Board other_seat(const env::Board& board) {
  env::Board swapped = board;
  swapped.to_move = env::opponent(board.to_move);
  return swapped;
}

std::vector<mcts::SearchRoot> roots_of(const std::vector<env::Game>& games) {
  std::vector<mcts::SearchRoot> roots;
  for (std::size_t i = 0; i < games.size(); ++i) {
    roots.push_back({games[i].position(), games[i].history(), i});
  }
  return roots;
}

}  // namespace awale::test
