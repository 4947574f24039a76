#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/network_evaluator.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/players.hpp"
#include "training/progress.hpp"
#include "training/truth/answers.hpp"
#include "training/truth/report.hpp"

namespace awale::training {
namespace {

constexpr int kMostPositions = 1'000'000;

struct GradeOptions {
  std::string checkpoint;
  std::vector<std::string> players;
  std::string table;
  int positions = 6000;  // of the fixed set
  int games = 200;
  std::vector<int> simulations = {1, 16, 64, 256};
  std::string csv;
  int threads = 1;
  PlayerSetup setup;
  bool json = false;
};

// Who is graded: an agent, players beside it, or players alone.
struct Graded {
  std::optional<Agent> agent;
  std::shared_ptr<const nn::NetworkSource> network;
  std::vector<NamedPlayer> players;
};

void check_options(const GradeOptions& options) {
  const auto require = [](bool valid, const std::string& what) {
    if (!valid) throw InputError(ErrorKind::kUsage, what);
  };
  require(!options.checkpoint.empty() || !options.players.empty(),
          "grade: expected --checkpoint, --player or both, found neither");
  require(options.positions >= 0 && options.positions <= kMostPositions,
          "--positions: expected 0..1000000, found " + std::to_string(options.positions));
  require(options.games >= 0 && options.games <= kMostPositions,
          "--games: expected 0..1000000, found " + std::to_string(options.games));
  require(options.positions + options.games > 0,
          "grade: expected --positions or --games, found 0 of both");
  require(options.threads >= 1 && options.threads <= 1024,
          "threads: expected 1..1024, found " + std::to_string(options.threads));
  mcts::SearchConfig search = options.setup.search;
  for (const int simulations : options.simulations) {
    search.simulations = simulations;
    search.validate();
  }
  if (options.csv.empty()) return;
  require_other_file("--csv", options.csv, options.table);
  require_other_file("--csv", options.csv, options.checkpoint);
  nn::require_replaceable(options.csv);
}

void require_same_endgame(const env::EndgameTable& table, const GradeOptions& options) {
  if (env::same_endgame(table.rules(), options.setup.rules)) return;
  throw InputError(ErrorKind::kMismatch, "endgame table '" + options.table +
                                             "': expected a table for the rules " +
                                             env::describe(options.setup.rules) +
                                             ", found one for " + env::describe(table.rules()));
}

// Of the rule sets that the agent knows the one that the table is for, else its usual one.
env::RuleSet rules_of(const Agent& agent, const env::RuleSet& table) {
  for (const auto& rules : agent.rules) {
    if (rules.same_game(table)) return rules;
  }
  for (const auto& rules : agent.rules) {
    if (env::same_endgame(rules, table)) return rules;
  }
  return agent.rules.front();
}

Graded load(GradeOptions& options, bool rules_chosen, const env::RuleSet& table_rules) {
  Graded graded;
  if (!options.checkpoint.empty()) {
    graded.agent = load_agent(options.checkpoint);
    if (!rules_chosen) options.setup.rules = rules_of(*graded.agent, table_rules);
    require_rules(*graded.agent, options.setup.rules);
    graded.network = make_network_source(*graded.agent, options.setup.evaluator);
  } else if (!rules_chosen) {
    options.setup.rules = table_rules;
  }
  options.setup.rules.validate();
  for (const auto& text : options.players)
    graded.players.push_back(make_player(parse_player(text), options.setup));
  return graded;
}

// Who plays the games whose positions are graded: the agent at its most simulations, or else the
// first player.
PlayerFactory game_player(const GradeOptions& options, const Graded& graded) {
  if (!graded.agent) return graded.players.front().make;
  PlayerSetup setup = options.setup;
  if (!options.simulations.empty()) {
    setup.search.simulations =
        *std::max_element(options.simulations.begin(), options.simulations.end());
  }
  return make_player(*graded.agent, setup).make;
}

std::vector<PositionSet> make_sets(const GradeOptions& options, const Graded& graded,
                                   const env::EndgameTable& table) {
  const auto& rules = options.setup.rules;
  std::vector<PositionSet> sets;
  if (options.positions > 0) {
    sets.push_back(fixed_positions(table, rules, options.positions, options.setup.seed));
  }
  if (options.games > 0) {
    Progress progress("grade", "games", static_cast<std::uint64_t>(options.games));
    const Asking asking{rules, options.threads,
                        [&progress](std::size_t games) { progress.advance(games); }};
    const auto games =
        own_games(asking, game_player(options, graded), options.games, options.setup.seed);
    sets.push_back(game_positions(table, rules, games));
  }
  return sets;
}

void ask_agent(const GradeOptions& options, const Graded& graded, const Asking& asking,
               GradedSet& set) {
  const auto& positions = set.set.positions;
  const auto make = [&graded] { return graded.network->make(); };
  set.network = ask_network(asking, make, positions);
  Answers network{"network", 0, {}};
  for (std::size_t i = 0; i < positions.size(); ++i)
    network.moves.push_back(prior_move(set.network[i], positions[i].truth.legal));
  set.answers.push_back(std::move(network));
  for (const int simulations : options.simulations) {
    mcts::SearchConfig search = options.setup.search;
    search.simulations = simulations;
    set.answers.push_back({"search:" + std::to_string(simulations), simulations,
                           ask_search(asking, search, make, positions)});
  }
}

GradedSet grade_set(const GradeOptions& options, const Graded& graded, PositionSet positions) {
  GradedSet set{std::move(positions), {}, {}};
  const std::size_t askers =
      (graded.agent ? 1 + options.simulations.size() : 0) + graded.players.size();
  Progress progress("grade", "moves", askers * set.set.positions.size());
  const Asking asking{options.setup.rules, options.threads,
                      [&progress](std::size_t moves) { progress.advance(moves); }};
  if (graded.agent) ask_agent(options, graded, asking, set);
  for (const auto& player : graded.players) {
    set.answers.push_back({player.name, 0, ask_player(asking, player.make, set.set.positions)});
  }
  return set;
}

void run_grade(GradeOptions options, bool rules_chosen) {
  check_options(options);
  const env::EndgameTable table = env::EndgameTable::open(options.table);
  const Graded graded = load(options, rules_chosen, table.rules());
  require_same_endgame(table, options);
  TruthReport report;
  if (graded.agent) {
    report.agent = graded.agent->path.string();
    report.agent += ", " + graded.network->name();
  }
  report.table = options.table;
  report.table_seeds = table.seeds();
  for (auto& set : make_sets(options, graded, table))
    report.sets.push_back(grade_set(options, graded, std::move(set)));
  if (!options.csv.empty()) nn::write_file_atomically(options.csv, to_csv(report));
  print_report(report, options.setup.rules, options.setup.seed, options.json);
}

}  // namespace

void add_grade(CLI::App& app) {
  auto options = std::make_shared<GradeOptions>();
  // More threads only make it faster: the result is the same.
  options->threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  CLI::App* grade = app.add_subcommand(
      "grade", "Grade an agent against perfect play, known from an endgame table.");
  grade
      ->add_option(
          "--checkpoint", options->checkpoint,
          "the agent: a checkpoint, a weights file, a run directory (its newest one) or pretrained")
      ->check(check_not_empty)
      ->type_name("PATH");
  grade
      ->add_option("--player", options->players,
                   std::string("another player at the same positions, its moves alone, several "
                               "times if wanted: ") +
                       kPlayerForms)
      ->check(check_not_empty)
      ->type_name("PLAYER");
  add_table(*grade, options->table);
  add_field(*grade, "--positions", options->positions,
            "positions of the fixed set, about; 0: none");
  add_field(*grade, "--games", options->games,
            "games against itself whose positions are graded, too; 0: none");
  grade
      ->add_option("--simulations", options->simulations,
                   "simulations a move at which the agent is graded, beside its network alone")
      ->delimiter(',')
      ->default_str("1,16,64,256")
      ->type_name("S,S,...");
  grade
      ->add_option("--csv", options->csv,
                   "write every graded move, a line each; replaced if it exists")
      ->check(check_not_empty)
      ->type_name("FILE");
  add_seed(*grade, options->setup.seed);
  add_threads(*grade, options->threads);
  add_evaluator(*grade, options->setup.evaluator);
  add_json(*grade, options->json);
  add_player_search(*grade, options->setup.search);
  add_rules(*grade, options->setup.rules);
  grade->footer(
      "Two sets of positions. The fixed set has as many won, drawn and lost ones with each number\n"
      "of seeds left, boards as they occur after a move, stores such that something hangs on the\n"
      "next one; it depends on rules, table, --positions and --seed alone, so that grades can be\n"
      "compared. The other one has what the agent meets in its own games, from different\n"
      "openings, at the most of its --simulations (without a --checkpoint: the first player's).\n"
      "\n"
      "What is counted, by seeds left, with 95 % intervals:\n"
      "  lost       moves that turn a certain win into a draw or loss or a draw into a loss, "
      "stores\n"
      "             and target included, where one move at least does so\n"
      "  seeds      that a move gives away, of those on the board; where the table has bounds\n"
      "             instead of a value (rules that score a repetition by the rows), what is "
      "certain\n"
      "  best       moves that give nothing away for certain, where one move at least does\n"
      "  network    how its win, draw and loss probabilities and its margin fit the truth\n"
      "Only what the table proves counts against a move. The rest is counted as unknown.\n"
      "training/README.md defines each number and the columns of --csv.\n"
      "\n"
      "Rules are the checkpoint's, else the table's, unless given.\n"
      "\n"
      "Examples:\n"
      "  awale endgame build --rules abapa --seeds 15 --out abapa-15.eg\n"
      "  awale grade --checkpoint runs/quickstart --table abapa-15.eg\n"
      "  awale grade --checkpoint runs/quickstart --player minimax:8 --table abapa-15.eg --json\n"
      "  awale grade --player minimax:4 --player random --table abapa-15.eg --csv moves.csv\n"
      "  awale grade --player runs/a:64@table=abapa-15.eg --player runs/a:64 --table abapa-15.eg");
  grade->callback([options, grade] { run_grade(*options, rules_given(*grade)); });
}

}  // namespace awale::training
