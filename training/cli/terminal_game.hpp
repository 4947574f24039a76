// One game in a terminal or a pipe, between people and players.
//
// A person reads the board and what each legal move does, then types the letter of a pit, or hint,
// undo, help or quit. What cannot be played is explained and asked for again. The end of the input
// ends the game.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "env/game.hpp"
#include "mcts/player.hpp"

namespace awale::training {

// Who sits at the terminal and what it can do.
struct Terminal {
  mcts::Player* south = nullptr;  // null: a person
  mcts::Player* north = nullptr;
  // What a person should play, in a line without its end; none: nobody can be asked.
  std::function<std::string(const env::Game&)> hint;
  bool redraws = false;  // each board takes the place of the last one
};

class TerminalGame {
 public:
  // Streams and players must outlive the game.
  TerminalGame(const env::RuleSet& rules, const env::Board& start, Terminal terminal,
               std::istream& input, std::ostream& output);

  // Until the game is over, quit or out of input. Throws what players throw.
  void run();

 private:
  enum class Answer { kPlayed, kAgain, kLeave };

  void show_board();
  void show_hint() const;
  // Null for a person.
  mcts::Player* player_to_move(const env::Game& game) const;
  void let_player_move();
  // One line of input.
  Answer ask_person();
  Answer answer(const std::string& word);
  Answer play_letter(char letter);
  void show_moves() const;
  void show_end() const;
  void undo();
  void play(env::Move move);
  const env::Game& game() const { return games_.back(); }

  std::vector<env::Game> games_;  // after each ply, the present last
  std::string moves_;             // in notation
  Terminal terminal_;
  std::string last_move_;  // a player's, as told; "" after a person's
  std::istream& input_;
  std::ostream& output_;
};

}  // namespace awale::training
