#include "training/minimax_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "env/error.hpp"
#include "env/game.hpp"
#include "env/random.hpp"
#include "training/parallel.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

using Weights = std::array<double, mcts::kTerms>;
using Curvature = std::array<Weights, mcts::kTerms>;  // the lower half is used

// Terms of a position and what its player to move got: 1, 1/2 or 0.
struct Sample {
  std::array<std::int8_t, mcts::kTerms> terms;
  float outcome;
};

float outcome_of(const env::Game& game, env::Side side) {
  const int margin = game.outcome().margin_south_seeds * (side == env::Side::kSouth ? 1 : -1);
  return margin > 0 ? 1.0F : margin == 0 ? 0.5F : 0.0F;
}

env::Game opening(const TuningConfig& config, std::uint64_t id) {
  env::RandomStream random(config.seed, env::RandomPurpose::kOpening, id, 0);
  env::Game game(config.rules);
  const auto plies = random.below(static_cast<std::uint32_t>(config.opening_plies) + 1);
  for (std::uint32_t ply = 0; ply < plies && !game.over(); ++ply)
    game.play(env::random_move(game.legal(), random));
  return game;
}

// One game's samples; equal best moves are drawn by chance.
std::vector<Sample> play_game(const TuningConfig& config, mcts::Minimax& minimax,
                              std::uint64_t id) {
  const mcts::CaptureRules captures(config.rules);
  env::Game game = opening(config, id);
  std::vector<Sample> samples;
  std::vector<env::Side> movers;
  while (!game.over()) {
    const mcts::Terms terms = terms_of(captures, mcts::packed_rows(game.board()));
    Sample sample = {};
    for (std::size_t term = 0; term < terms.size(); ++term)
      sample.terms[term] = static_cast<std::int8_t>(terms[term]);
    samples.push_back(sample);
    movers.push_back(game.board().to_move);
    env::RandomStream random(config.seed, env::RandomPurpose::kMove, id, game.position().ply);
    game.play(env::random_move(minimax.search(game).best_moves, random));
  }
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].outcome = outcome_of(game, movers[i]);
  return samples;
}

std::vector<Sample> play_games(const TuningConfig& config) {
  Progress progress("tune", "games", static_cast<std::uint64_t>(config.games));
  std::vector<std::vector<Sample>> games(static_cast<std::size_t>(config.games));
  std::vector<mcts::Minimax> searches(static_cast<std::size_t>(config.threads),
                                      mcts::Minimax(config.search));
  run_jobs(config.threads, config.games, [&](int index, int worker) {
    games[static_cast<std::size_t>(index)] = play_game(
        config, searches[static_cast<std::size_t>(worker)], static_cast<std::uint64_t>(index));
    progress.advance(1);
  });
  std::vector<Sample> samples;
  for (const auto& game : games)
    samples.insert(samples.end(), game.begin(), game.end());
  return samples;
}

double log_odds(const Weights& weights, const Sample& sample) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * sample.terms[i];
  return sum;
}

double mean_loss(std::span<const Sample> samples, const Weights& weights) {
  double sum = 0;
  for (const Sample& sample : samples) {
    const double logit = log_odds(weights, sample);
    // log(1 + exp(logit)) without overflow.
    sum += std::max(logit, 0.0) + std::log1p(std::exp(-std::abs(logit))) -
           static_cast<double>(sample.outcome) * logit;
  }
  return sum / static_cast<double>(samples.size());
}

// Solves curvature * step = gradient for the first `size` rows, by Cholesky's decomposition.
Weights solve(Curvature curvature, const Weights& gradient, std::size_t size) {
  Weights step = gradient;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double& value = curvature[row][column];
      for (std::size_t i = 0; i < column; ++i)
        value -= curvature[row][i] * curvature[column][i];
      value = column < row ? value / curvature[column][column] : std::sqrt(value);
    }
    for (std::size_t i = 0; i < row; ++i)
      step[row] -= curvature[row][i] * step[i];
    step[row] /= curvature[row][row];
  }
  for (std::size_t row = size; row-- > 0;) {
    for (std::size_t i = row + 1; i < size; ++i)
      step[row] -= curvature[i][row] * step[i];
    step[row] /= curvature[row][row];
  }
  return step;
}

