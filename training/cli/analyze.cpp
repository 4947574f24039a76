#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "env/notation.hpp"
#include "mcts/game_search.hpp"
#include "mcts/oracle.hpp"
#include "mcts/root_policy.hpp"
#include "nn/eigen_evaluator.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/pretrained.hpp"
#include "nn/uniform_evaluator.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/board_view.hpp"
#include "training/cli/compute.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

constexpr int kLinePlies = 20;
constexpr const char* kNoNetwork = "none";  // as --checkpoint

struct AnalyzeOptions {
  std::string position;
  bool study = false;
  std::string checkpoint = nn::kPretrained;
  std::string table;  // "" for none
  env::RuleSet rules;
  mcts::SearchConfig search;
  nn::EvaluatorConfig evaluator;
  int threads = 1;  // that search the position
  bool json = false;

  bool has_network() const { return checkpoint != kNoNetwork; }
};

// The game at the position and what a search found there; views as in SearchResult.
struct Analysis {
  env::Game game;
  std::string evaluator;
  mcts::SearchResult result;
  std::string line;                         // principal variation in notation
  std::optional<mcts::OracleLimits> table;  // what the table says of the position, if anything
  std::array<std::optional<env::FinalMargin>, env::kMoves> table_moves;  // and of each move
  std::optional<nn::AuxiliaryEvaluation> auxiliary;  // the network's own, if it has such heads
};

std::string line_text(const env::Game& root, const std::vector<env::Move>& moves) {
  env::Game game = root;
  std::string text;
  for (const env::Move move : moves) {
    text += env::move_letter(game.board().to_move, move);
    game.play(move);
  }
  return text;
}

void ask_table(const env::EndgameTable& table, const env::RuleSet& rules, Analysis& analysis) {
  const env::Game& game = analysis.game;
  analysis.table = mcts::oracle_limits(table, rules, game.position());
  if (!analysis.table) return;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    analysis.table_moves[move] =
        mcts::margin_after(table, rules, game.position(), game.history(), move);
  }
}

void search(const AnalyzeOptions& options, const mcts::MakeEvaluator& make_evaluator,
            Analysis& analysis) {
  mcts::GameSearch search(options.rules, options.search, 1, options.threads, make_evaluator);
  check_compute(options.threads);  // a warning only before what is not refused
  analysis.result = search.run({analysis.game.position(), analysis.game.history()});
  analysis.evaluator = search.evaluator_name();
  analysis.line = line_text(analysis.game, search.principal_variation(kLinePlies));
}

void ask_auxiliary_heads(const nn::NetworkWeights& weights, const env::RuleSet& rules,
                         Analysis& analysis) {
  if (!weights.config.auxiliary) return;
  const env::Position position = analysis.game.position();
  analysis.auxiliary.emplace();
  nn::evaluate_auxiliary(weights, rules, {&position, 1}, {&*analysis.auxiliary, 1});
}

// Null for a move without visits, of which the search knows nothing.
nlohmann::json if_visited(const mcts::SearchResult& result, env::Move move, float number) {
  return result.visits[move] > 0 ? nlohmann::json(number) : nlohmann::json();
}

// "+0.123", "-" for a move without visits.
std::string text_if_visited(const mcts::SearchResult& result, env::Move move, const char* format,
                            float number) {
  if (result.visits[move] == 0) return "-";
  char text[16];
  std::snprintf(text, sizeof(text), format, static_cast<double>(number));
  return text;
}

