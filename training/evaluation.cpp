#include "training/evaluation.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "training/checkpoint.hpp"
#include "training/players.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

std::optional<MatchReport> play(const TrainingConfig& config, const NamedPlayer& agent,
                                const NamedPlayer& opponent, Progress& progress,
                                const std::function<bool()>& stop) {
  const MatchConfig config_of_match{config.evaluation.games, config.run.seed, config.run.threads};
  const Match match =
      play_match(config.rules, config_of_match, agent.make, opponent.make, progress, {}, stop);
  if (match.stopped()) return {};
  return make_report(match, agent.name, opponent.name);
}

std::string points_text(const Rating& rating) {
  char text[64];
  std::snprintf(text, sizeof(text), "%5.1f %% [%.1f, %.1f]", rating.points_percent,
                rating.points_percent_low, rating.points_percent_high);
  return text;
}

std::string row_text(const std::string& first, const std::string& before, const std::string& after,
                     const std::string& games) {
  char text[160];
  std::snprintf(text, sizeof(text), "%-14s  %-22s  %-22s  %s\n", first.c_str(), before.c_str(),
                after.c_str(), games.c_str());
  return text;
}

}  // namespace

std::optional<std::vector<Grade>> grade(const TrainingConfig& config,
                                        const std::filesystem::path& before,
                                        const std::filesystem::path& after,
                                        const std::function<bool()>& stop) {
  PlayerSetup setup{config.rules, mcts::playing(config.search), config.run.seed, config.evaluator};
  setup.search.simulations = config.evaluation.simulations;
  const auto untrained = make_player(load_agent(before), setup);
  const auto trained = make_player(load_agent(after), setup);
  std::vector<Grade> grades;
  Progress progress("evaluation", "games",
                    2 * static_cast<std::uint64_t>(config.evaluation.games) *
                        std::max<std::size_t>(config.evaluation.opponents.size(), 1));
  for (const auto& name : config.evaluation.opponents) {
    const auto opponent = make_player(parse_player(name), setup);
    const auto first = play(config, untrained, opponent, progress, stop);
    const auto last = first ? play(config, trained, opponent, progress, stop) : std::nullopt;
    if (!last) return {};
    grades.push_back({name, *first, *last});
  }
  return grades;
}

nlohmann::ordered_json to_json(const std::vector<Grade>& grades) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& grade : grades) {
    list.push_back({{"opponent", grade.opponent},
                    {"untrained", to_json(grade.before)},
                    {"trained", to_json(grade.after)}});
  }
  return list;
}

std::string to_table(const std::vector<Grade>& grades) {
  std::string text = row_text("points against", "untrained", "trained", "games (distinct)");
  for (const auto& grade : grades) {
    text +=
        row_text(grade.opponent, points_text(grade.before.rating), points_text(grade.after.rating),
                 std::to_string(grade.after.games) + " (" +
                     std::to_string(grade.after.distinct_games) + ")");
  }
  return text;
}

}  // namespace awale::training
