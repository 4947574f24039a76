#include "training/truth/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "env/notation.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

constexpr int kBandSeeds = 5;  // 2-5, 6-10, 11-15, ...

Slice whole(const GradedSet& graded) {
  return grade_slice(graded, 0, env::kSeeds);
}

std::vector<Slice> bands(const GradedSet& graded, int most_seeds) {
  std::vector<Slice> slices;
  for (int from = 1; from <= most_seeds; from += kBandSeeds)
    slices.push_back(grade_slice(graded, from, std::min(from + kBandSeeds - 1, most_seeds)));
  return slices;
}

// The numbers of seeds that occur, each with its positions.
std::vector<Slice> by_seeds(const GradedSet& graded, int most_seeds) {
  std::vector<Slice> slices;
  for (int seeds = 1; seeds <= most_seeds; ++seeds) {
    auto slice = grade_slice(graded, seeds, seeds);
    if (slice.positions > 0) slices.push_back(std::move(slice));
  }
  return slices;
}

nlohmann::ordered_json with_seeds(int seeds, const nlohmann::ordered_json& grade) {
  nlohmann::ordered_json json = {{"seeds", seeds}};
  json.update(grade);
  return json;
}

nlohmann::ordered_json set_json(const GradedSet& graded, int most_seeds) {
  const Slice all = whole(graded);
  const auto layers = by_seeds(graded, most_seeds);
  auto players = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < graded.answers.size(); ++i) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& layer : layers)
      list.push_back(with_seeds(layer.from, to_json(layer.moves[i])));
    players.push_back({{"player", graded.answers[i].player},
                       {"simulations", graded.answers[i].simulations},
                       {"all", to_json(all.moves[i])},
                       {"by_seeds", list}});
  }
  nlohmann::ordered_json json = {{"source", graded.set.source},
                                 {"positions", all.positions},
                                 {"result_known", all.result_known},
                                 {"players", players}};
  if (all.head) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& layer : layers)
      list.push_back(with_seeds(layer.from, to_json(*layer.head)));
    json["head"] = {{"all", to_json(*all.head)}, {"by_seeds", list}};
  }
  return json;
}

// What a table shows of a grade, times `scale`.
struct Measure {
  const char* title;
  Estimate MoveGrade::*estimate;
  double scale;
  int decimals;
};

constexpr Measure kLost = {"moves that lose the result, % of those where it is at stake",
                           &MoveGrade::lost, 100, 1};
constexpr Measure kUnknown = {"moves of which the table does not know whether they do, %",
                              &MoveGrade::unknown, 100, 1};
constexpr Measure kSeeds = {"seeds given away a move, at least", &MoveGrade::seeds, 1, 3};
constexpr Measure kBest = {"moves that give nothing away, % of those with a choice",
                           &MoveGrade::best, 100, 1};

std::string number(const Measure& measure, double value) {
  if (std::isnan(value)) return "-";
  return format_text("%.*f", measure.decimals, measure.scale * value);
}

std::string with_interval(const Measure& measure, const Estimate& estimate) {
  std::string text = number(measure, estimate.value);
  if (!std::isnan(estimate.low)) {
    text += " [" + number(measure, estimate.low);
    text += ", " + number(measure, estimate.high) + "]";
  }
  return text;
}

std::string heading(const GradedSet& graded, const std::vector<Slice>& slices,
                    const Measure& measure, int width) {
  std::string text = measure.title;
  text += format_text("\n  %-*s  %-22s", width, "seeds left", "all");
  for (const auto& slice : slices)
    text += format_text("  %6s", format_text("%d-%d", std::max(2, slice.from), slice.to).c_str());
  return text + (graded.answers.empty() ? "" : "       n\n");
}

std::string table(const GradedSet& graded, const Slice& all, const std::vector<Slice>& slices,
                  const Measure& measure) {
  std::size_t width = 10;
  for (const auto& answers : graded.answers)
    width = std::max(width, answers.player.size());
  std::string text = heading(graded, slices, measure, static_cast<int>(width));
  for (std::size_t i = 0; i < graded.answers.size(); ++i) {
    const Estimate& estimate = all.moves[i].*measure.estimate;
    text += format_text("  %-*s  %-22s", static_cast<int>(width), graded.answers[i].player.c_str(),
                        with_interval(measure, estimate).c_str());
    for (const auto& slice : slices)
      text +=
          format_text("  %6s", number(measure, (slice.moves[i].*measure.estimate).value).c_str());
    text += format_text("  %6d\n", estimate.n);
  }
  return text;
}

std::string head_text(const HeadGrade& head) {
  std::string text = "the network's own view";
  if (head.brier.n > 0) {
    text +=
        format_text(": Brier score %.3f, log score %.3f, calibration error %.3f (%d positions)",
                    head.brier.value, head.log_score.value, head.calibration_error, head.brier.n);
  }
  if (head.margin_error.n > 0) {
    text += format_text("\n  margin off by %.2f seeds, bias %+.2f (%d positions with an exact one)",
                        head.margin_error.value, head.margin_bias.value, head.margin_error.n);
  }
  return text + "\n";
}

