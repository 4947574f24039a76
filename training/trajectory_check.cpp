#include "training/trajectory_check.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include "env/endgame/final_bounds.hpp"
#include "env/notation.hpp"

namespace awale::training {
namespace {

using Problem = std::optional<std::string>;

constexpr std::uint8_t kKnownFlags =
    kUnsearchedPly | kSampledMove | kFastSearch | kTableValue | kSolvedPly;
constexpr float kRoundingSlack = 1e-3F;  // values are sums and means of float32

template <typename Value>
Problem compare(const char* what, const Value& expected, const Value& found) {
  if (expected == found) return std::nullopt;
  std::ostringstream text;
  text << what << ": expected " << +expected << ", found " << +found;
  return text.str();
}

Problem compare_boards(const env::Board& expected, const env::Board& found) {
  if (expected == found) return std::nullopt;
  return "board: expected " + env::to_text(expected) + ", found " + env::to_text(found);
}

Problem check_position(const env::Position& expected, const env::Position& found) {
  if (auto problem = compare_boards(expected.board, found.board)) return problem;
  if (auto problem = compare("ply", expected.ply, found.ply)) return problem;
  if (auto problem = compare("quiet_plies", expected.quiet_plies, found.quiet_plies)) {
    return problem;
  }
  return compare("repetitions", expected.repetitions, found.repetitions);
}

Problem check_move(const PlyRecord& ply) {
  if (ply.move < env::kMoves && (ply.legal >> ply.move & 1) != 0) return std::nullopt;
  return "move: expected one of " + env::moves_text(ply.position.board.to_move, ply.legal) +
         ", found pit " + std::to_string(ply.move);
}

Problem check_visits(const PlyRecord& ply) {
  if ((ply.flags & ~kKnownFlags) != 0) return "flags: unknown bits " + std::to_string(ply.flags);
  std::uint64_t total = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    total += ply.visits[move];
    if (ply.visits[move] > 0 && (ply.legal >> move & 1) == 0) {
      return "visits: pit " + std::to_string(move) + " has some and is not legal";
    }
  }
  const bool searched = (ply.flags & kUnsearchedPly) == 0;
  if (searched == (total > 0)) return std::nullopt;
  return searched ? "visits: all 0 after a search" : "visits: not 0 without a search";
}

// A target where there has been a full search, of legal moves only.
Problem check_policy(const PlyRecord& ply) {
  std::uint32_t total = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    total += ply.policy[move];
    if (ply.policy[move] > 0 && (ply.legal >> move & 1) == 0) {
      return "policy: pit " + std::to_string(move) + " has some and is not legal";
    }
  }
  const bool expected = (ply.flags & (kUnsearchedPly | kFastSearch)) == 0;
  if (expected == (total > 0)) return std::nullopt;
  return expected ? "policy: all 0 after a full search" : "policy: not 0 without a full search";
}

// Of all legal moves and of no others, or not known.
Problem check_prior(const PlyRecord& ply) {
  env::LegalMask with_prior = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (ply.prior[move] > 0) with_prior |= static_cast<env::LegalMask>(1 << move);
  }
  if (with_prior == 0) return std::nullopt;
  if ((ply.flags & kUnsearchedPly) != 0) return "prior: not 0 without a search";
  if (with_prior == ply.legal) return std::nullopt;
  const env::Side side = ply.position.board.to_move;
  return "prior: expected some of each of " + env::moves_text(side, ply.legal) +
         ", found some of " + env::moves_text(side, with_prior);
}

Problem check_move_values(const PlyRecord& ply) {
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (ply.move_values[move] == 0 || ply.visits[move] > 0) continue;
    return "move_values: pit " + std::to_string(move) + " has one and no visits";
  }
  return std::nullopt;
}

Problem check_values(const PlyRecord& ply) {
  for (const float value : {ply.root_value, ply.network_value}) {
    if (!(std::abs(value) <= 1 + kRoundingSlack)) {
      return "root_value or network_value: expected -1..1, found " + std::to_string(value);
    }
  }
  if (std::isfinite(ply.root_margin_seeds) && std::isfinite(ply.network_margin_seeds)) {
    return std::nullopt;
  }
  return "root_margin or network_margin: expected a finite number";
}

Problem check_ply(const env::Game& game, const PlyRecord& ply) {
  if (game.over()) {
    return std::string("the game is over before it (") + to_string(game.outcome().reason) + ")";
  }
  if (auto problem = check_position(game.position(), ply.position)) return problem;
  if (auto problem = compare("legal", game.legal(), ply.legal)) return problem;
  if (auto problem = check_move(ply)) return problem;
  if (auto problem = check_visits(ply)) return problem;
  if (auto problem = check_policy(ply)) return problem;
  if (auto problem = check_prior(ply)) return problem;
  if (auto problem = check_move_values(ply)) return problem;
  return check_values(ply);
}

// Without the table: whether one can have been sure there, and whether the seeds that are left can
// bring the margin.
Problem check_adjudication(const env::Game& game, int margin_south_seeds) {
  if (game.over()) {
    return std::string("reason: expected ") + to_string(game.outcome().reason) +
           ", found adjudicated";
  }
  if (!env::holds_from_here(game.rules(), game.position())) {
    return "reason: adjudicated where no table is sure (after quiet plies, or near the ply limit)";
  }
  const env::Board& board = game.board();
  const int rest = env::row_to_move_seeds(board) + env::row_opponent_seeds(board);
  const int margin = board.store_to_move - board.store_opponent;
  const int south = board.to_move == env::Side::kSouth ? margin : -margin;
  if (std::abs(margin_south_seeds - south) <= rest) return std::nullopt;
  return "margin_south: expected " + std::to_string(south - rest) + ".." +
         std::to_string(south + rest) + ", found " + std::to_string(margin_south_seeds);
}

Problem check_outcome(const env::Game& game, const env::Outcome& found) {
  const env::Outcome expected = game.over() ? game.outcome() : env::Outcome{};
  if (expected.reason != found.reason) {
    return std::string("reason: expected ") + to_string(expected.reason) + ", found " +
           to_string(found.reason);
  }
  return compare("margin_south", expected.margin_south_seeds, found.margin_south_seeds);
}

}  // namespace

std::optional<std::string> find_inconsistency(const env::RuleSet& rules, const GameRecord& record) {
  if (env::total_seeds(record.start) > env::kSeeds) return "start_board: more than 48 seeds";
  env::Game game(rules, record.start);
  for (const auto& ply : record.plies) {
    if (auto problem = check_ply(game, ply)) {
      return "ply " + std::to_string(game.position().ply) + ": " + *problem;
    }
    game.play(ply.move);
  }
  return record.adjudicated ? check_adjudication(game, record.outcome.margin_south_seeds)
                            : check_outcome(game, record.outcome);
}

}  // namespace awale::training
