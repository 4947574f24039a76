#include "training/game_text/game_json.hpp"

#include <array>

#include "env/final_score.hpp"
#include "env/notation.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
using Holes = std::array<int, env::kPits>;

Holes holes_of(const env::Board& board) {
  Holes holes = {};
  for (int pit = 0; pit < env::kPits; ++pit)
    holes[hole_of(board.to_move, pit)] = board.pits[pit];
  return holes;
}

// Every hole that gets a seed, in order: around the board, the origin left out.
std::vector<int> sowing_path(int origin, int seeds) {
  std::vector<int> path;
  for (int hole = origin; seeds > 0; --seeds) {
    hole = (hole + 1) % env::kPits;
    if (hole == origin) hole = (hole + 1) % env::kPits;
    path.push_back(hole);
  }
  return path;
}

// What lay there once all seeds were sown and lies there no longer, backwards from the last seed.
Json captures_json(const Holes& sown, const Holes& after, int last) {
  auto captures = Json::array();
  for (int i = 0; i < env::kPits; ++i) {
    const int hole = (last + env::kPits - i) % env::kPits;
    if (sown[hole] > after[hole])
      captures.push_back({{"hole", hole}, {"seeds", sown[hole] - after[hole]}});
  }
  return captures;
}

Json illegal_json(const env::Game& game) {
  auto list = Json::array();
  const env::Board& board = game.board();
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (game.over() || (game.legal() >> move & 1) != 0) continue;
    const auto reason = why_illegal(game.rules(), board, move);
    list.push_back({{"move", std::string(1, env::move_letter(board.to_move, move))},
                    {"hole", hole_of(board.to_move, move)},
                    {"reason", to_string(reason)},
                    {"text", describe(reason)}});
  }
  return list;
}

Json legal_json(const env::Game& game) {
  auto list = Json::array();
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) != 0) list.push_back(ply_json(game.rules(), game.board(), move));
  }
  return list;
}

Json winner_json(int margin_south_seeds) {
  if (margin_south_seeds == 0) return nullptr;
  return side_name(margin_south_seeds > 0 ? env::Side::kSouth : env::Side::kNorth);
}

}  // namespace

int hole_of(env::Side to_move, int pit) {
  return (pit + (to_move == env::Side::kNorth ? env::kPitsPerSide : 0)) % env::kPits;
}

Json board_json(const env::Board& board) {
  const bool south = board.to_move == env::Side::kSouth;
  return {{"pits", holes_of(board)},
          {"stores",
           {{"South", south ? board.store_to_move : board.store_opponent},
            {"North", south ? board.store_opponent : board.store_to_move}}},
          {"to_move", side_name(board.to_move)},
          {"position", env::to_text(board)}};
}

Json ply_json(const env::RuleSet& rules, const env::Board& before, env::Move move) {
  const int origin = hole_of(before.to_move, move);
  const auto path = sowing_path(origin, before.pits[move]);
  Holes sown = holes_of(before);
  sown[origin] = 0;
  for (const int hole : path)
    ++sown[hole];
  env::Board after = before;
  env::play(rules, after, move);
  return {{"move", std::string(1, env::move_letter(before.to_move, move))},
          {"hole", origin},
          {"path", path},
          {"captures", captures_json(sown, holes_of(after), path.back())},
          {"void_capture", env::preview(rules, before, move).cancelled_grand_slam},
          {"text", describe_move(rules, before, move)},
          {"after", board_json(after)}};
}

Json parameters_json(const env::RuleSet& rules) {
  Json json = Json::object();
  for (const auto& [key, value] : env::to_key_values(rules))
    json[key] = value;
  json.erase("name");
  return json;
}

Json end_json(const env::Game& game) {
  if (!game.over()) return nullptr;
  const env::Outcome outcome = game.outcome();
  const auto score = env::final_score(game.rules(), game.board(), outcome.reason);
  return {
      {"reason", env::to_string(outcome.reason)},
      {"winner", winner_json(outcome.margin_south_seeds)},
      {"final", {{"South", score.south_half_seeds / 2.0}, {"North", score.north_half_seeds / 2.0}}},
      {"text", describe_end(game) + "; " + describe_count(game)}};
}

Json game_json(const env::RuleSet& rules, const env::Board& start, std::string_view moves) {
  const env::Game last = env::replay(rules, start, moves);
  auto plies = Json::array();
  env::Game game(rules, start);
  for (const char letter : moves) {
    const env::Move move = env::parse_move(letter, game.board().to_move);
    plies.push_back(ply_json(rules, game.board(), move));
    game.play(move);
  }
  return {{"rules", rules.name},
          {"parameters", parameters_json(rules)},
          {"start", board_json(start)},
          {"moves", moves},
          {"plies", plies},
          {"board", board_json(last.board())},
          {"legal", legal_json(last)},
          {"illegal", illegal_json(last)},
          {"over", end_json(last)}};
}

Json tags_json(std::span<const Tag> tags) {
  Json json = Json::object();
  for (const Tag& tag : tags)
    json[tag.name] = tag.value;
  return json;
}

}  // namespace awale::training
