// A grade for people, for programs and move by move.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "env/board.hpp"
#include "nn/evaluator.hpp"
#include "training/truth/head_grade.hpp"
#include "training/truth/move_grade.hpp"
#include "training/truth/positions.hpp"

namespace awale::training {

// One player's moves at all positions of a set.
struct Answers {
  std::string player;   // "network", "search:64", "minimax:8"
  int simulations = 0;  // 0: no search of the agent's
  std::vector<env::Move> moves;
};

struct GradedSet {
  PositionSet set;
  std::vector<nn::Evaluation> network;  // one a position, or none at all without a network
  std::vector<Answers> answers;
};

struct TruthReport {
  std::string agent;    // its file and evaluator, "" without one
  std::string table;    // its file
  int table_seeds = 0;  // K
  std::vector<GradedSet> sets;
};

// The positions with `from`..`to` seeds in the pits.
struct Slice {
  int from = 0;
  int to = 0;
  int positions = 0;
  int result_known = 0;           // positions
  std::vector<MoveGrade> moves;   // a player each
  std::optional<HeadGrade> head;  // with a network
};
Slice grade_slice(const GradedSet& graded, int from, int to);

// Keys: agent, table, table_seeds, fixed_set_version, sets; a set has source, positions,
// result_known, players (player, simulations, all, by_seeds) and, with a network, head (all,
// by_seeds); by_seeds lists {seeds, ...} with the keys of MoveGrade or HeadGrade.
nlohmann::ordered_json to_json(const TruthReport& report);

// Tables, the last line ended.
std::string to_text(const TruthReport& report);

// A line a graded move under one of names; columns in training/README.md.
std::string to_csv(const TruthReport& report);

}  // namespace awale::training
