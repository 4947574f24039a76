#include "training/truth/answers.hpp"

#include <algorithm>
#include <string>

#include "env/error.hpp"
#include "env/game.hpp"
#include "mcts/batched_search.hpp"
#include "training/openings.hpp"
#include "training/parallel.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kGroupPositions = 256;

// Calls ask(begin, positions of the group, worker) for each group; `workers` has one a thread.
template <typename Worker, typename Ask>
void in_groups(const Asking& asking, std::span<const TruthPosition> positions, const Ask& ask) {
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(asking.threads));
  const std::size_t groups = (positions.size() + kGroupPositions - 1) / kGroupPositions;
  run_jobs(asking.threads, static_cast<int>(groups), [&](int job, int index) {
    const std::size_t begin = static_cast<std::size_t>(job) * kGroupPositions;
    const std::size_t size = std::min(kGroupPositions, positions.size() - begin);
    ask(begin, positions.subspan(begin, size), workers[static_cast<std::size_t>(index)]);
    asking.on_answered(size);
  });
}

env::Position at_graded_ply(const TruthPosition& position) {
  env::Position placed;
  placed.board = position.board;
  placed.ply = kGradedPly;
  return placed;
}

struct Searcher {
  Searcher(const env::RuleSet& rules, const mcts::SearchConfig& config,
           std::unique_ptr<nn::Evaluator> network)
      : search(rules, config, 0), evaluator(std::move(network)) {}

  void run(std::span<const TruthPosition> positions, std::span<env::Move> moves) {
    std::vector<mcts::SearchRoot> roots;
    for (const auto& position : positions) {
      roots.push_back({at_graded_ply(position), {&position.board, 1}, roots.size()});
    }
    std::vector<mcts::SearchResult> results(roots.size());
    search.run(roots, *evaluator, results);
    for (std::size_t i = 0; i < results.size(); ++i)
      moves[i] = results[i].best;
  }

  mcts::BatchedSearch search;
  std::unique_ptr<nn::Evaluator> evaluator;
};

std::vector<MatchGame> games_from_openings(const env::RuleSet& rules, int count,
                                           std::uint64_t seed) {
  Openings openings(rules, seed);
  std::vector<MatchGame> games;
  for (int i = 0; i < count; ++i) {
    auto opening = openings.next();
    if (!opening) {
      throw InputError(ErrorKind::kUsage, "--games: expected at most " + std::to_string(i) +
                                              ", the different openings found, found " +
                                              std::to_string(count));
    }
    MatchGame game;
    game.opening_plies = static_cast<int>(opening->size());
    game.moves = std::move(*opening);
    games.push_back(std::move(game));
  }
  return games;
}

}  // namespace

std::vector<nn::Evaluation> ask_network(const Asking& asking, const EvaluatorFactory& make,
                                        std::span<const TruthPosition> positions) {
  std::vector<nn::Evaluation> evaluations(positions.size());
  const auto ask = [&](std::size_t begin, std::span<const TruthPosition> group,
                       std::unique_ptr<nn::Evaluator>& evaluator) {
    if (!evaluator) evaluator = make();
    std::vector<env::Position> placed;
    for (const auto& position : group)
      placed.push_back(at_graded_ply(position));
    evaluator->evaluate(asking.rules, placed, std::span(evaluations).subspan(begin, group.size()));
  };
  in_groups<nn::Evaluator>(asking, positions, ask);
  return evaluations;
}

env::Move prior_move(const nn::Evaluation& evaluation, env::LegalMask legal) {
  env::Move best = env::kNoMove;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    if (best == env::kNoMove || evaluation.policy_logits[move] > evaluation.policy_logits[best]) {
      best = move;
    }
  }
  return best;
}

std::vector<env::Move> ask_search(const Asking& asking, const mcts::SearchConfig& config,
                                  const EvaluatorFactory& make,
                                  std::span<const TruthPosition> positions) {
  const mcts::SearchConfig quiet = mcts::without_noise(config);
  quiet.validate();
  std::vector<env::Move> moves(positions.size());
  const auto ask = [&](std::size_t begin, std::span<const TruthPosition> group,
                       std::unique_ptr<Searcher>& searcher) {
    if (!searcher) searcher = std::make_unique<Searcher>(asking.rules, quiet, make());
    searcher->run(group, std::span(moves).subspan(begin, group.size()));
  };
  in_groups<Searcher>(asking, positions, ask);
  return moves;
}

std::vector<env::Move> ask_player(const Asking& asking, const PlayerFactory& make,
                                  std::span<const TruthPosition> positions) {
  std::vector<env::Move> moves(positions.size());
  const auto ask = [&](std::size_t begin, std::span<const TruthPosition> group,
                       std::unique_ptr<mcts::Player>& player) {
    if (!player) player = make();
    std::vector<env::Game> games;
    std::vector<std::uint64_t> ids;
    for (const auto& position : group) {
      games.emplace_back(asking.rules, position.board);
      ids.push_back(begin + ids.size());
    }
    std::vector<const env::Game*> pointers;
    for (const auto& game : games)
      pointers.push_back(&game);
    player->choose_moves(pointers, ids, std::span(moves).subspan(begin, group.size()));
  };
  in_groups<mcts::Player>(asking, positions, ask);
  return moves;
}

std::vector<std::string> own_games(const Asking& asking, const PlayerFactory& make, int count,
                                   std::uint64_t seed) {
  auto games = games_from_openings(asking.rules, count, seed);
  Arena arena(asking.rules, asking.threads, make, make);
  arena.play(games, 0, asking.on_answered);
  std::vector<std::string> moves;
  for (auto& game : games)
    moves.push_back(std::move(game.moves));
  return moves;
}

}  // namespace awale::training
