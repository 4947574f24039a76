#include "training/data/data_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;

namespace {

std::vector<GameRecord> some_games() {
  auto games = tests::random_games({}, 60);
  games.push_back(games[3]);  // once more
  games.back().game_id = 99;
  for (std::size_t i = 0; i < games.size(); ++i)
    games[i].last_iteration = static_cast<std::uint32_t>(1 + i / 20);
  return games;
}

nlohmann::ordered_json statistics_of(const std::vector<GameRecord>& games) {
  DataStatistics statistics;
  for (const auto& game : games)
    statistics.add(game, env::RuleSet{});
  return statistics.to_json();
}

double outcome(const GameRecord& game, const PlyRecord& ply) {
  const int south = game.outcome.margin_south_seeds;
  const int mine = ply.position.board.to_move == env::Side::kSouth ? south : -south;
  return mine > 0 ? 1 : mine < 0 ? -1 : 0;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

// The smallest value that is not below a share of them.
double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(
      std::max(1.0, std::ceil(share * static_cast<double>(values.size()))));
  return values[rank - 1];
}

// Of a shard of `games`, which is written to `file`.
DataStatistics shard_statistics(const std::filesystem::path& file,
                                const std::vector<GameRecord>& games) {
  write_shard(file, {{env::RuleSet{}}, 1, "", 1, ""}, games);
  DataStatistics statistics;
  statistics.add_shard(file);
  return statistics;
}

}  // namespace

TEST_CASE("a shard's games are counted as they are one by one, with its bytes") {
  const tests::TempDir dir;
  const auto file = dir.path() / "000001.h5";
  auto json = shard_statistics(file, some_games()).to_json();
  auto expected = statistics_of(some_games());
  const auto bytes = std::filesystem::file_size(file);
  const auto plies = expected["plies"].get<double>();
  CHECK(json["files"] == 1);
  CHECK(json["bytes"] == bytes);
  CHECK(json["bytes_a_ply"].get<double>() ==
        Approx(static_cast<double>(bytes) / plies).margin(0.01));
  for (const char* key : {"files", "bytes", "bytes_a_ply", "bytes_a_row"}) {
    json.erase(key);
    expected.erase(key);
  }
  CHECK(json == expected);
}

TEST_CASE("entropy and surprise of worked examples") {
  CHECK(entropy({65535, 0, 0, 0, 0, 0}) == 0);
  CHECK(entropy({100, 100, 0, 0, 0, 0}) == Approx(std::log(2)));
  CHECK(std::isnan(entropy({})));
  PlyRecord ply;
  ply.policy = {3, 1};
  ply.prior = {1, 1};
  CHECK(surprise(ply) == Approx(0.75 * std::log(1.5) + 0.25 * std::log(0.5)));
  ply.prior = {3, 1};
  CHECK(surprise(ply) == Approx(0).margin(1e-12));
  ply.prior = {};
  CHECK(std::isnan(surprise(ply)));
}

TEST_CASE("a histogram's quantiles are those of the sorted values") {
  Histogram histogram(1);
  std::vector<double> values;
  for (int i = 0; i < 101; ++i) {
    values.push_back(i * 37 % 101 / 3);
    histogram.add(values.back());
  }
  for (const double share : {0.0, 0.05, 0.25, 0.5, 0.9, 1.0})
    CHECK(histogram.quantile(share) == quantile(values, share));
  CHECK(histogram.mean() == Approx(mean(values)));
}

