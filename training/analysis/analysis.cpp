#include "training/analysis/analysis.hpp"

#include "env/notation.hpp"
#include "nn/eigen_evaluator.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::training {
namespace {

// Null for a move without visits, of which the search knows nothing.
nlohmann::json if_visited(const mcts::SearchResult& result, env::Move move, float number) {
  return result.visits[move] > 0 ? nlohmann::json(number) : nlohmann::json();
}

void add_table_margin(nlohmann::ordered_json& json, env::FinalMargin margin) {
  json["table_low"] = margin.low;
  json["table_high"] = margin.high;
  json["table_verdict"] = env::to_string(env::verdict(margin));
}

nlohmann::ordered_json move_json(const Analysis& analysis, env::Move move) {
  const env::Board& board = analysis.game.board();
  const auto preview = env::preview(analysis.game.rules(), board, move);
  const auto& result = analysis.result;
  nlohmann::ordered_json json = {
      {"move", std::string(1, env::move_letter(board.to_move, move))},
      {"lands", std::string(1, pit_letter(board.to_move, preview.landing_pit))},
      {"takes", preview.captured_seeds},
      {"prior", result.priors[move]},
      {"visits", result.visits[move]},
      {"value", if_visited(result, move, result.values[move])},
      {"margin_seeds", if_visited(result, move, result.margins_seeds[move])},
      {"certain_seeds", {result.lower_seeds[move], result.upper_seeds[move]}}};
  if (analysis.table_moves[move]) add_table_margin(json, *analysis.table_moves[move]);
  return json;
}

// Null where the network has no auxiliary heads.
nlohmann::ordered_json network_json(const nn::Evaluation& network,
                                    const std::optional<nn::AuxiliaryEvaluation>& auxiliary) {
  nlohmann::ordered_json json = {
      {"win", network.win_draw_loss[0]},  {"draw", network.win_draw_loss[1]},
      {"loss", network.win_draw_loss[2]}, {"margin_seeds", network.margin_seeds},
      {"margin_quartiles", nullptr},      {"plies_left", nullptr}};
  if (!auxiliary) return json;
  json["margin_quartiles"] = nlohmann::json::array();
  for (const double share : kMarginQuartiles)
    json["margin_quartiles"].push_back(nn::margin_quantile(*auxiliary, share));
  json["plies_left"] = auxiliary->plies_left;
  return json;
}

}  // namespace

void ask_table(const env::EndgameTable& table, Analysis& analysis) {
  const env::Game& game = analysis.game;
  analysis.table = mcts::oracle_limits(table, game.rules(), game.position());
  if (!analysis.table) return;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    analysis.table_moves[move] =
        mcts::margin_after(table, game.rules(), game.position(), game.history(), move);
  }
}

void ask_auxiliary_heads(const nn::NetworkWeights& weights, Analysis& analysis) {
  if (!weights.config.auxiliary) return;
  const env::Position position = analysis.game.position();
  analysis.auxiliary.emplace();
  nn::evaluate_auxiliary(weights, analysis.game.rules(), {&position, 1}, {&*analysis.auxiliary, 1});
}

nlohmann::ordered_json position_json(const env::Game& game) {
  nlohmann::ordered_json json = {{"position", env::to_text(game.board())},
                                 {"rules", env::describe(game.rules())},
                                 {"to_move", side_name(game.board().to_move)},
                                 {"over", game.over()}};
  if (game.over()) {
    json["reason"] = env::to_string(game.outcome().reason);
    json["margin_south_seeds"] = game.outcome().margin_south_seeds;
  }
  return json;
}

nlohmann::ordered_json to_json(const Analysis& analysis) {
  const auto& result = analysis.result;
  auto json = position_json(analysis.game);
  json["evaluator"] = analysis.evaluator;
  json["simulations"] = analysis.simulations;
  json["value"] = result.root_value;
  json["margin_seeds"] = result.root_margin_seeds;
  if (analysis.has_network) json["network"] = network_json(result.network, analysis.auxiliary);
  json["solved"] = result.solved;
  if (analysis.table) {
    add_table_margin(json, analysis.table->margin);
    json["table_certain"] = analysis.table->certain;
  }
  json["best"] = analysis.line.substr(0, 1);
  json["moves"] = nlohmann::ordered_json::array();
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((analysis.game.legal() >> move & 1) != 0)
      json["moves"].push_back(move_json(analysis, move));
  }
  json["line"] = analysis.line;
  return json;
}

}  // namespace awale::training