std::string margin_text(env::FinalMargin margin) {
  return range_text(margin.low, margin.high);
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

nlohmann::ordered_json position_json(const AnalyzeOptions& options, const env::Game& game) {
  return {{"position", env::to_text(game.board())},
          {"rules", env::describe(options.rules)},
          {"to_move", side_name(game.board().to_move)},
          {"over", game.over()}};
}

constexpr std::array<double, 3> kQuartiles = {0.25, 0.5, 0.75};

// Null where the network has no auxiliary heads.
nlohmann::ordered_json network_json(const nn::Evaluation& network,
                                    const std::optional<nn::AuxiliaryEvaluation>& auxiliary) {
  nlohmann::ordered_json json = {
      {"win", network.win_draw_loss[0]},  {"draw", network.win_draw_loss[1]},
      {"loss", network.win_draw_loss[2]}, {"margin_seeds", network.margin_seeds},
      {"margin_quartiles", nullptr},      {"plies_left", nullptr}};
  if (!auxiliary) return json;
  json["margin_quartiles"] = nlohmann::json::array();
  for (const double share : kQuartiles)
    json["margin_quartiles"].push_back(nn::margin_quantile(*auxiliary, share));
  json["plies_left"] = auxiliary->plies_left;
  return json;
}

nlohmann::ordered_json to_json(const AnalyzeOptions& options, const Analysis& analysis) {
  const auto& result = analysis.result;
  auto json = position_json(options, analysis.game);
  json["evaluator"] = analysis.evaluator;
  json["simulations"] = options.search.simulations;
  json["value"] = result.root_value;
  json["margin_seeds"] = result.root_margin_seeds;
  if (options.has_network()) json["network"] = network_json(result.network, analysis.auxiliary);
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

void print_moves(const Analysis& analysis) {
  const auto& result = analysis.result;
  const env::Board& board = analysis.game.board();
  std::printf("\nmove  prior  visits   value  margin   certain%s\n",
              analysis.table ? "     table" : "");
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((analysis.game.legal() >> move & 1) == 0) continue;
    char certain[16];
    std::snprintf(certain, sizeof(certain), "%+d..%+d", result.lower_seeds[move],
                  result.upper_seeds[move]);
    const auto value = text_if_visited(result, move, "%+.3f", result.values[move]);
    const auto margin = text_if_visited(result, move, "%+.1f", result.margins_seeds[move]);
    std::string table;  // where it covers the position, it covers what its moves lead to
    if (analysis.table)
      table = format_text("%8s  ", margin_text(*analysis.table_moves[move]).c_str());
    std::printf("%-4c  %5.3f  %6u  %6s  %6s  %8s  %s%s\n", env::move_letter(board.to_move, move),
                static_cast<double>(result.priors[move]), result.visits[move], value.c_str(),
                margin.c_str(), certain, table.c_str(),
                describe_move(analysis.game.rules(), board, move).c_str());
  }
}

void print_network(const nn::Evaluation& network) {
  std::printf(
      "network alone: win %.3f, draw %.3f, loss %.3f, margin %+.1f seeds\n",
      static_cast<double>(network.win_draw_loss[0]), static_cast<double>(network.win_draw_loss[1]),
      static_cast<double>(network.win_draw_loss[2]), static_cast<double>(network.margin_seeds));
}

void print_auxiliary(const std::optional<nn::AuxiliaryEvaluation>& auxiliary) {
  if (!auxiliary) {
    std::printf(
        "no plies left and quartiles: this network was made before there were heads for it\n");
    return;
  }
  std::printf(
      "final margin: half of the games between %+d and %+d seeds, median %+d; %.0f plies left\n",
      nn::margin_quantile(*auxiliary, kQuartiles[0]),
      nn::margin_quantile(*auxiliary, kQuartiles[2]),
      nn::margin_quantile(*auxiliary, kQuartiles[1]), static_cast<double>(auxiliary->plies_left));
}

void print_table(const mcts::OracleLimits& limits) {
  std::printf("table: final margin %s with best play: %s%s\n", margin_text(limits.margin).c_str(),
              env::to_string(env::verdict(limits.margin)),
              limits.certain ? "" : " (as if there were no ply limit)");
}

void print_text(const AnalyzeOptions& options, const Analysis& analysis) {
  const auto& result = analysis.result;
  std::printf("%s", draw(analysis.game.board()).c_str());
  print_moves(analysis);
  std::printf("\n%s, %d simulations; numbers are those of the side to move\n",
              analysis.evaluator.c_str(), options.search.simulations);
  std::printf("rules %s\n", env::describe(options.rules).c_str());
  std::printf("value %+.3f, expected margin %+.1f seeds\n", static_cast<double>(result.root_value),
              static_cast<double>(result.root_margin_seeds));
  if (result.solved) {
    std::printf("solved: with best play the margin is %+d seeds\n",
                result.lower_seeds[result.best]);
  }
  if (analysis.table) print_table(*analysis.table);
  if (options.has_network()) {
    print_network(result.network);
    print_auxiliary(analysis.auxiliary);
  }
  std::printf("best line %s\n", analysis.line.c_str());
}

void report_over(const AnalyzeOptions& options, const env::Game& game) {
  if (options.json) {
    auto json = position_json(options, game);
    json["reason"] = env::to_string(game.outcome().reason);
    json["margin_south_seeds"] = game.outcome().margin_south_seeds;
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << draw(game.board()) << "The game is over: " << describe_outcome(game.outcome())
              << ".\n";
  }
}

void run_analyze(AnalyzeOptions options, bool rules_chosen) {
  options.evaluator.validate();
  nn::NetworkWeights weights;
  mcts::MakeEvaluator make_evaluator = [](int) { return std::make_unique<nn::UniformEvaluator>(); };
  if (options.has_network()) {
    const Agent agent = load_agent(options.checkpoint);
    if (!rules_chosen) options.rules = agent.rules.front();
    require_rules(agent, options.rules);
    weights = agent.weights;
    const auto network = nn::make_network_source(weights, options.evaluator);
    make_evaluator = [network](int threads) { return network->make(threads); };
  }
  if (!options.table.empty()) {
    options.search.endgame = std::make_shared<const env::EndgameTable>(
        env::EndgameTable::open(options.table, options.rules));
  }
  const auto seeds = options.study ? env::SeedCount::kStudy : env::SeedCount::kGame;
  Analysis analysis{
      env::Game(options.rules, env::parse_board(options.position, seeds)), {}, {}, {}, {}, {}, {}};
  if (analysis.game.over()) {
    report_over(options, analysis.game);
    return;
  }
  if (options.search.endgame) ask_table(*options.search.endgame, options.rules, analysis);
  search(options, make_evaluator, analysis);
  if (options.has_network()) ask_auxiliary_heads(weights, options.rules, analysis);
  if (options.json) {
    std::cout << to_json(options, analysis).dump(2) << '\n';
  } else {
    print_text(options, analysis);
  }
}

}  // namespace