// The slow way: all numbers from all plies at once.
TEST_CASE("statistics are those of the games' own numbers") {
  const auto games = some_games();
  const auto json = statistics_of(games);
  std::vector<double> lengths;
  std::vector<double> surprises;
  std::vector<double> entropies;
  std::vector<double> squared_errors;
  std::vector<double> winner_margins;
  std::vector<double> first_margins;
  std::map<std::string, int> openings;
  std::map<int, std::vector<std::pair<double, double>>> bins;
  int fast = 0;
  int plies = 0;
  for (const auto& game : games) {
    lengths.push_back(static_cast<double>(game.plies.size()));
    winner_margins.push_back(std::abs(game.outcome.margin_south_seeds));
    first_margins.push_back(game.outcome.margin_south_seeds);
    ++openings[env::to_text(game.plies.at(6).position.board)];
    for (const auto& ply : game.plies) {
      ++plies;
      fast += (ply.flags & kFastSearch) != 0 ? 1 : 0;
      if ((ply.flags & kUnsearchedPly) != 0) continue;
      const double error = ply.root_value - outcome(game, ply);
      squared_errors.push_back(error * error);
      bins[std::min(9, static_cast<int>((ply.root_value + 1) * 5))].push_back(
          {ply.root_value, outcome(game, ply)});
      if ((ply.flags & kFastSearch) != 0) continue;
      surprises.push_back(surprise(ply));
      entropies.push_back(entropy(ply.policy));
    }
  }
  CHECK(json["games"] == 61);
  CHECK(json["duplicate_games"] == 1);
  CHECK(json["plies_a_game"]["mean"] == Approx(mean(lengths)).margin(1e-4));
  CHECK(json["plies_a_game"]["median"] == quantile(lengths, 0.5));
  CHECK(json["plies_a_game"]["p95"] == quantile(lengths, 0.95));
  CHECK(json["margin_of_the_winner"]["median"] == quantile(winner_margins, 0.5));
  CHECK(json["margin_of_the_first_player"]["min"] == quantile(first_margins, 0));
  CHECK(json["margin_of_the_first_player"]["mean"] == Approx(mean(first_margins)).margin(1e-4));
  CHECK(json["surprise"]["mean"] == Approx(mean(surprises)).margin(1e-4));
  CHECK(json["surprise"]["median"] == Approx(quantile(surprises, 0.5)).margin(1e-3));
  CHECK(json["policy_entropy"]["mean"] == Approx(mean(entropies)).margin(1e-4));
  CHECK(json["root_value"]["mean_squared_error"] == Approx(mean(squared_errors)).margin(1e-4));
  CHECK(json["root_value"]["bins"].size() == bins.size());
  std::size_t row = 0;
  for (const auto& [bin, pairs] : bins) {
    const auto& found = json["root_value"]["bins"][row++];
    CHECK(found["low"] == Approx(-1 + bin / 5.0).margin(1e-9));
    CHECK(found["n"] == pairs.size());
    double outcomes = 0;
    for (const auto& [value, result] : pairs)
      outcomes += result;
    CHECK(found["mean_outcome"] ==
          Approx(outcomes / static_cast<double>(pairs.size())).margin(1e-4));
  }
  CHECK(json["flags_percent"]["fast_search"] == Approx(100.0 * fast / plies).margin(0.006));
  CHECK(json["openings"]["distinct"] == openings.size());
  CHECK(json["openings"]["games"] == 61);
  const int most = std::max_element(openings.begin(), openings.end(), [](auto& a, auto& b) {
                     return a.second < b.second;
                   })->second;
  CHECK(json["openings"]["most_frequent_percent"] == Approx(100.0 * most / 61).margin(0.006));
  CHECK(json["iterations"].size() == 4);
  CHECK(json["iterations"][3]["games"] == 1);
  CHECK(json["first_player"]["points_percent_low"] < json["first_player"]["points_percent"]);
}

TEST_CASE("the entropy of openings is that of their frequencies") {
  // Half of the games one opening, the others one each.
  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 8; ++id)
    games.push_back(tests::random_game({}, id < 4 ? 0 : id));
  const auto openings = statistics_of(games)["openings"];
  CHECK(openings["distinct"] == 5);
  CHECK(openings["most_frequent_percent"] == 50);
  CHECK(openings["entropy_bits"] == Approx(0.5 * 1 + 0.5 * 3));
  CHECK(openings["most_frequent"] == env::to_text(games[0].plies[6].position.board));
}

TEST_CASE("of many iterations a dozen are shown, the last among them") {
  auto games = tests::random_games({}, 50);
  for (std::size_t i = 0; i < games.size(); ++i)
    games[i].last_iteration = static_cast<std::uint32_t>(i + 1);
  const auto rows = statistics_of(games)["iterations"];
  CHECK(rows.size() <= 12);
  CHECK(rows.size() >= 8);
  CHECK(rows.back()["iteration"] == 50);
}

TEST_CASE("statistics as text fit a screen; nothing counted is no error") {
  const tests::TempDir dir;
  const auto text =
      statistics_text(shard_statistics(dir.path() / "000001.h5", some_games()).to_json());
  CHECK(contains(text, "1 shard: 61 games (1 repeated)"));
  CHECK(contains(text, "surprise, nats"));
  CHECK(std::count(text.begin(), text.end(), '\n') < 50);
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  CHECK(longest <= 130);
  CHECK(contains(statistics_text(statistics_of({})), "0 shards: 0 games"));
}
