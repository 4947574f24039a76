// What is known of a position: what a search found, what the network says of it alone, what an
// endgame table knows. For people and for programs, for one position or a stream of them.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "env/game.hpp"
#include "mcts/oracle.hpp"
#include "mcts/search_result.hpp"
#include "nn/weights.hpp"

namespace awale::training {

inline constexpr int kAnalysisLinePlies = 20;

// A game that is not over and what has been found at its position; views as in SearchResult.
struct Analysis {
  explicit Analysis(env::Game of) : game(std::move(of)) {}

  env::Game game;
  std::string evaluator;  // its name
  int simulations = 0;
  bool has_network = false;  // false: the evaluator knows nothing
  mcts::SearchResult result;
  std::string line;                         // principal variation in notation
  std::optional<mcts::OracleLimits> table;  // what the table says of the position, if anything
  std::array<std::optional<env::FinalMargin>, env::kMoves> table_moves;  // and of each move
  std::optional<nn::AuxiliaryEvaluation> auxiliary;  // the network's own, if it has such heads
};

// The shares of games whose final margins are told, of the network's distribution.
inline constexpr std::array<double, 3> kMarginQuartiles = {0.25, 0.5, 0.75};

// Fills `table` and `table_moves`; the table is of the game's rules.
void ask_table(const env::EndgameTable& table, Analysis& analysis);

// Fills `auxiliary`, if the network has such heads.
void ask_auxiliary_heads(const nn::NetworkWeights& weights, Analysis& analysis);

// The game's position, rules and side to move; of a game that is over also how it ended.
nlohmann::ordered_json position_json(const env::Game& game);

// All of it; fields and views: training/README.md.
nlohmann::ordered_json to_json(const Analysis& analysis);

}  // namespace awale::training
