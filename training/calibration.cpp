#include "training/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "env/game.hpp"
#include "env/random.hpp"
#include "training/parallel.hpp"

namespace awale::training {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFirstSimulations = 8;
constexpr int kMostRounds = 10;
constexpr double kTolerance = 0.05;
constexpr int kShortestGame = 6;    // plies
constexpr int kMostPlies = 4;       // played from each position ...
constexpr double kEnoughMs = 1000;  // ... unless so much time has passed

// Random games that are not over, one a length as far as there are such.
std::vector<env::Game> fixed_positions(const env::RuleSet& rules) {
  std::vector<env::Game> games;
  for (std::uint64_t candidate = 0; candidate < 10 * kMatchGroupGames; ++candidate) {
    if (games.size() == kMatchGroupGames) break;
    env::RandomStream random(0, env::RandomPurpose::kMatch, candidate, 0);
    env::Game game(rules);
    const int plies = kShortestGame + static_cast<int>(games.size());
    for (int ply = 0; ply < plies && !game.over(); ++ply)
      game.play(env::random_move(game.legal(), random));
    if (!game.over()) games.push_back(std::move(game));
  }
  return games;
}

// Seconds a move of `player` that goes on with `games`.
double seconds_per_move(mcts::Player& player, std::vector<env::Game> games) {
  double seconds = 0;
  std::size_t moves_played = 0;
  for (int ply = 0; ply < kMostPlies && 1000 * seconds < kEnoughMs; ++ply) {
    std::vector<const env::Game*> waiting;
    std::vector<std::uint64_t> ids;
    std::vector<env::Game*> to_play;
    for (std::size_t i = 0; i < games.size(); ++i) {
      if (games[i].over()) continue;
      waiting.push_back(&games[i]);
      to_play.push_back(&games[i]);
      ids.push_back(i);
    }
    if (waiting.empty()) break;
    std::vector<env::Move> moves(waiting.size());
    const auto start = Clock::now();
    player.choose_moves(waiting, ids, moves);
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    moves_played += moves.size();
    for (std::size_t i = 0; i < moves.size(); ++i)
      to_play[i]->play(moves[i]);
  }
  return moves_played == 0 ? 0 : seconds / static_cast<double>(moves_played);
}

// The mean over all threads, each with a player of its own, all at once.
double measure_ms(const std::vector<env::Game>& games, int threads, const PlayerFactory& make) {
  std::vector<double> seconds(static_cast<std::size_t>(threads));
  run_jobs(threads, threads, [&](int job, int) {
    const auto player = make();
    // Not counted: memory that is touched for the first time.
    seconds_per_move(*player,
                     {games.begin(), games.begin() + std::min<long>(4, std::ssize(games))});
    seconds[static_cast<std::size_t>(job)] = seconds_per_move(*player, games);
  });
  double sum = 0;
  for (const double part : seconds)
    sum += part;
  return 1000 * sum / threads;
}

}  // namespace

int calibrate_simulations(const env::RuleSet& rules, double ms_per_move, int threads,
                          const std::function<PlayerFactory(int simulations)>& player_at) {
  const auto games = fixed_positions(rules);
  int simulations = kFirstSimulations;
  for (int round = 0; round < kMostRounds; ++round) {
    const double ms = measure_ms(games, threads, player_at(simulations));
    if (std::abs(ms / ms_per_move - 1) < kTolerance) break;
    const double wanted = ms > 0 ? simulations * ms_per_move / ms : kMostSimulations;
    const int next =
        static_cast<int>(std::clamp(std::round(wanted), 1.0, double{kMostSimulations}));
    if (next == simulations) break;
    simulations = next;
  }
  return simulations;
}

}  // namespace awale::training