void add_analyze(CLI::App& app) {
  auto options = std::make_shared<AnalyzeOptions>();
  options->search.simulations = 800;
  CLI::App* analyze = app.add_subcommand(
      "analyze", "Search a position: what each move does, what it is worth, the best line.");
  analyze
      ->add_option("POSITION", options->position, "A..F, a..f, South's and North's store, S or N")
      ->required();
  analyze->add_flag("--study", options->study,
                    "the position may hold fewer than 48 seeds; 12 pits alone will do");
  add_field(
      *analyze, "--checkpoint", options->checkpoint,
      "network: a checkpoint, a weights file, a run directory, pretrained (the one that comes "
      "with the program) or none")
      ->check(check_not_empty)
      ->type_name("PATH");
  add_optional_table(*analyze, options->table,
                     ": its word on the position and each move, and the search's on its leaves");
  add_threads(*analyze, options->threads);
  add_evaluator(*analyze, options->evaluator);
  add_json(*analyze, options->json);
  add_simulations(*analyze, options->search);
  add_player_search(*analyze, options->search);
  add_rules(*analyze, options->rules);
  analyze->footer(
      "Rules are the checkpoint's unless given.\n"
      "\n"
      "Examples:\n"
      "  awale analyze 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n"
      "  awale analyze 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S --rules awari --checkpoint runs/quickstart\n"
      "  awale analyze 0-0-0-0-0-2-0-0-0-0-0-2 --study --json\n"
      "  awale analyze 1-0-0-2-0-1-0-1-0-0-2-0-20-21-S --table abapa-15.eg");
  analyze->callback([options, analyze] { run_analyze(*options, rules_given(*analyze)); });
}

}  // namespace awale::training
