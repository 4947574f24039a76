#include "training/match.hpp"

#include <utility>

#include "env/error.hpp"

namespace awale::training {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, int found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage,
                   field + ": expected " + expected + ", found " + std::to_string(found));
}

std::vector<MatchGame> paired_games(const std::vector<std::string>& openings) {
  std::vector<MatchGame> games;
  for (const auto& opening : openings) {
    for (const auto side : {env::Side::kSouth, env::Side::kNorth}) {
      games.push_back({side, static_cast<int>(opening.size()), opening, {}});
    }
  }
  return games;
}

}  // namespace

void MatchConfig::validate() const {
  require(games >= 2 && games <= 1'000'000 && games % 2 == 0, "games",
          "an even number in 2..1000000 (every opening is played with both colours)", games);
  require(threads >= 1 && threads <= 1024, "threads", "1..1024", threads);
  opening_plies.validate();
}

std::vector<std::string> make_openings(const env::RuleSet& rules, std::uint64_t seed, int count,
                                       OpeningPlies plies) {
  Openings source(rules, seed, plies);
  std::vector<std::string> openings;
  while (static_cast<int>(openings.size()) < count) {
    auto opening = source.next();
    if (!opening) {
      throw InputError(ErrorKind::kUsage,
                       "games: expected at most " + std::to_string(2 * openings.size()) +
                           ", the different openings found for seed " + std::to_string(seed) +
                           ", found " + std::to_string(2 * count));
    }
    openings.push_back(std::move(*opening));
  }
  return openings;
}

Match play_match(const env::RuleSet& rules, const MatchConfig& config, const PlayerFactory& first,
                 const PlayerFactory& second, Progress& progress) {
  config.validate();
  Match match;
  match.games =
      paired_games(make_openings(rules, config.seed, config.games / 2, config.opening_plies));
  Arena arena(rules, config.threads, first, second);
  arena.play(match.games, 0, [&progress](std::size_t games) { progress.advance(games); });
  match.first_time = arena.first_time();
  match.second_time = arena.second_time();
  return match;
}

}  // namespace awale::training
