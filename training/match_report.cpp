#include "training/match_report.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "env/error.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

void add_game(const MatchGame& game, MatchReport& report, ThinkingTime& first,
              ThinkingTime& second) {
  const int points = game.first_half_points();
  report.wins += points == 2 ? 1 : 0;
  report.draws += points == 1 ? 1 : 0;
  report.losses += points == 0 ? 1 : 0;
  report.mean_margin_seeds += game.margin_first_seeds();
  report.mean_plies += static_cast<double>(game.moves.size());
  ++report.endings.at(static_cast<std::size_t>(game.outcome.reason));
  first += game.first_time;
  second += game.second_time;
}

const char* verdict_name(SprtVerdict verdict) {
  switch (verdict) {
    case SprtVerdict::kH0:
      return "H0";
    case SprtVerdict::kH1:
      return "H1";
    case SprtVerdict::kUndecided:
      return "undecided";
  }
  AWALE_CHECK(false, "verdict " << static_cast<int>(verdict));
}

nlohmann::ordered_json to_json(const SprtTest& test) {
  const SprtConfig& config = test.config();
  return {{"verdict", verdict_name(test.verdict())},
          {"llr", test.llr()},
          {"lower_bound", config.lower_bound()},
          {"upper_bound", config.upper_bound()},
          {"elo0", config.elo0},
          {"elo1", config.elo1},
          {"alpha", config.alpha},
          {"beta", config.beta},
          {"tested_pairs", test.counts().total()}};
}

// "sprt Elo 0 against 10 (alpha 0.05, beta 0.05): H1 accepted after 63 pairs, LLR 2.98 (-2.94,
// 2.94)".
std::string sprt_line(const SprtTest& test) {
  const SprtConfig& config = test.config();
  const bool decided = test.verdict() != SprtVerdict::kUndecided;
  return format_text(
      "sprt Elo %g against %g (alpha %g, beta %g): %s after %s, %s\n", config.elo0, config.elo1,
      config.alpha, config.beta,
      (verdict_name(test.verdict()) + std::string(decided ? " accepted" : "")).c_str(),
      count_text(static_cast<std::size_t>(test.counts().total()), "pair").c_str(),
      llr_text(test).c_str());
}

}  // namespace

int count_distinct(const std::vector<MatchGame>& games) {
  std::set<std::pair<env::Side, std::string>> seen;
  for (const auto& game : games)
    seen.emplace(game.first_side, game.moves);
  return static_cast<int>(seen.size());
}

PairCounts count_pairs(const std::vector<MatchGame>& games) {
  PairCounts counts;
  for (std::size_t i = 0; i + 1 < games.size(); i += 2) {
    const int points = games[i].first_half_points() + games[i + 1].first_half_points();
    ++counts.pairs.at(static_cast<std::size_t>(points));
  }
  return counts;
}

MatchReport make_report(const Match& match, const std::string& first, const std::string& second) {
  MatchReport report;
  report.first = first;
  report.second = second;
  report.games = static_cast<int>(match.games.size());
  report.distinct_games = count_distinct(match.games);
  report.asked_games = match.asked_games;
  report.stopped = match.stopped();
  report.opening_set = match.opening_set;
  report.sprt = match.sprt;
  ThinkingTime first_time;
  ThinkingTime second_time;
  for (const auto& game : match.games)
    add_game(game, report, first_time, second_time);
  report.mean_margin_seeds /= report.games;
  report.mean_plies /= report.games;
  report.pairs = count_pairs(match.games);
  report.rating = rate(report.pairs);
  report.first_ms_per_move = first_time.ms_per_move();
  report.second_ms_per_move = second_time.ms_per_move();
  return report;
}

nlohmann::ordered_json to_json(const MatchReport& report) {
  nlohmann::ordered_json endings;
  for (std::size_t i = 1; i < report.endings.size(); ++i) {
    endings[env::to_string(static_cast<env::EndReason>(i))] = report.endings[i];
  }
  nlohmann::ordered_json json = {{"first", report.first},
                                 {"second", report.second},
                                 {"games", report.games},
                                 {"asked_games", report.asked_games},
                                 {"stopped", report.stopped},
                                 {"opening_set", report.opening_set},
                                 {"distinct_games", report.distinct_games},
                                 {"wins", report.wins},
                                 {"draws", report.draws},
                                 {"losses", report.losses},
                                 {"points_percent", report.rating.points_percent},
                                 {"points_percent_low", report.rating.points_percent_low},
                                 {"points_percent_high", report.rating.points_percent_high},
                                 {"elo", report.rating.elo},
                                 {"elo_low", report.rating.elo_low},
                                 {"elo_high", report.rating.elo_high},
                                 {"pairs", report.pairs.pairs},
                                 {"mean_margin_seeds", report.mean_margin_seeds},
                                 {"mean_plies", report.mean_plies},
                                 {"endings", endings},
                                 {"first_ms_per_move", report.first_ms_per_move},
                                 {"second_ms_per_move", report.second_ms_per_move}};
  if (report.equal_time_ms) json["equal_time_ms"] = *report.equal_time_ms;
  if (report.sprt) json["sprt"] = to_json(*report.sprt);
  return json;
}

std::string to_text(const MatchReport& report) {
  const Rating& rating = report.rating;
  const auto& pairs = report.pairs.pairs;
  std::string lines;
  lines += report.first + " against " + report.second + ": " + std::to_string(report.games) +
           " games, " + std::to_string(report.distinct_games) + " distinct\n";
  if (report.stopped) {
    lines += format_text("stopped: %d of %d games are in pairs that are over\n", report.games,
                         report.asked_games);
  }
  lines +=
      format_text("won %d, drawn %d, lost %d; margin %+.1f seeds, %.0f plies a game\n", report.wins,
                  report.draws, report.losses, report.mean_margin_seeds, report.mean_plies);
  lines += format_text("points %.1f %% [%.1f, %.1f], Elo %+.0f [%+.0f, %+.0f] (95 %% intervals)\n",
                       rating.points_percent, rating.points_percent_low, rating.points_percent_high,
                       rating.elo, rating.elo_low, rating.elo_high);
  lines += format_text("pairs with 0, 1/2, 1, 3/2, 2 points: %lld, %lld, %lld, %lld, %lld\n",
                       static_cast<long long>(pairs[0]), static_cast<long long>(pairs[1]),
                       static_cast<long long>(pairs[2]), static_cast<long long>(pairs[3]),
                       static_cast<long long>(pairs[4]));
  if (report.sprt) lines += sprt_line(*report.sprt);
  lines += format_text("time a move: %.3f ms against %.3f ms", report.first_ms_per_move,
                       report.second_ms_per_move);
  if (report.equal_time_ms) lines += format_text("; asked for: %d ms", *report.equal_time_ms);
  return lines + format_text("\nopenings drawn from %zu\n", report.opening_set);
}

}  // namespace awale::training
