#include "training/adjudication.hpp"

#include <string>

#include "env/endgame/final_bounds.hpp"
#include "env/error.hpp"
#include "env/random.hpp"

namespace awale::training {

std::shared_ptr<const env::EndgameTable> open_table(const AdjudicationConfig& config,
                                                    const env::RuleSet& rules) {
  if (config.table.empty()) return nullptr;
  if (rules.ply_limit > 0 && rules.ply_limit <= env::kPliesToEnd) {
    throw InputError(ErrorKind::kUsage,
                     "adjudication.table: expected rules without a ply limit or with one above " +
                         std::to_string(env::kPliesToEnd) + ", found rules.ply_limit " +
                         std::to_string(rules.ply_limit) + ": no end would ever be certain");
  }
  return std::make_shared<const env::EndgameTable>(env::EndgameTable::open(config.table, rules));
}

std::optional<int> certain_margin(const env::EndgameTable& table, const env::RuleSet& rules,
                                  const env::Position& position) {
  if (!env::holds_from_here(rules, position)) return std::nullopt;
  const auto margin = env::final_margin_bounds(table, rules, position.board);
  if (!margin || !margin->exact()) return std::nullopt;
  return margin->low;
}

bool plays_out(std::uint64_t seed, std::uint64_t game_id, double play_out_share) {
  env::RandomStream stream(seed, env::RandomPurpose::kPlayOut, game_id, 0);
  return stream.uniform() < play_out_share;
}

}  // namespace awale::training
