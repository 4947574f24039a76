// Many players, one rating list: the first against all others, or everyone against everyone, each
// pairing a match (match.hpp) from the same openings; rated together (rating_list.hpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "training/match_report.hpp"
#include "training/rating_list.hpp"

namespace awale::training {

// Who meets whom, by index: (0, 1), (0, 2), ..., and (1, 2), ... in a round robin.
std::vector<std::pair<int, int>> gauntlet_pairings(int players, bool round_robin);

// One player of the list. Times are wall-clock of one thread, batched players share it.
struct GauntletPlayer {
  std::string name;
  ListedRating rating;
  int games = 0;
  double points_percent = 0;  // 0 without games
  double draws_percent = 0;
  double ms_per_move = 0;
};

struct GauntletReport {
  std::vector<GauntletPlayer> players;  // the strongest first
  std::vector<MatchReport> pairings;    // those with a pair at least
  std::optional<std::string> anchor;    // whose rating is anchor_elo; nobody: the mean
  double anchor_elo = 0;
  int asked_games = 0;  // of all pairings
  int games = 0;
  bool stopped = false;
};

// `matches` belong to `pairings`, players' names to the indices in them.
GauntletReport make_report(const std::vector<std::string>& names,
                           const std::vector<std::pair<int, int>>& pairings,
                           const std::vector<Match>& matches, const RatingListConfig& config);

// "players", the keys of the structs; "pairings", each as a match's report.
nlohmann::ordered_json to_json(const GauntletReport& report);

// A table, the strongest first.
std::string to_text(const GauntletReport& report);

}  // namespace awale::training