std::string set_text(const GradedSet& graded, int most_seeds) {
  const Slice all = whole(graded);
  std::string text = format_text("\n%s: %d positions, the result of %d known\n",
                                 graded.set.source == "fixed" ? "fixed set" : "own games",
                                 all.positions, all.result_known);
  if (all.positions == 0) return text;
  const auto slices = bands(graded, most_seeds);
  for (const auto* measure : {&kLost, &kUnknown, &kSeeds, &kBest})
    text += table(graded, all, slices, *measure);
  return all.head ? text + head_text(*all.head) : text;
}

constexpr const char* kCsvHeader =
    "source,game,position,seeds,player,simulations,move,verdict_before,verdict_after,at_stake,"
    "result_change,margin_low_before,margin_high_before,margin_low_after,margin_high_after,"
    "future_low_before,future_high_before,future_low_after,future_high_after,best_moves,choice,"
    "seeds_given_away,exact,network_win,network_draw,network_loss,network_margin\n";

const char* to_string(ResultChange change) {
  switch (change) {
    case ResultChange::kKept:
      return "kept";
    case ResultChange::kLost:
      return "lost";
    case ResultChange::kUnknown:
      break;
  }
  return "unknown";
}

std::string letters(env::LegalMask moves) {
  std::string text;
  for (int move = 0; move < env::kMoves; ++move) {
    if ((moves >> move & 1) != 0) text += static_cast<char>('A' + move);
  }
  return text;
}

std::string bounds_csv(int low, int high) {
  return format_text(",%d,%d", low, high);
}

std::string network_csv(const GradedSet& graded, std::size_t index) {
  if (graded.network.empty()) return ",,,,";
  const auto& [logits, probabilities, margin] = graded.network[index];
  return format_text(",%.6g,%.6g,%.6g,%.6g", static_cast<double>(probabilities[0]),
                     static_cast<double>(probabilities[1]), static_cast<double>(probabilities[2]),
                     static_cast<double>(margin));
}

std::string csv_line(const GradedSet& graded, const Answers& answers, std::size_t index) {
  const auto& [board, seeds, cluster, truth] = graded.set.positions[index];
  const env::Move move = answers.moves[index];
  const MoveTruth& after = truth.moves.at(move);
  std::string line = graded.set.source;
  line += format_text(",%u,", cluster) + env::to_text(board);
  line += format_text(",%d,\"%s\",%d,%c,", seeds, answers.player.c_str(), answers.simulations,
                      'A' + move);
  line += std::string(env::to_string(env::verdict(truth.at_end))) + ",";
  line += env::to_string(env::verdict(after.at_end));
  line +=
      format_text(",%d,%s", result_at_stake(truth) ? 1 : 0, to_string(result_change(truth, move)));
  line += bounds_csv(truth.at_end.low, truth.at_end.high);
  line += bounds_csv(after.at_end.low, after.at_end.high);
  line += bounds_csv(truth.future.low, truth.future.high);
  line += bounds_csv(after.future.low, after.future.high);
  line += format_text(",%s,%d,%d,%d", letters(best_moves(truth)).c_str(), has_choice(truth) ? 1 : 0,
                      seeds_given_away(truth, move), exact_loss(truth, move) ? 1 : 0);
  return line + network_csv(graded, index) + "\n";
}

}  // namespace

Slice grade_slice(const GradedSet& graded, int from, int to) {
  Slice slice{from, to, 0, 0, {}, {}};
  std::vector<std::size_t> chosen;
  std::vector<TruthPosition> positions;
  for (std::size_t i = 0; i < graded.set.positions.size(); ++i) {
    const auto& position = graded.set.positions[i];
    if (position.seeds < from || position.seeds > to) continue;
    chosen.push_back(i);
    positions.push_back(position);
    slice.result_known += known_result(position.truth.at_end) ? 1 : 0;
  }
  slice.positions = static_cast<int>(positions.size());
  for (const auto& answers : graded.answers) {
    std::vector<env::Move> moves;
    for (const std::size_t i : chosen)
      moves.push_back(answers.moves[i]);
    slice.moves.push_back(grade_moves(positions, moves));
  }
  if (!graded.network.empty()) {
    std::vector<nn::Evaluation> evaluations;
    for (const std::size_t i : chosen)
      evaluations.push_back(graded.network[i]);
    slice.head = grade_head(positions, evaluations);
  }
  return slice;
}

nlohmann::ordered_json to_json(const TruthReport& report) {
  auto sets = nlohmann::ordered_json::array();
  for (const auto& graded : report.sets)
    sets.push_back(set_json(graded, report.table_seeds));
  return {{"agent", report.agent},
          {"table", report.table},
          {"table_seeds", report.table_seeds},
          {"fixed_set_version", kFixedSetVersion},
          {"sets", sets}};
}

std::string to_text(const TruthReport& report) {
  std::string text = report.agent.empty() ? "" : report.agent + "\n";
  text += "against the table " + report.table;
  text += format_text(" (up to %d seeds); 95 %% intervals\n", report.table_seeds);
  for (const auto& graded : report.sets)
    text += set_text(graded, report.table_seeds);
  return text;
}

std::string to_csv(const TruthReport& report) {
  std::string text = kCsvHeader;
  for (const auto& graded : report.sets) {
    for (const auto& answers : graded.answers) {
      for (std::size_t i = 0; i < graded.set.positions.size(); ++i)
        text += csv_line(graded, answers, i);
    }
  }
  return text;
}

}  // namespace awale::training
