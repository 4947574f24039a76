#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "mcts/game_search.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/pretrained.hpp"
#include "nn/uniform_evaluator.hpp"
#include "training/analysis/analysis_stream.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/format_text.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::training {
namespace {

constexpr const char* kNoNetwork = "none";  // as --checkpoint

// 1.3 MB of tree, for each position of a batch that asks for so many.
constexpr int kMostStreamSimulations = 10000;

struct AnalyzeOptions {
  std::string position;
  bool study = false;
  bool stream = false;
  int batch = AnalysisStreamConfig{}.batch;
  std::string checkpoint = nn::kPretrained;
  std::string table;  // "" for none
  env::RuleSet rules;
  mcts::SearchConfig search;
  nn::EvaluatorConfig evaluator;
  int threads = 1;
  bool json = false;
};

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
      nn::margin_quantile(*auxiliary, kMarginQuartiles[0]),
      nn::margin_quantile(*auxiliary, kMarginQuartiles[2]),
      nn::margin_quantile(*auxiliary, kMarginQuartiles[1]),
      static_cast<double>(auxiliary->plies_left));
}

void print_table(const mcts::OracleLimits& limits) {
  std::printf("table: final margin %s with best play: %s%s\n", margin_text(limits.margin).c_str(),
              env::to_string(env::verdict(limits.margin)),
              limits.certain ? "" : " (as if there were no ply limit)");
}

void print_text(const Analysis& analysis) {
  const auto& result = analysis.result;
  std::printf("%s", draw(analysis.game.board()).c_str());
  print_moves(analysis);
  std::printf("\n%s, %d simulations; numbers are those of the side to move\n",
              analysis.evaluator.c_str(), analysis.simulations);
  std::printf("rules %s\n", env::describe(analysis.game.rules()).c_str());
  std::printf("value %+.3f, expected margin %+.1f seeds\n", static_cast<double>(result.root_value),
              static_cast<double>(result.root_margin_seeds));
  if (result.solved) {
    std::printf("solved: with best play the margin is %+d seeds\n",
                result.lower_seeds[result.best]);
  }
  if (analysis.table) print_table(*analysis.table);
  if (analysis.has_network) {
    print_network(result.network);
    print_auxiliary(analysis.auxiliary);
  }
  std::printf("best line %s\n", analysis.line.c_str());
}

void report_over(const env::Game& game, bool json) {
  if (json) {
    std::cout << position_json(game).dump(2) << '\n';
  } else {
    std::cout << draw(game.board()) << "The game is over: " << describe_outcome(game.outcome())
              << ".\n";
  }
}

// What both ways of asking share; takes the rules from the network unless they were chosen.
AnalystSetup make_setup(AnalyzeOptions& options, bool rules_chosen) {
  options.evaluator.validate();
  AnalystSetup setup;
  setup.search = options.search;
  setup.make_evaluator = [](int) { return std::make_unique<nn::UniformEvaluator>(); };
  if (options.checkpoint != kNoNetwork) {
    const auto agent = std::make_shared<const Agent>(load_agent(options.checkpoint));
    if (!rules_chosen) options.rules = agent->rules.front();
    setup.require_rules = [agent](const env::RuleSet& rules) { require_rules(*agent, rules); };
    setup.weights = std::shared_ptr<const nn::NetworkWeights>(agent, &agent->weights);
    const auto network = make_network_source(*agent, options.evaluator);
    setup.make_evaluator = [network](int threads) { return network->make(threads); };
  }
  setup.require_rules(options.rules);
  if (!options.table.empty()) {
    setup.search.endgame = std::make_shared<const env::EndgameTable>(
        env::EndgameTable::open(options.table, options.rules));
  }
  return setup;
}

// One position, on several threads.
Analysis analyze(const AnalyzeOptions& options, const AnalystSetup& setup, const env::Game& game) {
  Analysis analysis(game);
  if (setup.search.endgame) ask_table(*setup.search.endgame, analysis);
  mcts::GameSearch search(options.rules, setup.search, 1, options.threads, setup.make_evaluator);
  analysis.result = search.run({game.position(), game.history()});
  analysis.evaluator = search.evaluator_name();
  analysis.simulations = setup.search.simulations;
  analysis.line = env::line_text(game, search.principal_variation(kAnalysisLinePlies));
  analysis.has_network = setup.weights != nullptr;
  if (setup.weights) ask_auxiliary_heads(*setup.weights, analysis);
  return analysis;
}

void analyze_position(const AnalyzeOptions& options, const AnalystSetup& setup) {
  const auto seeds = options.study ? env::SeedCount::kStudy : env::SeedCount::kGame;
  const env::Game game(options.rules, named_board(options.position, seeds));
  if (game.over()) return report_over(game, options.json);
  const Analysis analysis = analyze(options, setup, game);
  if (options.json) {
    std::cout << to_json(analysis).dump(2) << '\n';
  } else {
    print_text(analysis);
  }
}

void run_analyze(AnalyzeOptions options, bool rules_chosen) {
  if (options.position.empty() == !options.stream) {
    throw InputError(ErrorKind::kUsage, "expected a POSITION or --stream, and not both");
  }
  AnalystSetup setup = make_setup(options, rules_chosen);
  if (!options.stream) return analyze_position(options, setup);
  const AnalysisStreamConfig config{options.rules, options.search.simulations, options.batch,
                                    options.threads};
  setup.search.simulations = std::max(setup.search.simulations, kMostStreamSimulations);
  analyze_stream(config, setup, std::cin, std::cout);
}

}  // namespace

void add_analyze(CLI::App& app) {
  auto options = std::make_shared<AnalyzeOptions>();
  options->search.simulations = 800;
  CLI::App* analyze = app.add_subcommand(
      "analyze", "Search a position: what each move does, what it is worth, the best line.");
  analyze
      ->add_option("POSITION", options->position,
                   "A..F, a..f, South's and North's store, S or N; or start")
      ->check(check_not_empty);
  analyze->add_flag("--study", options->study,
                    "the position may hold fewer than 48 seeds; 12 pits alone will do");
  analyze->add_flag("--stream", options->stream,
                    "answer requests from standard input, a JSON object a line");
  add_field(*analyze, "--batch", options->batch,
            "with --stream: positions searched together, 1..4096")
      ->check(in_range(1, 4096));
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
      "  awale analyze 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S --rules awari\n"
      "  awale analyze 0-0-0-0-0-2-0-0-0-0-0-2 --study --json\n"
      "  awale analyze 1-0-0-2-0-1-0-1-0-0-2-0-20-21-S --table abapa-15.eg\n"
      "\n"
      "A stream: requests of which every key may be missing, an answer for each, in their order;\n"
      "a line that is no request is answered with {\"id\": ..., \"error\": \"what is wrong\"}:\n"
      "  echo '{\"id\": 1, \"moves\": \"FfBe\", \"simulations\": 200}' | awale analyze --stream\n"
      "Keys: id, position, moves, rules (a preset), simulations (1..10000), study (true or "
      "false).");
  analyze->callback([options, analyze] { run_analyze(*options, rules_given(*analyze)); });
}

}  // namespace awale::training
