#include "mcts/baseline/minimax.hpp"

#include <string>

#include "env/error.hpp"
#include "mcts/baseline/alpha_beta.hpp"

namespace awale::mcts {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, int found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage, "minimax." + field + ": expected " + expected + ", found " +
                                          std::to_string(found));
}

// Scores of odd and of even depths differ, so that a fixed depth is reached in steps of two.
template <typename Evaluation>
MinimaxResult deepen(const env::Game& game, const MinimaxConfig& config,
                     TranspositionTable& table) {
  const bool budget = config.time_ms > 0 || config.nodes > 0;
  const int step = budget ? 1 : 2;
  AlphaBeta<Evaluation> search(game, config, table);
  MinimaxResult result;
  for (int depth = budget ? 1 : 2 - config.depth % 2; depth <= config.depth; depth += step) {
    if (!search.iterate(depth, result)) break;
  }
  result.nodes = search.nodes();
  return result;
}

}  // namespace

void MinimaxConfig::validate() const {
  require(depth >= 1 && depth <= 99, "depth", "1..99", depth);
  require(time_ms >= 0, "time_ms", "0 (none) or a number of milliseconds", time_ms);
  require(nodes >= 0, "nodes", "0 (none) or a number of nodes", nodes);
  require(table_log2_entries >= 0 && table_log2_entries <= 30, "table_log2_entries", "0..30",
          table_log2_entries);
}

void set_minimax_field(MinimaxConfig& config, const std::string& key, const std::string& value) {
  if (key == "evaluation") {
    config.evaluation = parse_minimax_evaluation(value);
  } else if (key == "table" && !value.empty()) {
    config.table = value;
  } else {
    throw InputError(ErrorKind::kUsage,
                     "minimax setting: expected evaluation=NAME or table=FILE, found '" + key +
                         "=" + value + "'");
  }
}

Minimax::Minimax(const MinimaxConfig& config)
    : config_((config.validate(), config)), table_(config.table_log2_entries) {}

MinimaxResult Minimax::search(const env::Game& game) {
  AWALE_CHECK(!game.over(), "search of a game that is over at " << game.board());
  table_.begin_search();
  return config_.evaluation == MinimaxEvaluation::kSeeds
             ? deepen<SeedsEvaluation>(game, config_, table_)
             : deepen<TunedEvaluation>(game, config_, table_);
}

}  // namespace awale::mcts
