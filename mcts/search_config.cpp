#include "mcts/search_config.hpp"

#include <sstream>
#include <string>

#include "env/error.hpp"

namespace awale::mcts {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, double found) {
  if (valid) return;
  std::ostringstream text;
  text << "search." << field << ": expected " << expected << ", found " << found;
  throw InputError(ErrorKind::kUsage, text.str());
}

}  // namespace

void SearchConfig::validate() const {
  require(simulations >= 1 && simulations <= 60000, "simulations", "1..60000", simulations);
  require(c_puct > 0 && c_puct <= 100, "c_puct", "a number in (0, 100]", c_puct);
  require(fpu_reduction >= 0 && fpu_reduction <= 2, "fpu_reduction", "a number in [0, 2]",
          fpu_reduction);
  require(noise_weight >= 0 && noise_weight <= 1, "noise_weight", "a number in [0, 1]",
          noise_weight);
  require(noise_total > 0 && noise_total <= 1000, "noise_total", "a number in (0, 1000]",
          noise_total);
  require(margin_weight >= 0 && margin_weight <= 0.9F, "margin_weight", "a number in [0, 0.9]",
          margin_weight);
}

}  // namespace awale::mcts
