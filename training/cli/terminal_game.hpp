// One game in a terminal or a pipe, between people and players.
//
// A person reads the board and the legal moves, then types the letter of a pit, or undo, help or
// quit. What cannot be played is explained and asked for again. The end of the input ends the game.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "env/game.hpp"
#include "mcts/player.hpp"

namespace awale::training {

class TerminalGame {
 public:
  // A null player is a person. Streams and players must outlive the game.
  TerminalGame(const env::RuleSet& rules, const env::Board& start, mcts::Player* south,
               mcts::Player* north, std::istream& input, std::ostream& output);

  // Until the game is over, quit or out of input. Throws what players throw.
  void run();

 private:
  enum class Answer { kPlayed, kAgain, kLeave };

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
  mcts::Player* south_;
  mcts::Player* north_;
  std::istream& input_;
  std::ostream& output_;
};

}  // namespace awale::training
