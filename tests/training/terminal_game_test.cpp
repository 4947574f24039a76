#include "training/cli/terminal_game.hpp"

#include <bit>
#include <sstream>

#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "training/game_text/board_view.hpp"

namespace env = awale::env;
using awale::test::contains;
using awale::training::TerminalGame;

namespace {

// Always the first legal pit.
class FirstPitPlayer final : public awale::mcts::Player {
 public:
  void choose_moves(std::span<const env::Game* const> games, std::span<const std::uint64_t>,
                    std::span<env::Move> moves) override {
    for (std::size_t i = 0; i < games.size(); ++i) {
      moves[i] = static_cast<env::Move>(std::countr_zero(games[i]->legal()));
    }
  }
  std::string name() const override { return "first-pit"; }
};

// What the terminal shows when a person types `typed`; null seats are people.
std::string play(const std::string& typed, awale::mcts::Player* south = nullptr,
                 awale::mcts::Player* north = nullptr,
                 const env::Board& start = env::initial_board(), const env::RuleSet& rules = {}) {
  std::istringstream input(typed);
  std::ostringstream output;
  TerminalGame(rules, start, {south, north, {}, false}, input, output).run();
  return output.str();
}

env::Board study_board(const std::string& text) {
  return env::parse_board(text, env::SeedCount::kStudy);
}

}  // namespace

TEST_CASE("The board is drawn with South below and North's pits from right to left") {
  const env::Board board = env::parse_board("1-2-3-4-5-6-0-1-2-3-4-5-7-5-N");
  CHECK(awale::training::draw(board) ==
        "            f   e   d   c   b   a\n"
        "> North     5   4   3   2   1   0   store   5\n"
        "  South     1   2   3   4   5   6   store   7\n"
        "            A   B   C   D   E   F\n");
}

TEST_CASE("Moves are described from the mover's side in letters of the board") {
  const env::RuleSet rules;
  const env::Board lap = study_board("0-0-0-0-0-13-1-0-0-0-0-0");
  CHECK(awale::training::describe_move(rules, lap, 5) == "last seed on b, takes 5");
  CHECK(awale::training::describe_move(rules, study_board("0-0-1-1-0-0-1-0-0-0-0-0"), 2) ==
        "last seed on D");
  CHECK(awale::training::describe_move(rules, study_board("0-0-0-0-1-1-1-0-0-0-0-0"), 5) ==
        "last seed on a, takes nothing (grand slam)");
  CHECK(awale::training::describe_move(rules, study_board("0-0-0-0-0-1-0-0-0-0-0-1-0-0-N"), 5) ==
        "last seed on A");
}

TEST_CASE("Outcomes name the winner, the seeds and the reason") {
  using awale::training::describe_outcome;
  CHECK(describe_outcome({env::EndReason::kTarget, 4}) == "South wins by 4 seeds (target)");
  CHECK(describe_outcome({env::EndReason::kNoMoves, -1}) == "North wins by 1 seed (no_moves)");
  CHECK(describe_outcome({env::EndReason::kRepetition, 0}) == "draw (repetition)");
}

TEST_CASE("Two people play by letters, whose case does not matter") {
  const std::string shown = play("F\nf\nb\nE\nquit\n");
  CHECK(contains(shown, "Moves: FfBe\n"));
  CHECK(contains(shown, "South> "));
  CHECK(contains(shown, "North> "));
}

TEST_CASE("The legal moves are shown with what they do") {
  const std::string shown =
      play("quit\n", nullptr, nullptr, study_board("0-0-0-0-1-1-1-0-0-0-0-0"));
  CHECK(contains(shown, "  E: last seed on F\n  F: last seed on a, takes nothing (grand slam)\n"));
}

TEST_CASE("A player's move is told, and the person's turn follows") {
  FirstPitPlayer player;
  const std::string shown = play("F\n", nullptr, &player);
  CHECK(contains(shown, "North (first-pit) plays a: last seed on f\n"));
  CHECK(contains(shown, "End of input.\nMoves: Fa\n"));
}

