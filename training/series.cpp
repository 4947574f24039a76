#include "training/series.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "env/error.hpp"
#include "env/final_score.hpp"
#include "env/random.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

// No game has such a ply, so lots share no numbers with openings and players.
constexpr std::uint32_t kLotsPly = std::numeric_limits<std::uint32_t>::max();

void require(const std::string& field, int lowest, int highest, int found) {
  if (found >= lowest && found <= highest) return;
  throw InputError(ErrorKind::kUsage, "--" + field + ": expected " + std::to_string(lowest) + ".." +
                                          std::to_string(highest) + ", found " +
                                          std::to_string(found));
}

env::FinalScore score_of(const env::RuleSet& rules, const MatchGame& game) {
  const env::Game end = env::replay(rules, env::initial_board(), game.moves);
  return env::final_score(rules, end.board(), game.outcome.reason);
}

// All series of a match side by side.
class SeriesTable {
 public:
  SeriesTable(const env::RuleSet& rules, const SeriesConfig& config)
      : rules_(rules),
        config_(config),
        openings_(rules, config.seed, config.opening_plies),
        series_(static_cast<std::size_t>(config.series)),
        opening_of_(series_.size()) {}

  // The next game of each series that goes on, ready to be played.
  std::vector<MatchGame> next_games() {
    running_.clear();
    std::vector<MatchGame> games;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      if (over(series_[i])) continue;
      running_.push_back(i);
      games.push_back(next_game(i));
    }
    return games;
  }

  // Takes them back, played. Returns how many series that has ended.
  std::size_t take(std::vector<MatchGame> games) {
    std::size_t ended = 0;
    for (std::size_t i = 0; i < games.size(); ++i) {
      Series& series = series_[running_[i]];
      add(series, std::move(games[i]));
      ended += over(series) ? 1 : 0;
    }
    return ended;
  }

  std::vector<Series> take_series() { return std::move(series_); }

 private:
  bool over(const Series& series) const {
    return series.winner != SeriesWinner::kNobody ||
           series.games.size() == static_cast<std::size_t>(config_.max_games);
  }

  MatchGame next_game(std::size_t i) {
    const std::size_t number = series_[i].games.size();
    if (number % 2 == 0) opening_of_[i] = next_opening();
    const bool first_begins = draw_lots(config_.seed, static_cast<int>(i)) == (number % 2 == 0);
    return {first_begins ? env::Side::kSouth : env::Side::kNorth,
            static_cast<int>(opening_of_[i].size()),
            opening_of_[i],
            {}};
  }

  std::string next_opening() {
    auto opening = openings_.next();
    if (opening) return std::move(*opening);
    const auto plies = static_cast<std::size_t>(config_.opening_plies);
    throw InputError(ErrorKind::kUsage, "--opening-plies: no more openings of " +
                                            count_text(plies, "ply", "plies") + ", there are " +
                                            std::to_string(openings_.set_size()) +
                                            "; expected more plies, or 0 for none");
  }

  void add(Series& series, MatchGame game) const {
    const env::FinalScore score = score_of(rules_, game);
    const bool first_is_south = game.first_side == env::Side::kSouth;
    const int margin = game.margin_first_seeds();
    SeriesGame played;
    if (!series.games.empty()) {
      played.first_points = series.games.back().first_points;
      played.second_points = series.games.back().second_points;
    }
    played.first_half_seeds = first_is_south ? score.south_half_seeds : score.north_half_seeds;
    played.second_half_seeds = first_is_south ? score.north_half_seeds : score.south_half_seeds;
    if (margin > 0) played.first_points += series_points(played.first_half_seeds);
    if (margin < 0) played.second_points += series_points(played.second_half_seeds);
    if (played.first_points >= config_.points) series.winner = SeriesWinner::kFirst;
    if (played.second_points >= config_.points) series.winner = SeriesWinner::kSecond;
    played.game = std::move(game);
    series.games.push_back(std::move(played));
  }

  env::RuleSet rules_;
  SeriesConfig config_;
  Openings openings_;
  std::vector<Series> series_;
  std::vector<std::string> opening_of_;  // the one that each series plays now
  std::vector<std::size_t> running_;     // whose games next_games() gave
};

}  // namespace

void SeriesConfig::validate() const {
  require("points", 1, 1'000'000, points);
  require("series", 1, 100'000, series);
  require("max-games", 1, 1'000'000, max_games);
  require("threads", 1, 1024, threads);
  check_opening_plies(opening_plies);
}

int series_points(int winner_half_seeds) {
  return std::max(0, winner_half_seeds / 2 - env::kSeeds / 2);
}

bool draw_lots(std::uint64_t seed, int series) {
  env::RandomStream stream(seed, env::RandomPurpose::kMatch, static_cast<std::uint64_t>(series),
                           kLotsPly);
  return stream.below(2) == 0;
}

SeriesMatch play_series(const env::RuleSet& rules, const SeriesConfig& config,
                        const PlayerFactory& first, const PlayerFactory& second,
                        Progress& progress) {
  config.validate();
  SeriesTable table(rules, config);
  Arena arena(rules, config.threads, first, second);
  std::uint64_t played = 0;
  ThinkingTime first_time;
  ThinkingTime second_time;
  for (auto games = table.next_games(); !games.empty(); games = table.next_games()) {
    for (auto& game : games)
      game.id = played++;
    arena.play(games);
    for (const auto& game : games) {
      first_time += game.first_time;
      second_time += game.second_time;
    }
    const std::size_t ended = table.take(std::move(games));
    progress.advance(ended, std::to_string(played) + " games");
  }
  return {table.take_series(), first_time, second_time};
}

}  // namespace awale::training
