#include "training/game_text/game_records.hpp"

#include "env/error.hpp"
#include "env/final_score.hpp"
#include "env/notation.hpp"

namespace awale::training {
namespace {

// "27-21", as people agree on the result of a game that they do not play to its end.
std::string adjudicated_result(const GameRecord& record) {
  const int seeds = env::total_seeds(record.start);
  const int margin = record.outcome.margin_south_seeds;
  return to_text(env::FinalScore{seeds + margin, seeds - margin});
}

}  // namespace

GameRecord to_record(const PlayedGame& game, std::uint64_t game_id) {
  AWALE_CHECK(finished(game), "game " << game_id << " has not ended");
  GameRecord record;
  record.game_id = game_id;
  record.start = game.start;
  record.outcome = game.outcome;
  env::Game state(game.rules, game.start);
  for (const char letter : game.moves) {
    PlyRecord ply;
    ply.position = state.position();
    ply.legal = state.legal();
    ply.move = env::parse_move(letter, state.board().to_move);
    ply.flags = kUnsearchedPly;
    state.play(ply.move);
    record.plies.push_back(ply);
  }
  return record;
}

PlayedGame to_played_game(const GameRecord& record, const Provenance& provenance) {
  PlayedGame game;
  game.rules = provenance.rules.at(record.rules_index);
  game.start = record.start;
  if (!record.adjudicated) game.outcome = record.outcome;
  for (const auto& ply : record.plies) {
    game.moves += env::move_letter(ply.position.board.to_move, ply.move);
  }
  if (record.adjudicated) game.tags = {{"Result", adjudicated_result(record)}};
  if (provenance.checkpoint.empty()) return game;
  const std::string player = "awale " + provenance.checkpoint;
  const std::string event = "awale self-play, seed " + std::to_string(provenance.seed);
  for (const Tag& tag : {Tag{"Event", event}, Tag{"Round", std::to_string(record.game_id)},
                         Tag{"South", player}, Tag{"North", player}}) {
    game.tags.push_back(tag);
  }
  return game;
}

}  // namespace awale::training
