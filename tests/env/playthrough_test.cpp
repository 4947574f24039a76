// One whole game a preset as text, so that a change of rules shows as a readable difference.
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/env/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

namespace awale::test {
namespace {

std::string ply_line(const env::Game& game, env::Move move) {
  const env::Board& board = game.board();
  const env::MovePreview preview = env::preview(game.rules(), board, move);
  return std::to_string(game.position().ply) + " " + to_text(board) + " legal " +
         letters(board.to_move, game.legal()) + " repeats " +
         std::to_string(game.position().repetitions) + " move " +
         env::move_letter(board.to_move, move) + " takes " +
         std::to_string(preview.captured_seeds) +
         (preview.cancelled_grand_slam ? " grand slam cancelled\n" : "\n");
}

std::string last_line(const env::Game& game) {
  return to_text(game.board()) + " ply " + std::to_string(game.position().ply) + " legal  end " +
         to_string(game.outcome().reason) + " " +
         std::to_string(game.outcome().margin_south_seeds) + "\n";
}

// A random game from `start`.
std::string playthrough(const env::RuleSet& rules, const env::Board& start, std::uint64_t id) {
  env::RandomStream random(1, env::RandomPurpose::kTest, id, 0);
  env::Game game(rules, start);
  std::string text = "game from " + to_text(start) + "\n";
  while (!game.over()) {
    const auto count = letters(env::Side::kSouth, game.legal()).size();
    const env::Move move = nth_move(game.legal(), random.below(static_cast<std::uint32_t>(count)));
    text += ply_line(game, move);
    game.play(move);
  }
  return text + last_line(game);
}

}  // namespace

TEST_CASE("playthroughs are as recorded") {
  const std::string name = GENERATE(from_range(env::preset_names()));
  const env::RuleSet rules = env::preset(name);
  std::string text = "rules " + describe(rules) + "\n";
  text += playthrough(rules, env::initial_board(), 0);
  // Few seeds: grand slams, feeding, circles.
  for (const char* position : {"0-0-0-0-1-1-1-0-0-0-0-0-9-8-S", "0-0-0-1-1-2-1-1-0-0-0-1-10-11-N",
                               "1-0-0-0-0-0-1-0-0-0-0-0-15-15-S"}) {
    text += playthrough(rules, env::parse_board(position, env::SeedCount::kStudy), 4);
  }
  check_golden("playthrough_" + name + ".txt", text);
}

}  // namespace awale::test