// The minimum of the loss over the first `terms` weights, the others 0: Newton's steps, which the
// convex loss lets converge from 0. A faint pull towards 0 keeps terms that never occur defined.
Weights fit(std::span<const Sample> samples, std::size_t terms) {
  constexpr int kSteps = 12;
  constexpr double kPull = 1e-3;
  Weights weights = {};
  for (int iteration = 0; iteration < kSteps; ++iteration) {
    Weights gradient;
    Curvature curvature = {};
    for (std::size_t row = 0; row < terms; ++row) {
      gradient[row] = kPull * weights[row];
      curvature[row][row] = kPull;
    }
    for (const Sample& sample : samples) {
      const double p = 1 / (1 + std::exp(-log_odds(weights, sample)));
      for (std::size_t row = 0; row < terms; ++row) {
        gradient[row] += (p - static_cast<double>(sample.outcome)) * sample.terms[row];
        for (std::size_t column = 0; column <= row; ++column)
          curvature[row][column] += p * (1 - p) * sample.terms[row] * sample.terms[column];
      }
    }
    const Weights step = solve(curvature, gradient, terms);
    for (std::size_t row = 0; row < terms; ++row)
      weights[row] -= step[row];
  }
  return weights;
}

}  // namespace

void TuningConfig::validate() const {
  rules.validate();
  search.validate();
  if (games < 1 || opening_plies < 0 || threads < 1) {
    throw InputError(ErrorKind::kUsage, "tune: expected 1 or more games and threads, found " +
                                            std::to_string(games) + " games, " +
                                            std::to_string(threads) + " threads");
  }
}

TuningResult tune_minimax(const TuningConfig& config) {
  config.validate();
  const std::vector<Sample> samples = play_games(config);
  const Weights weights = fit(samples, mcts::kTerms);
  TuningResult result;
  result.positions = static_cast<std::int64_t>(samples.size());
  result.loss = mean_loss(samples, weights);
  static_assert(mcts::kStoreSeeds == 0);
  result.stores_loss = mean_loss(samples, fit(samples, 1));
  result.log_odds = weights;
  for (std::size_t term = 0; term < weights.size(); ++term) {
    const double in_seeds = weights[term] / weights[mcts::kStoreSeeds];
    result.weights[term] = static_cast<int>(std::lround(mcts::TunedEvaluation::kUnit * in_seeds));
  }
  return result;
}

std::string to_text(const TuningResult& result) {
  std::string text;
  char line[120];
  for (std::size_t term = 0; term < mcts::kTerms; ++term) {
    std::snprintf(line, sizeof(line), "%-13s %5d   %8.4f log odds\n", mcts::kTermNames[term].data(),
                  result.weights[term], result.log_odds[term]);
    text += line;
  }
  std::snprintf(line, sizeof(line), "%lld positions, loss %.4f nats, %.4f by the stores alone\n",
                static_cast<long long>(result.positions), result.loss, result.stores_loss);
  return text + line;
}

nlohmann::json to_json(const TuningResult& result) {
  nlohmann::json weights;
  nlohmann::json log_odds;
  for (std::size_t term = 0; term < mcts::kTerms; ++term) {
    const std::string name(mcts::kTermNames[term]);
    weights[name] = result.weights[term];
    log_odds[name] = result.log_odds[term];
  }
  return {{"weights", weights},
          {"log_odds", log_odds},
          {"positions", result.positions},
          {"loss", result.loss},
          {"stores_loss", result.stores_loss}};
}

}  // namespace awale::training
