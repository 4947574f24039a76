#include "training/truth/move_grade.hpp"

#include <nlohmann/json.hpp>

#include "env/error.hpp"

namespace awale::training {
namespace {

void count_loss(const BoardTruth& truth, env::Move move, MoveGrade& grade) {
  const auto after = known_result(truth.moves.at(move).at_end);
  if (known_result(truth.at_end) == 0) {
    ++grade.draw_to_loss;
  } else if (after == 0) {
    ++grade.win_to_draw;
  } else if (after == -1) {
    ++grade.win_to_loss;
  }
}

}  // namespace

MoveGrade grade_moves(std::span<const TruthPosition> positions, std::span<const env::Move> moves) {
  MoveGrade grade;
  grade.positions = static_cast<int>(positions.size());
  std::vector<Sample> lost, unknown, best, seeds, exact;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto& [board, pit_seeds, cluster, truth] = positions[i];
    const env::Move move = moves[i];
    AWALE_CHECK(move < env::kMoves && (truth.legal >> move & 1) != 0,
                "graded move " << int{move} << " in " << board);
    if (result_at_stake(truth)) {
      const ResultChange change = result_change(truth, move);
      lost.push_back({change == ResultChange::kLost ? 1.0 : 0.0, cluster});
      unknown.push_back({change == ResultChange::kUnknown ? 1.0 : 0.0, cluster});
      if (change == ResultChange::kLost) count_loss(truth, move, grade);
    }
    if (has_choice(truth)) {
      const int given = seeds_given_away(truth, move);
      best.push_back({given == 0 ? 1.0 : 0.0, cluster});
      seeds.push_back({static_cast<double>(given), cluster});
      exact.push_back({exact_loss(truth, move) ? 1.0 : 0.0, cluster});
    }
  }
  grade.lost = estimate_share(lost);
  grade.unknown = estimate_share(unknown);
  grade.best = estimate_share(best);
  grade.seeds = estimate_mean(seeds);
  grade.exact = estimate_share(exact);
  return grade;
}

nlohmann::ordered_json to_json(const MoveGrade& grade) {
  return {{"positions", grade.positions},      {"lost", to_json(grade.lost)},
          {"unknown", to_json(grade.unknown)}, {"win_to_draw", grade.win_to_draw},
          {"win_to_loss", grade.win_to_loss},  {"draw_to_loss", grade.draw_to_loss},
          {"best", to_json(grade.best)},       {"seeds_given_away", to_json(grade.seeds)},
          {"exact", to_json(grade.exact)}};
}

}  // namespace awale::training
