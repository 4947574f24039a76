// Plies, games and perft recorded from OpenSpiel's oware, replayed under the preset `openspiel` by
// the naive rules and by env.
#include <fstream>
#include <sstream>

#include "env/notation.hpp"
#include "env/perft.hpp"
#include "tests/env/snapshot.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

constexpr std::uint64_t kMostPerftLeaves = 400000;

std::vector<std::string> data_lines(const std::string& name) {
  const std::string path = std::string(AWALE_TEST_DATA) + "/" + name;
  std::ifstream file(path);
  INFO(path);
  REQUIRE(file.good());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

struct RecordedGame {
  std::string moves;
  std::string end;
  std::string captured;  // South-North
  std::string score;
};

// OpenSpiel tells a majority of 25 from a repetition and from a mover who cannot move.
const char* reason_of(const std::string& end) {
  if (end == "majority") return "target";
  return end == "cannot_feed" ? "no_moves" : "repetition";
}

std::string minus(int south, int north) {
  return std::to_string(south) + "-" + std::to_string(north);
}

// Stores as they stand, South's first.
std::string stores(const env::Board& board) {
  const bool south = board.to_move == env::Side::kSouth;
  return minus(south ? board.store_to_move : board.store_opponent,
               south ? board.store_opponent : board.store_to_move);
}

}  // namespace

TEST_CASE("recorded plies have the same legal moves and results") {
  const env::RuleSet rules = env::preset("openspiel");
  const auto lines = data_lines("plies_openspiel.txt");
  REQUIRE(lines.size() == 12000);
  for (const auto& line : lines) {
    std::istringstream fields(line);
    std::string before;
    std::string after;
    int legal = 0;
    char letter = 0;
    fields >> before >> legal >> letter >> after;
    INFO(line);
    env::Board board = env::parse_board(before);
    naive::Game game(rules, before);
    REQUIRE(legal_moves(rules, board) == legal);
    REQUIRE(game.legal() == letters(board.to_move, static_cast<env::LegalMask>(legal)));
    play(rules, board, env::parse_move(letter, board.to_move));
    game.play(letter);
    REQUIRE(to_text(board) == after);
    REQUIRE(game.text() == after);
  }
}

TEST_CASE("recorded games end at the same ply, for the same reason, with the same score") {
  const env::RuleSet rules = env::preset("openspiel");
  const auto lines = data_lines("games_openspiel.txt");
  REQUIRE(lines.size() == 900);
  for (const auto& line : lines) {
    std::istringstream fields(line);
    RecordedGame recorded;
    fields >> recorded.moves >> recorded.end >> recorded.captured >> recorded.score;
    INFO(line);
    const env::Game game = env::replay(rules, env::initial_board(), recorded.moves);
    naive::Game naive_game(rules, to_text(env::initial_board()));
    for (const char letter : recorded.moves)
      naive_game.play(letter);
    REQUIRE(snapshot(game) == snapshot(naive_game));
    REQUIRE(game.over());
    REQUIRE(to_string(game.outcome().reason) == std::string(reason_of(recorded.end)));
    REQUIRE(stores(game.board()) == recorded.captured);
    const int margin = game.outcome().margin_south_seeds;
    REQUIRE(minus((env::kSeeds + margin) / 2, (env::kSeeds - margin) / 2) == recorded.score);
  }
}

TEST_CASE("recorded perft counts are the same") {
  const env::RuleSet rules = env::preset("openspiel");
  for (const auto& line : data_lines("perft_openspiel.txt")) {
    std::istringstream fields(line);
    std::string position;
    fields >> position;
    const env::Board board = env::parse_board(position);
    std::string recorded;
    for (int depth = 1; fields >> recorded; ++depth) {
      if (std::stoull(recorded) > kMostPerftLeaves) break;
      INFO(position << " depth " << depth);
      const env::PerftCount count = perft(rules, board, depth);
      std::ostringstream found;
      found << count.leaves << "/" << count.ended_here << "/" << count.ended_earlier;
      REQUIRE(found.str() == recorded);
    }
  }
}

}  // namespace awale::test
