#include "tests/env/snapshot.hpp"

#include <algorithm>
#include <bit>
#include <ostream>
#include <sstream>

#include "env/notation.hpp"

namespace awale::test {
namespace {

Snapshot unfinished(const env::Position& position, env::LegalMask legal) {
  Snapshot snapshot;
  snapshot.position = naive_position(position.board);
  snapshot.ply = position.ply;
  snapshot.quiet_plies = position.quiet_plies;
  snapshot.repetitions = position.repetitions;
  snapshot.legal = letters(position.board.to_move, legal);
  snapshot.reason = "none";
  return snapshot;
}

Snapshot finished(Snapshot snapshot, const env::Outcome& outcome) {
  snapshot.reason = to_string(outcome.reason);
  snapshot.margin_south = outcome.margin_south_seeds;
  return snapshot;
}

}  // namespace

Snapshot snapshot(const naive::Game& game) {
  Snapshot snapshot;
  snapshot.position = game.position();
  snapshot.ply = game.ply();
  snapshot.quiet_plies = game.quiet_plies();
  snapshot.repetitions = std::min(game.repetitions(), 255);
  snapshot.legal = game.legal();
  snapshot.reason = game.reason();
  snapshot.margin_south = game.reason() == "none" ? 0 : game.margin_south();
  return snapshot;
}

Snapshot snapshot(const env::Game& game) {
  const Snapshot snapshot = unfinished(game.position(), game.legal());
  return game.over() ? finished(snapshot, game.outcome()) : snapshot;
}

Snapshot snapshot(const env::BatchEnv& batch, int game) {
  const Snapshot snapshot = unfinished(batch.position(game), batch.legal_masks()[game]);
  return batch.over(game) ? finished(snapshot, batch.outcome(game)) : snapshot;
}

std::string to_text(const Snapshot& snapshot) {
  std::ostringstream text;
  text << to_text(snapshot.position) << " ply " << snapshot.ply << " quiet " << snapshot.quiet_plies
       << " repeats " << snapshot.repetitions << " legal " << snapshot.legal << " end "
       << snapshot.reason;
  if (snapshot.reason != "none") text << " " << snapshot.margin_south;
  return text.str();
}

std::ostream& operator<<(std::ostream& stream, const Snapshot& snapshot) {
  return stream << to_text(snapshot);
}

std::vector<Preview> previews(const naive::Game& game) {
  std::vector<Preview> found;
  for (const char letter : game.own_pits()) {
    const naive::Effect effect = game.effect(letter);
    found.push_back(
        {letter, effect.landing_pit, effect.captured_seeds, effect.cancelled_grand_slam});
  }
  return found;
}

std::vector<Preview> previews(const env::RuleSet& rules, const env::Board& board) {
  const int first_pit = board.to_move == env::Side::kSouth ? 0 : env::kPitsPerSide;
  std::vector<Preview> found;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (board.pits[move] == 0) continue;
    const env::MovePreview preview = env::preview(rules, board, move);
    found.push_back({env::move_letter(board.to_move, move),
                     (preview.landing_pit + first_pit) % env::kPits, preview.captured_seeds,
                     preview.cancelled_grand_slam});
  }
  return found;
}

std::ostream& operator<<(std::ostream& stream, const Preview& preview) {
  return stream << preview.letter << " to " << preview.landing_pit << " takes "
                << preview.captured_seeds << (preview.cancelled_grand_slam ? " cancelled" : "");
}

naive::Position naive_position(const env::Board& board) {
  const bool south = board.to_move == env::Side::kSouth;
  naive::Position position;
  for (int pit = 0; pit < env::kPits; ++pit)
    position.pits[(pit + (south ? 0 : env::kPitsPerSide)) % env::kPits] = board.pits[pit];
  position.store_south = south ? board.store_to_move : board.store_opponent;
  position.store_north = south ? board.store_opponent : board.store_to_move;
  position.side = south ? 'S' : 'N';
  return position;
}

std::string letters(env::Side side, env::LegalMask moves) {
  std::string text;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((moves >> move & 1) != 0) text += env::move_letter(side, move);
  }
  return text;
}

env::Move nth_move(env::LegalMask moves, unsigned rank) {
  for (; rank > 0; --rank)
    moves = static_cast<env::LegalMask>(moves & (moves - 1));
  return static_cast<env::Move>(std::countr_zero(moves));
}

}  // namespace awale::test
