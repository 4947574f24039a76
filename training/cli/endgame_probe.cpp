#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/endgame/final_bounds.hpp"
#include "env/endgame/table.hpp"
#include "env/error.hpp"
#include "env/game.hpp"
#include "env/notation.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

struct ProbeOptions {
  std::string position;
  std::string table;
  env::RuleSet rules;
  bool json = false;
};

// What a table says, seen by one player, with or without a move of his first.
struct Probe {
  env::FutureMargin future;
  env::FinalMargin final;
};

struct MoveProbe {
  char letter = '?';
  int captured = 0;
  Probe probe;  // seen by who plays the move
};

Probe probe_board(const env::EndgameTable& table, const env::RuleSet& rules,
                  const env::Board& board) {
  return {*table.probe(board), *env::final_margin_bounds(table, rules, board)};
}

// Of the board behind a move that took `captured`, seen by who played it.
Probe probe_child(const env::EndgameTable& table, const env::RuleSet& rules, const env::Game& game,
                  int captured) {
  Probe probe;
  const auto future = *table.probe(game.board());
  probe.future = {captured - future.high, captured - future.low};
  if (game.over()) {
    const int margin = env::final_margin_to_move(rules, game.board(), game.outcome().reason);
    probe.final = {-margin, -margin};
  } else {
    const auto final = *env::final_margin_bounds(table, rules, game.board());
    probe.final = {-final.high, -final.low};
  }
  return probe;
}

std::vector<MoveProbe> probe_moves(const env::EndgameTable& table, const env::RuleSet& rules,
                                   const env::Board& board) {
  std::vector<MoveProbe> moves;
  const env::Game game(rules, board);
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    env::Game after = game;
    const int captured = after.play(move);
    moves.push_back({env::move_letter(board.to_move, move), captured,
                     probe_child(table, rules, after, captured)});
  }
  return moves;
}

std::string range_text(int low, int high) {
  if (low == high) return format_text("%+d", low);
  return format_text("%+d..%+d", low, high);
}

nlohmann::ordered_json to_json(const Probe& probe) {
  return {{"value_low", probe.future.low},
          {"value_high", probe.future.high},
          {"exact", probe.future.exact()},
          {"final_margin_low", probe.final.low},
          {"final_margin_high", probe.final.high},
          {"verdict", env::to_string(env::verdict(probe.final))}};
}

void print_json(const env::Board& board, const env::EndgameTable& table, const Probe& probe,
                const std::vector<MoveProbe>& moves) {
  nlohmann::ordered_json json = {{"position", env::to_text(board)},
                                 {"rules", table.rules().name},
                                 {"table_seeds", table.seeds()}};
  json.update(to_json(probe));
  json["moves"] = nlohmann::ordered_json::array();
  for (const MoveProbe& move : moves) {
    nlohmann::ordered_json entry = {{"move", std::string(1, move.letter)},
                                    {"captured", move.captured}};
    entry.update(to_json(move.probe));
    json["moves"].push_back(std::move(entry));
  }
  std::cout << json.dump() << '\n';
}

void print_text(const env::Board& board, const Probe& probe, const std::vector<MoveProbe>& moves) {
  const char* const mover = board.to_move == env::Side::kSouth ? "South" : "North";
  std::printf("%s, %s to move\n", env::to_text(board).c_str(), mover);
  std::printf("of the seeds on the board %s gains %s on his opponent%s\n", mover,
              range_text(probe.future.low, probe.future.high).c_str(),
              probe.future.exact() ? "" : " (what each can force; a circle decides the rest)");
  std::printf("final margin %s: %s\n", range_text(probe.final.low, probe.final.high).c_str(),
              env::to_string(env::verdict(probe.final)));
  if (!moves.empty())
    std::printf("%-5s %7s  %-9s  %-9s  result\n", "move", "takes", "gains", "final");
  for (const MoveProbe& move : moves) {
    const auto& [future, final] = move.probe;
    std::printf("%-5c %7d  %-9s  %-9s  %s\n", move.letter, move.captured,
                range_text(future.low, future.high).c_str(),
                range_text(final.low, final.high).c_str(), env::to_string(env::verdict(final)));
  }
}

void run_probe(const CLI::App& app, ProbeOptions options) {
  const env::EndgameTable table = rules_given(app)
                                      ? env::EndgameTable::open(options.table, options.rules)
                                      : env::EndgameTable::open(options.table);
  const env::RuleSet rules = rules_given(app) ? options.rules : table.rules();
  const env::Board board = env::parse_board(options.position, env::SeedCount::kStudy);
  if (!table.covers(board)) {
    throw InputError(
        ErrorKind::kPosition,
        "position '" + options.position + "': expected at most " + std::to_string(table.seeds()) +
            " seeds in the pits, as in the table, found " +
            std::to_string(env::row_to_move_seeds(board) + env::row_opponent_seeds(board)));
  }
  const Probe probe = probe_board(table, rules, board);
  const auto moves = probe_moves(table, rules, board);
  if (options.json) {
    print_json(board, table, probe, moves);
  } else {
    print_text(board, probe, moves);
  }
}

}  // namespace

void add_endgame_probe(CLI::App& endgame) {
  auto options = std::make_shared<ProbeOptions>();
  CLI::App* probe = endgame.add_subcommand(
      "probe", "The value of a position and of each of its moves, from a table.");
  probe->add_option("POSITION", options->position, "A..F, a..f, stores, side")->required();
  add_table(*probe, options->table);
  add_json(*probe, options->json);
  add_rules(*probe, options->rules);
  probe->footer(
      "Gains are future seeds of the player to move minus his opponent's; a range is what the two\n"
      "can force. The final margin adds the stores and what the rules make of a target: bounds\n"
      "under best play. All of it is as if the game had just captured: where a repetition ends a\n"
      "game, its past may matter. Rules are the table's, unless given: they may differ in target,\n"
      "sweep and limits.\n"
      "\n"
      "Examples:\n"
      "  awale endgame probe 1-0-0-2-0-1-0-1-0-0-2-0-20-21-S --table abapa-15.eg\n"
      "  awale endgame probe 0-0-1-1-0-0-1-0-0-0-0-0-0-0-S --table awari-15.eg --json");
  probe->callback([probe, options] { run_probe(*probe, *options); });
}

}  // namespace awale::training
