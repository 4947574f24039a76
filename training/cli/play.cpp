#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "mcts/game_search.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/pretrained.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/terminal_game.hpp"
#include "training/cli/training_options.hpp"
#include "training/format_text.hpp"
#include "training/game_text/board_view.hpp"
#include "training/players.hpp"

namespace awale::training {
namespace {

constexpr const char* kHuman = "human";
constexpr const char* kAgent = "mcts";  // short for the agent of --checkpoint

struct PlayOptions {
  std::string checkpoint = nn::kPretrained;
  std::string south = kHuman;
  std::string north = kAgent;
  std::string table;  // "" for none
  PlayerSetup setup;
  int threads = 1;  // that search a position
};

// Nothing for a person.
std::optional<PlayerSpec> parse_seat(const std::string& text, const std::string& checkpoint) {
  if (text == kHuman) return std::nullopt;
  if (text != kAgent) return parse_player(text);
  return PlayerSpec{PlayerKind::kAgent, 0, checkpoint};
}

std::unique_ptr<mcts::Player> make_seat(const std::optional<PlayerSpec>& spec,
                                        const PlayerSetup& setup) {
  return spec ? make_player(*spec, setup).make() : nullptr;
}

// The search that is asked for hints; made when the first one is.
class Adviser {
 public:
  explicit Adviser(const PlayOptions& options) : options_(options) {}

  // Why there is no hint, where the network cannot give one: the game goes on.
  std::string operator()(const env::Game& game) {
    try {
      if (search_ == nullptr) search_ = make_search(game.rules());
    } catch (const InputError& error) {
      return std::string("no hint: ") + error.what();
    }
    const auto result = search_->run({game.position(), game.history()});
    const env::Board& board = game.board();
    return format_text("%c: %s; value %+.2f, expected margin %+.1f seeds, line %s",
                       env::move_letter(board.to_move, result.best),
                       describe_move(game.rules(), board, result.best).c_str(),
                       static_cast<double>(result.root_value),
                       static_cast<double>(result.root_margin_seeds),
                       env::line_text(game, search_->principal_variation(kLinePlies)).c_str());
  }

 private:
  static constexpr int kSimulations = 800;
  static constexpr int kLinePlies = 8;

  std::shared_ptr<mcts::GameSearch> make_search(const env::RuleSet& rules) const {
    const Agent agent = load_agent(options_.checkpoint);
    require_rules(agent, rules);
    const auto network = make_network_source(agent, options_.setup.evaluator);
    mcts::SearchConfig search = options_.setup.search;
    search.simulations = std::max(search.simulations, kSimulations);
    return std::make_shared<mcts::GameSearch>(
        rules, search, 1, options_.threads,
        [network](int threads) { return network->make(threads); });
  }

  PlayOptions options_;
  std::shared_ptr<mcts::GameSearch> search_;
};

void run_play(PlayOptions options, bool rules_chosen) {
  options.setup.threads_a_game = options.threads;
  const auto south = parse_seat(options.south, options.checkpoint);
  const auto north = parse_seat(options.north, options.checkpoint);
  if (!rules_chosen) {
    std::vector<PlayerSpec> players;
    for (const auto& seat : {south, north}) {
      if (seat) players.push_back(*seat);
    }
    options.setup.rules = agent_rules(players).value_or(options.setup.rules);
  }
  if (!options.table.empty()) {
    options.setup.search.endgame = std::make_shared<const env::EndgameTable>(
        env::EndgameTable::open(options.table, options.setup.rules));
  }
  const auto south_player = make_seat(south, options.setup);
  const auto north_player = make_seat(north, options.setup);
  const bool watched = south_player && north_player;
  const Terminal terminal{south_player.get(), north_player.get(), Adviser(options),
                          !watched && isatty(STDOUT_FILENO) != 0};
  std::cout << "Rules: " << env::describe(options.setup.rules) << '\n';
  TerminalGame(options.setup.rules, env::initial_board(), terminal, std::cin, std::cout).run();
}

}  // namespace

void add_play(CLI::App& app) {
  auto options = std::make_shared<PlayOptions>();
  CLI::App* play = app.add_subcommand("play", "Play a game in the terminal, or watch one.");
  const std::string forms = std::string("human, mcts (of --checkpoint), ") + kPlayerForms;
  add_field(
      *play, "--checkpoint", options->checkpoint,
      "the agent called mcts, which is also asked for hints: a checkpoint, a weights file, a run "
      "directory or pretrained, the network that comes with the program")
      ->check(check_not_empty)
      ->type_name("PATH");
  add_field(*play, "--south", options->south, "who plays South and begins: " + forms)
      ->type_name("PLAYER");
  add_field(*play, "--north", options->north, "who plays North, likewise")->type_name("PLAYER");
  add_optional_table(*play, options->table,
                     ": players that search look up positions with few seeds there");
  add_seed(*play, options->setup.seed);
  add_threads(*play, options->threads);
  add_evaluator(*play, options->setup.evaluator);
  add_simulations(*play, options->setup.search);
  add_player_search(*play, options->setup.search);
  add_rules(*play, options->setup.rules);
  play->footer(
      "A move is the letter of the pit to sow; hint, undo, help and quit do what they say.\n"
      "Rules are the checkpoint's, where one plays, unless given.\n"
      "\n"
      "Examples:\n"
      "  awale play\n"
      "  awale play --checkpoint runs/quickstart\n"
      "  awale play --checkpoint runs/quickstart --south mcts --north human --simulations 400\n"
      "  awale play --south minimax:20ms --north uniform-mcts:400");
  play->callback([options, play] { run_play(*options, rules_given(*play)); });
}

}  // namespace awale::training
