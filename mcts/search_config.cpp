#include "mcts/search_config.hpp"

#include <sstream>
#include <utility>

#include "env/error.hpp"

namespace awale::mcts {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, double found) {
  if (valid) return;
  std::ostringstream text;
  text << "search." << field << ": expected " << expected << ", found " << found;
  throw InputError(ErrorKind::kUsage, text.str());
}

void require_in(float value, float low, float high, const std::string& field) {
  std::ostringstream expected;
  expected << "a number in [" << low << ", " << high << "]";
  require(value >= low && value <= high, field, expected.str(), value);
}

void require_above(float value, float high, const std::string& field) {
  std::ostringstream expected;
  expected << "a number in (0, " << high << "]";
  require(value > 0 && value <= high, field, expected.str(), value);
}

}  // namespace

std::string to_string(Algorithm algorithm) {
  return algorithm == Algorithm::kPuct ? "puct" : "gumbel";
}

std::vector<std::string> algorithm_names() {
  return {to_string(Algorithm::kPuct), to_string(Algorithm::kGumbel)};
}

Algorithm parse_algorithm(std::string_view name) {
  for (const Algorithm algorithm : {Algorithm::kPuct, Algorithm::kGumbel}) {
    if (to_string(algorithm) == name) return algorithm;
  }
  throw InputError(ErrorKind::kUsage,
                   "search.algorithm: expected puct or gumbel, found '" + std::string(name) + "'");
}

void SearchConfig::validate() const {
  require(simulations >= 1 && simulations <= 60000, "simulations", "1..60000", simulations);
  require_in(margin_weight, 0, 0.9F, "margin_weight");
  require_above(c_puct, 100, "c_puct");
  require_in(fpu_reduction, 0, 2, "fpu_reduction");
  require_in(noise_weight, 0, 1, "noise_weight");
  require_above(noise_total, 1000, "noise_total");
  require_in(forced_playouts, 0, 100, "forced_playouts");
  require(considered_moves >= 1 && considered_moves <= 6, "considered_moves", "1..6",
          considered_moves);
  require_in(backup_sharpness, 0, 40, "backup_sharpness");
  require_in(c_visit, 0, 10000, "c_visit");
  require_above(c_scale, 100, "c_scale");
  require_in(visit_cap, 0, 1e6F, "visit_cap");
  require_in(interior_exploration, 0, 1, "interior_exploration");
  require_in(gumbel_noise, 0, 100, "gumbel_noise");
  require(leaves >= 1 && leaves <= 255, "leaves", "1..255", leaves);
  if (endgame && !solve) {
    throw InputError(ErrorKind::kUsage, "search: an endgame table goes together with solve = true");
  }
}

SearchConfig without_noise(SearchConfig config) {
  config.noise_weight = 0;
  config.gumbel_noise = 0;
  return config;
}

SearchConfig playing(SearchConfig training) {
  SearchConfig config = without_noise(std::move(training));
  config.c_scale = SearchConfig().c_scale;
  config.reuse_tree = true;
  return config;
}

}  // namespace awale::mcts
