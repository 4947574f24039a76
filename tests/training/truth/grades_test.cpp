// Counts of players who play by the table, against it, and of networks that know all or nothing.
#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"
#include "tests/training/truth/tables.hpp"
#include "training/truth/head_grade.hpp"
#include "training/truth/move_grade.hpp"

namespace awale::test {
namespace {

using training::BoardTruth;
using training::fixed_positions;
using training::grade_head;
using training::grade_moves;
using training::PositionSet;
using training::ResultChange;
using training::TruthPosition;

// The legal move with the lowest cost(truth, move), the first of equal ones.
template <typename Cost>
std::vector<env::Move> cheapest(const PositionSet& set, const Cost& cost) {
  std::vector<env::Move> moves;
  for (const auto& position : set.positions) {
    env::Move best = env::kNoMove;
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((position.truth.legal >> move & 1) == 0) continue;
      if (best == env::kNoMove || cost(position.truth, move) < cost(position.truth, best)) {
        best = move;
      }
    }
    moves.push_back(best);
  }
  return moves;
}

int lost_then_seeds(const BoardTruth& truth, env::Move move) {
  const bool lost = training::result_change(truth, move) == ResultChange::kLost;
  return (lost ? 100 : 0) + training::seeds_given_away(truth, move);
}

PositionSet sample_set(const std::string& name) {
  return fixed_positions(small_table(name), env::preset(name), 600, 1);
}

TEST_CASE("who plays by the table loses no result and gives no seeds away") {
  for (const auto* name : {"abapa", "awari", "auale", "valencian"}) {
    CAPTURE(name);
    const auto set = sample_set(name);
    const auto careful = grade_moves(set.positions, cheapest(set, lost_then_seeds));
    CHECK(careful.lost.n > 200);
    CHECK(careful.lost.value == 0);
    const auto greedy = grade_moves(set.positions, cheapest(set, training::seeds_given_away));
    CHECK(greedy.seeds.value == 0);
    CHECK(greedy.best.value == 1);
  }
}

// What awari's table says without all that is graded: the value of boards alone.
int value(const env::Board& board) {
  return small_table("awari").probe(board)->low;
}

TEST_CASE("who plays against the table loses what a count by hand says") {
  const auto rules = env::preset("awari");
  const auto set = sample_set("awari");
  const auto worst = cheapest(
      set, [](const BoardTruth& truth, env::Move move) { return -lost_then_seeds(truth, move); });
  int stake = 0;
  int lost = 0;
  double seeds = 0;
  int choices = 0;
  for (std::size_t i = 0; i < worst.size(); ++i) {
    const env::Board& before = set.positions[i].board;
    env::Board after = before;
    const int captured = env::play(rules, after, worst[i]);
    if (after.store_opponent >= rules.target_seeds) continue;  // nobody gives a won game away
    const int stores = before.store_to_move - before.store_opponent;
    const int kept = captured - value(after);
    if (stores + value(before) >= 0) {
      ++stake;
      const auto sign = [](int number) { return (number > 0) - (number < 0); };
      lost += sign(stores + kept) < sign(stores + value(before)) ? 1 : 0;
    }
    ++choices;
    seeds += value(before) - kept;
  }
  const auto grade = grade_moves(set.positions, worst);
  CHECK(grade.lost.n == stake);
  CHECK(lost == stake);
  CHECK(grade.lost.value == 1);
  CHECK(grade.best.value < 0.05);
  CHECK(grade.seeds.n == choices);
  CHECK(grade.seeds.value == Approx(seeds / choices));
  CHECK(grade.exact.value == 1);
  CHECK(grade.win_to_draw + grade.win_to_loss + grade.draw_to_loss == stake);
}

// What a network says that knows the result, and the margin off by `bias`.
std::vector<nn::Evaluation> knowing(const PositionSet& set, float bias) {
  std::vector<nn::Evaluation> evaluations;
  for (const auto& position : set.positions) {
    nn::Evaluation evaluation;
    const auto result = training::known_result(position.truth.at_end);
    evaluation.win_draw_loss.at(static_cast<std::size_t>(1 - result.value_or(0))) = 1;
    evaluation.margin_seeds = static_cast<float>(position.truth.at_end.low) + bias;
    evaluations.push_back(evaluation);
  }
  return evaluations;
}

TEST_CASE("a network that knows the truth has no error") {
  const auto set = sample_set("awari");
  const auto grade = grade_head(set.positions, knowing(set, 0));
  CHECK(grade.brier.n == static_cast<int>(set.positions.size()));
  CHECK(grade.brier.value == 0);
  CHECK(grade.log_score.value == 0);
  CHECK(grade.calibration_error == 0);
  CHECK(grade.margin_error.n > 100);
  CHECK(grade.margin_error.value == 0);
  const auto biased = grade_head(set.positions, knowing(set, -1.5));
  CHECK(biased.margin_error.value == Approx(1.5));
  CHECK(biased.margin_bias.value == Approx(-1.5));
}

TEST_CASE("a network that is sure and wrong has the largest error") {
  const auto set = sample_set("awari");
  auto evaluations = knowing(set, 0);
  for (auto& evaluation : evaluations) {
    auto& [win, draw, loss] = evaluation.win_draw_loss;
    evaluation.win_draw_loss = {loss, win, draw};
  }
  const auto grade = grade_head(set.positions, evaluations);
  CHECK(grade.brier.value == Approx(2));
  CHECK(grade.log_score.value == Approx(-std::log(1e-9)));
  CHECK(grade.calibration_error == Approx(2 / 3.0).margin(1e-6));
}

// A position with a known result, -1, 0 or 1.
TruthPosition with_result(int result, std::uint32_t cluster) {
  TruthPosition position;
  position.cluster = cluster;
  position.truth.at_end = {2 * result, 2 * result};
  return position;
}

TEST_CASE("scores of a worked example") {
  // Three positions, all said to be 0.75, 0.25, 0: one is a win, one a draw, one a loss.
  const std::vector<TruthPosition> positions = {with_result(1, 0), with_result(0, 1),
                                                with_result(-1, 2)};
  nn::Evaluation evaluation;
  evaluation.win_draw_loss = {0.75F, 0.25F, 0};
  const std::vector<nn::Evaluation> evaluations(3, evaluation);
  const auto grade = grade_head(positions, evaluations);
  const double win = 0.0625 + 0.0625;
  const double draw = 0.5625 + 0.5625;
  const double loss = 0.5625 + 0.0625 + 1;
  CHECK(grade.brier.value == Approx((win + draw + loss) / 3));
  CHECK(grade.log_score.value == Approx((-std::log(0.75) - std::log(0.25) - std::log(1e-9)) / 3));
  // |0.75 - 1/3|, |0.25 - 1/3|, |0 - 1/3|, each in one bin.
  CHECK(grade.calibration_error == Approx((5 / 12.0 + 1 / 12.0 + 4 / 12.0) / 3));
  CHECK(grade.bins[0][7].n == 3);
  CHECK(grade.bins[0][7].predicted == Approx(0.75));
  CHECK(grade.bins[1][2].happened == Approx(1 / 3.0));
  CHECK(grade.bins[2][0].n == 3);
}

TEST_CASE("a position whose result is not known counts for nothing") {
  TruthPosition open;
  open.truth.at_end = {-2, 2};
  const std::vector<TruthPosition> positions = {open};
  const auto grade = grade_head(positions, std::vector<nn::Evaluation>(1));
  CHECK(grade.brier.n == 0);
  CHECK(std::isnan(grade.calibration_error));
  CHECK(grade.margin_error.n == 0);
}

}  // namespace
}  // namespace awale::test
