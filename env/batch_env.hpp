// N games of one rule set, stepped together: the environment that self-play and outside trainers
// use.
//
// Games are numbered 0..N-1. A game that has ended stays as it is until it is reset: its legal mask
// is 0 and step() takes only kNoMove for it. Nothing restarts by itself, so the final position can
// always be read. A call that throws has changed nothing. One thread at a time per BatchEnv;
// different objects are independent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/game.hpp"

namespace awale::env {

// The move of a game that has ended, in step().
inline constexpr Move kNoMove = 255;

class BatchEnv {
 public:
  // All games at the start position. games >= 0.
  BatchEnv(const RuleSet& rules, int games);

  const RuleSet& rules() const { return rules_; }
  int size() const { return static_cast<int>(games_.size()); }

  // Every game back to the start position.
  void reset();
  // Only `games`, to the start position or to `starts` (same length). Throws InputError(kPosition)
  // naming the game when an index is out of range or listed twice.
  void reset(std::span<const int> games);
  void reset(std::span<const int> games, std::span<const Board> starts);

  // Game number `game` becomes a copy of `state`, its history included: how an interrupted batch
  // goes on. Throws InputError(kPosition) when the index is out of range or the rules differ.
  void load(int game, const Game& state);

  // One ply in every game. `moves` [N]: a legal move, kNoMove exactly where a game has ended.
  // Throws InputError(kPosition) naming the first offending game.
  void step(std::span<const Move> moves);

  // [N], bit i of a mask: move i is legal. 0 where the game has ended.
  std::span<const LegalMask> legal_masks() const { return legal_masks_; }

  // Games that the last step() ended, in increasing order; empty after reset().
  std::span<const int> finished() const { return finished_; }

  bool over(int game) const { return games_.at(game).over(); }
  // Only when over.
  Outcome outcome(int game) const { return games_.at(game).outcome(); }
  const Position& position(int game) const { return games_.at(game).position(); }
  // Positions since the last capture, the current one last; valid until the next step or reset.
  std::span<const Board> history(int game) const { return games_.at(game).history(); }

 private:
  void check_indices(std::span<const int> games) const;
  void refresh(int game);

  RuleSet rules_;
  std::vector<Game> games_;
  std::vector<LegalMask> legal_masks_;
  std::vector<int> finished_;
};

}  // namespace awale::env