TEST_CASE("What cannot be played is explained and asked for again") {
  CHECK(contains(play("x\nquit\n"), "'x' is no pit of South; type one of A B C D E F.\n"));
  CHECK(contains(play("7\nquit\n"), "'7' is no pit of South"));
  CHECK(contains(play("nonsense\nquit\n"), "'nonsense' is no move;"));
  CHECK(contains(play("\n\nA\nquit\n"), "Moves: A\n"));
  CHECK(contains(play("A\na\nA\nquit\n"), "A is empty; type one of"));
  CHECK(contains(play("A\nquit\n", nullptr, nullptr, study_board("1-0-0-0-0-1-0-0-0-0-0-0")),
                 "A does not feed the opponent, whose row is empty; type one of F.\n"));
  env::RuleSet strict;
  strict.grand_slam = env::GrandSlam::kIllegal;
  CHECK(
      contains(play("F\nquit\n", nullptr, nullptr, study_board("0-0-0-0-1-1-1-0-0-0-0-0"), strict),
               "F would take all the opponent's seeds; type one of E.\n"));
}

TEST_CASE("Undo goes back to the person's last turn") {
  FirstPitPlayer player;
  SECTION("between two people by one move") {
    CHECK(contains(play("F\nf\nundo\ne\nquit\n"), "Moves: Fe\n"));
  }
  SECTION("against a player by the answer too") {
    CHECK(contains(play("F\nundo\nE\nquit\n", nullptr, &player), "Moves: Ea\n"));
  }
  SECTION("not beyond the beginning") {
    CHECK(contains(play("undo\nquit\n"), "There is nothing to take back.\n"));
    CHECK(contains(play("undo\nquit\n", &player, nullptr), "There is nothing to take back.\n"));
  }
}

TEST_CASE("A game that ends says how") {
  const std::string shown = play("F\n", nullptr, nullptr, study_board("0-0-0-0-0-1-0-0-0-0-0-0"));
  CHECK(contains(shown, "Game over: "));
  FirstPitPlayer south;
  FirstPitPlayer north;
  const std::string watched = play("", &south, &north);
  CHECK(contains(watched, "Game over: "));
  CHECK_FALSE(contains(watched, "> \n"));
}

TEST_CASE("Help explains what to type") {
  CHECK(contains(play("help\nquit\n"), "undo   take back your last move\n"));
}

TEST_CASE("A hint is told as often as it is asked for, and plays nothing") {
  std::istringstream input("hint\nF\nhint\nquit\n");
  std::ostringstream output;
  const auto hint = [](const env::Game& game) {
    return "ply " + std::to_string(game.position().ply);
  };
  TerminalGame({}, env::initial_board(), {nullptr, nullptr, hint, false}, input, output).run();
  CHECK(contains(output.str(), "South> ply 0\n"));
  CHECK(contains(output.str(), "North> ply 1\n"));
  CHECK(contains(output.str(), "Moves: F\n"));
  CHECK(contains(play("hint\nquit\n"), "There is nobody to ask.\n"));
}

TEST_CASE(
    "A terminal that redraws clears the screen before each board, not before what was played") {
  FirstPitPlayer north;
  std::istringstream input("F\nquit\n");
  std::ostringstream output;
  TerminalGame({}, env::initial_board(), {nullptr, &north, {}, true}, input, output).run();
  const std::string shown = output.str();
  CHECK(contains(shown, "\x1b[2J\x1b[HNorth (first-pit) plays a: last seed on f\n\n"));
  CHECK(!contains(play("F\nquit\n", nullptr, &north), "\x1b"));
}

TEST_CASE("A move that has been taken back is not told above the board") {
  FirstPitPlayer north;
  std::istringstream input("F\nundo\nquit\n");
  std::ostringstream output;
  TerminalGame({}, env::initial_board(), {nullptr, &north, {}, true}, input, output).run();
  CHECK(contains(output.str(), "South> \x1b[2J\x1b[H\n"));
}
