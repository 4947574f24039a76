#include "training/surprise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/random.hpp"

namespace awale::training {

double policy_surprise(const PlyRecord& ply) {
  const double policy_sum = std::accumulate(ply.policy.begin(), ply.policy.end(), 0.0);
  const double prior_sum = std::accumulate(ply.prior.begin(), ply.prior.end(), 0.0);
  if (policy_sum == 0 || prior_sum == 0) return 0;
  double divergence = 0;
  for (std::size_t move = 0; move < ply.policy.size(); ++move) {
    const double target = ply.policy[move] / policy_sum;
    if (target > 0) divergence += target * std::log(target / (ply.prior[move] / prior_sum));
  }
  return std::max(divergence, 0.0);  // below 0 by rounding only
}

std::vector<int> repeats_by_surprise(const GameRecord& game, double share, std::uint64_t seed) {
  std::vector<double> surprises;
  for (const auto& ply : game.plies) {
    if ((ply.flags & kUnsearchedPly) == 0) surprises.push_back(policy_surprise(ply));
  }
  std::vector<int> repeats(surprises.size(), 1);
  const double sum = std::accumulate(surprises.begin(), surprises.end(), 0.0);
  if (share == 0 || sum == 0) return repeats;
  const double mean = sum / static_cast<double>(surprises.size());
  for (std::size_t row = 0; row < repeats.size(); ++row) {
    env::RandomStream stream(seed, env::RandomPurpose::kSurprise, game.game_id,
                             static_cast<std::uint32_t>(row));
    const double count = (1 - share) + share * surprises[row] / mean;
    repeats[row] = static_cast<int>(count + stream.uniform());
  }
  return repeats;
}

}  // namespace awale::training
