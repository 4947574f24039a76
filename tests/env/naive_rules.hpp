// The rules a second time, written to be read next to the rule text and sharing no code with env/
// except the parameters (RuleSet): seeds are sown one by one, pits are numbered A..F = 0..5 and
// a..f = 6..11 whoever moves, and the history is a plain list of positions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "env/rules.hpp"

namespace awale::naive {

using Pits = std::array<int, 12>;

// What has to recur for a repetition.
struct Position {
  Pits pits = {};
  int store_south = 0;
  int store_north = 0;
  char side = 'S';  // 'S' or 'N', to move

  bool operator==(const Position&) const = default;
};

// `text` in notation, 15 fields.
Position parse_position(const std::string& text);
std::string to_text(const Position& position);

// What a move would do.
struct Effect {
  Pits pits_sown = {};    // after sowing, before the capture
  int landing_pit = 0;    // absolute
  int seeds_fed = 0;      // seeds that fell into the opponent's row
  int captured_pits = 0;  // pits taken: the landing pit and those right before it
  int captured_seeds = 0;
  bool cancelled_grand_slam = false;
};

class Game {
 public:
  Game(const env::RuleSet& rules, const Position& start);
  // `start` in notation, 15 fields.
  Game(const env::RuleSet& rules, const std::string& start) : Game(rules, parse_position(start)) {}

  const Position& position() const { return position_; }
  std::string text() const { return to_text(position_); }
  int ply() const { return ply_; }
  // Moves since the last capture.
  int quiet_plies() const { return static_cast<int>(history_.size()) - 1; }
  // Earlier occurrences of the position since then; 0 where the rules do not count them.
  int repetitions() const;

  // Letters of the legal moves, "ACF"; empty once the game is over.
  std::string legal() const { return reason_ == "none" ? legal_ : std::string(); }

  // "none" while the game goes on, else "target", "no_moves", "repetition" or "ply_limit".
  const std::string& reason() const { return reason_; }
  // Final seeds of South minus North's; only when over.
  int margin_south() const;

  Effect effect(char letter) const;
  // Plays a legal move and returns the seeds captured.
  int play(char letter);

  // The non-empty pits of the side to move, legal or not, as letters.
  std::string own_pits() const;

 private:
  bool owns(char side, int pit) const { return (pit < 6) == (side == 'S'); }
  int row(char side) const;
  char other_side() const { return position_.side == 'S' ? 'N' : 'S'; }
  std::string find_legal() const;
  std::string feeding(const std::string& letters) const;
  std::string without_grand_slams(const std::string& letters) const;
  bool is_grand_slam(const Effect& effect) const;
  std::string find_reason() const;

  env::RuleSet rules_;
  Position position_;
  int ply_ = 0;
  std::vector<Position> history_;  // since the last capture, the current position included
  std::string legal_;
  std::string reason_;
};

}  // namespace awale::naive
