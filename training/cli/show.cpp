#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "env/error.hpp"
#include "env/final_score.hpp"
#include "env/notation.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::training {
namespace {

struct ShowOptions {
  std::string position = kStart;
  std::string moves;
  bool study = false;
  env::RuleSet rules;
  bool json = false;
};

env::Board parse_start(const ShowOptions& options) {
  if (options.position != kStart && options.position.find('-') == std::string::npos) {
    throw InputError(ErrorKind::kPosition,
                     "position '" + options.position +
                         "': expected 'start' or 15 numbers and letters joined by '-'; moves come "
                         "second, as in `awale show start FfBe`");
  }
  return named_board(options.position,
                     options.study ? env::SeedCount::kStudy : env::SeedCount::kGame);
}

bool is_legal(const env::Game& game, env::Move move) {
  return (game.legal() >> move & 1) != 0;
}

env::Game after(env::Game game, env::Move move) {
  game.play(move);
  return game;
}

bool counts_repetitions(const env::Game& game) {
  return game.rules().repetition_occurrence > 0;
}

nlohmann::ordered_json move_json(const env::Game& game, env::Move move) {
  const env::Board& board = game.board();
  const env::RuleSet& rules = game.rules();
  nlohmann::ordered_json json = {{"move", std::string(1, env::move_letter(board.to_move, move))},
                                 {"legal", is_legal(game, move)}};
  if (!is_legal(game, move)) {
    json["why"] = to_string(why_illegal(rules, board, move));
    return json;
  }
  const auto preview = env::preview(rules, board, move);
  const env::Game next = after(game, move);
  json["lands"] = std::string(1, pit_letter(board.to_move, preview.landing_pit));
  json["takes"] = preview.captured_seeds;
  json["void_grand_slam"] = preview.cancelled_grand_slam;
  json["next"] = env::to_text(next.board());
  json["ends"] = next.over() ? env::to_string(next.outcome().reason) : "none";
  return json;
}

void add_end(nlohmann::ordered_json& json, const env::Game& game) {
  const auto outcome = game.outcome();
  const auto score = env::final_score(game.rules(), game.board(), outcome.reason);
  json["reason"] = env::to_string(outcome.reason);
  json["explanation"] = describe_end(game);
  json["counting"] = describe_count(game);
  json["final_south_seeds"] = score.south_half_seeds / 2.0;
  json["final_north_seeds"] = score.north_half_seeds / 2.0;
  json["margin_south_seeds"] = outcome.margin_south_seeds;
}

nlohmann::ordered_json to_json(const env::Game& game) {
  const env::Position& position = game.position();
  const auto stores = env::final_score(game.rules(), game.board(), env::EndReason::kNone);
  nlohmann::ordered_json json = {{"position", env::to_text(game.board())},
                                 {"rules", env::describe(game.rules())},
                                 {"to_move", side_name(game.board().to_move)},
                                 {"store_south_seeds", stores.south_half_seeds / 2},
                                 {"store_north_seeds", stores.north_half_seeds / 2},
                                 {"ply", position.ply},
                                 {"quiet_plies", position.quiet_plies},
                                 {"repetitions", nullptr},
                                 {"over", game.over()}};
  if (counts_repetitions(game)) json["repetitions"] = position.repetitions;
  if (game.over()) {
    add_end(json, game);
    return json;
  }
  json["moves"] = nlohmann::ordered_json::array();
  for (env::Move move = 0; move < env::kMoves; ++move)
    json["moves"].push_back(move_json(game, move));
  return json;
}

std::string move_text(const env::Game& game, env::Move move) {
  const env::Board& board = game.board();
  if (!is_legal(game, move)) {
    return std::string("illegal: it ") + describe(why_illegal(game.rules(), board, move));
  }
  const std::string text = describe_move(game.rules(), board, move);
  const env::Game next = after(game, move);
  return next.over() ? text + "; ends the game: " + describe_outcome(next.outcome()) : text;
}

void print_moves(const env::Game& game) {
  const env::Side side = game.board().to_move;
  std::cout << '\n' << side_name(side) << " to move:\n";
  for (env::Move move = 0; move < env::kMoves; ++move) {
    std::cout << "  " << env::move_letter(side, move) << ": " << move_text(game, move) << '\n';
  }
}

void print_end(const env::Game& game) {
  std::cout << "\nThe game is over: " << describe_end(game) << ".\n"
            << "At the end " << describe_count(game) << ".\n"
            << "Result: " << describe_outcome(game.outcome()) << ".\n";
}

std::string repetitions_text(const env::Game& game) {
  if (!counts_repetitions(game)) return "not counted under these rules";
  return std::to_string(game.position().repetitions) + " since the last capture";
}

void print_state(const env::Game& game) {
  const env::Position& position = game.position();
  std::cout << "\nposition     " << env::to_text(game.board()) << '\n'
            << "rules        " << env::describe(game.rules()) << '\n'
            << "plies        " << position.ply << ", " << position.quiet_plies
            << " since the last capture\n"
            << "repetitions  " << repetitions_text(game) << '\n';
}

void run_show(const ShowOptions& options) {
  const env::Game game = env::replay(options.rules, parse_start(options), options.moves);
  if (options.json) {
    std::cout << to_json(game).dump(2) << '\n';
    return;
  }
  std::cout << draw(game.board());
  game.over() ? print_end(game) : print_moves(game);
  print_state(game);
}

}  // namespace

void add_show(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* show = app.add_subcommand(
      "show", "Draw a position: where each move lands, what it takes, what is illegal and why.");
  show->add_option("POSITION", options->position,
                   "A..F, a..f, South's and North's store, S or N; or start")
      ->check(check_not_empty)
      ->default_str(kStart);
  show->add_option("MOVES", options->moves, "letters played from there, as in FfBe");
  show->add_flag("--study", options->study,
                 "the position may hold fewer than 48 seeds; 12 pits alone will do");
  add_json(*show, options->json);
  add_rules(*show, options->rules);
  show->footer(
      "A game that is over is explained: why it ended and how the seeds left were counted. Plies "
      "and\n"
      "repetitions are counted from POSITION.\n"
      "\n"
      "Examples:\n"
      "  awale show\n"
      "  awale show start FfBeBc\n"
      "  awale show 0-0-0-0-1-1-1-0-0-0-0-0 --study --rules valencian\n"
      "  awale show 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S AaBbCcDdEeFf --json");
  show->callback([options] { run_show(*options); });
}

}  // namespace awale::training
