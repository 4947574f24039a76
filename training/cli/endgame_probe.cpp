#include <algorithm>
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

constexpr int kBeyond = 1000;  // more seeds than there are

struct MoveProbe {
  char letter = '?';
  int captured = 0;
  Probe probe;  // seen by who plays the move
};

// A position with its moves. The best of these may say more than the table does of the position.
struct PositionProbe {
  env::Game game;
  Probe probe;
  std::vector<MoveProbe> moves;
};

env::FinalMargin final_margin(const env::EndgameTable& table, const env::Game& game) {
  if (!game.over()) return *env::final_margin_bounds(table, game.rules(), game.board());
  const int margin = env::final_margin_to_move(game.rules(), game.board(), game.outcome().reason);
  return {margin, margin};
}

// Of the board behind a move that took `captured`, seen by who played it.
Probe probe_child(const env::EndgameTable& table, const env::Game& game, int captured) {
  const auto future = *table.probe(game.board());
  const auto final = final_margin(table, game);
  return {{captured - future.high, captured - future.low}, {-final.high, -final.low}};
}

PositionProbe probe_position(const env::EndgameTable& table, const env::RuleSet& rules,
                             const env::Board& board) {
  PositionProbe position{env::Game(rules, board), {*table.probe(board), {}}, {}};
  const env::Game& game = position.game;
  env::FinalMargin best = {-kBeyond, -kBeyond};
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    env::Game after = game;
    const int captured = after.play(move);
    const Probe probe = probe_child(table, after, captured);
    best = {std::max(best.low, probe.final.low), std::max(best.high, probe.final.high)};
    position.moves.push_back({env::move_letter(board.to_move, move), captured, probe});
  }
  position.probe.final = final_margin(table, game);
  if (!game.over()) {
    env::FinalMargin& final = position.probe.final;
    final = {std::max(final.low, best.low), std::min(final.high, best.high)};
  }
  return position;
}

nlohmann::ordered_json to_json(const Probe& probe) {
  return {{"value_low", probe.future.low},
          {"value_high", probe.future.high},
          {"exact", probe.future.exact()},
          {"final_margin_low", probe.final.low},
          {"final_margin_high", probe.final.high},
          {"verdict", env::to_string(env::verdict(probe.final))}};
}

void print_json(const env::EndgameTable& table, const PositionProbe& position) {
  const env::Game& game = position.game;
  nlohmann::ordered_json json = {{"position", env::to_text(game.board())},
                                 {"rules", game.rules().name},
                                 {"table_seeds", table.seeds()},
                                 {"over", game.over()}};
  json.update(to_json(position.probe));
  json["moves"] = nlohmann::ordered_json::array();
  for (const MoveProbe& move : position.moves) {
    nlohmann::ordered_json entry = {{"move", std::string(1, move.letter)},
                                    {"captured", move.captured}};
    entry.update(to_json(move.probe));
    json["moves"].push_back(std::move(entry));
  }
  std::cout << json.dump() << '\n';
}

void print_text(const PositionProbe& position) {
  const env::Board& board = position.game.board();
  const Probe& probe = position.probe;
  const char* const mover = board.to_move == env::Side::kSouth ? "South" : "North";
  std::printf("%s, %s to move\n", env::to_text(board).c_str(), mover);
  if (position.game.over()) {
    std::printf("the game is over (%s), final margin %+d: %s\n",
                env::to_string(position.game.outcome().reason), probe.final.low,
                env::to_string(env::verdict(probe.final)));
    return;
  }
  std::printf("of the seeds on the board %s gains %s on his opponent%s\n", mover,
              range_text(probe.future.low, probe.future.high).c_str(),
              probe.future.exact() ? "" : " (what each can force; a circle decides the rest)");
  std::printf("final margin %s: %s\n", range_text(probe.final.low, probe.final.high).c_str(),
              env::to_string(env::verdict(probe.final)));
  std::printf("%-5s %7s  %-9s  %-9s  result\n", "move", "takes", "gains", "final");
  for (const MoveProbe& move : position.moves) {
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
  const PositionProbe position = probe_position(table, rules, board);
  if (options.json) {
    print_json(table, position);
  } else {
    print_text(position);
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
