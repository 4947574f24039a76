#include "training/relabel_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mcts/batched_search.hpp"
#include "training/parallel.hpp"
#include "training/search_record.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kBatch = 256;  // as many trees as a group of self-play has

struct PlyPlace {
  std::size_t game = 0;
  std::size_t ply = 0;
};

// Searched plies of games by one rule set.
std::vector<PlyPlace> searched_plies(std::span<const GameRecord> games, std::size_t rules_index) {
  std::vector<PlyPlace> places;
  for (std::size_t game = 0; game < games.size(); ++game) {
    if (games[game].rules_index != rules_index) continue;
    for (std::size_t ply = 0; ply < games[game].plies.size(); ++ply) {
      if ((games[game].plies[ply].flags & kUnsearchedPly) == 0) places.push_back({game, ply});
    }
  }
  return places;
}

// Since the last capture, the position itself last.
std::vector<env::Board> history_of(const GameRecord& game, std::size_t ply) {
  std::vector<env::Board> history;
  for (std::size_t i = ply - game.plies[ply].position.quiet_plies; i <= ply; ++i)
    history.push_back(game.plies[i].position.board);
  return history;
}

env::Move best_move(const PlyRecord& ply) {
  const auto largest = [](const auto& shares) {
    return static_cast<env::Move>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  };
  return (ply.flags & kFastSearch) != 0 ? largest(ply.visits) : largest(ply.policy);
}

void count_change(const PlyRecord& before, const PlyRecord& after, SearchRelabelCounts& counts) {
  ++counts.searched;
  if (best_move(before) != best_move(after)) ++counts.other_best;
  if (before.root_value * after.root_value < 0) ++counts.changed_sign;
  counts.value_change += std::abs(before.root_value - after.root_value);
  counts.margin_change_seeds += std::abs(before.root_margin_seeds - after.root_margin_seeds);
}

// What one thread works with.
struct Worker {
  std::unique_ptr<nn::Evaluator> evaluator;
  std::unique_ptr<mcts::BatchedSearch> search;
  SearchRelabelCounts counts;
};

void search_again(const SearchRelabelSetup& setup, std::span<GameRecord> games,
                  std::span<const PlyPlace> places, Worker& worker) {
  std::vector<std::vector<env::Board>> histories;
  for (const auto& place : places)
    histories.push_back(history_of(games[place.game], place.ply));
  std::vector<mcts::SearchRoot> roots;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& game = games[places[i].game];
    roots.push_back(
        {game.plies[places[i].ply].position, histories[i], game.game_id, 0, /*noise=*/false});
  }
  std::vector<mcts::SearchResult> results(roots.size());
  worker.search->run(roots, *worker.evaluator, results);
  for (std::size_t i = 0; i < places.size(); ++i) {
    PlyRecord& ply = games[places[i].game].plies[places[i].ply];
    const PlyRecord before = ply;
    record_search(results[i], setup.search.margin_weight, /*full=*/true, ply);
    count_change(before, ply, worker.counts);
  }
}

void relabel_rule_set(const SearchRelabelSetup& setup, std::size_t rules_index,
                      std::span<GameRecord> games, SearchRelabelCounts& counts) {
  const auto places = searched_plies(games, rules_index);
  const std::size_t batches = (places.size() + kBatch - 1) / kBatch;
  std::vector<Worker> workers(static_cast<std::size_t>(setup.threads));
  // A batch's sums are added in the order of the batches, so that threads change nothing.
  std::vector<SearchRelabelCounts> parts(batches);
  run_jobs(setup.threads, static_cast<int>(batches), [&](int job, int thread) {
    if (setup.interrupted()) return;
    Worker& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker.evaluator) {
      worker.evaluator = setup.make_evaluator();
      worker.search =
          std::make_unique<mcts::BatchedSearch>(setup.rules[rules_index], setup.search, 0);
    }
    const std::size_t first = static_cast<std::size_t>(job) * kBatch;
    const std::size_t count = std::min(kBatch, places.size() - first);
    worker.counts = {};
    search_again(setup, games, std::span(places).subspan(first, count), worker);
    parts[static_cast<std::size_t>(job)] = worker.counts;
    setup.on_progress(count);
  });
  for (const auto& part : parts)
    counts = counts + part;
}

}  // namespace

SearchRelabelCounts operator+(const SearchRelabelCounts& left, const SearchRelabelCounts& right) {
  return {left.games + right.games,
          left.plies + right.plies,
          left.searched + right.searched,
          left.other_best + right.other_best,
          left.changed_sign + right.changed_sign,
          left.value_change + right.value_change,
          left.margin_change_seeds + right.margin_change_seeds};
}

bool relabel_by_search(const SearchRelabelSetup& setup, std::span<GameRecord> games,
                       SearchRelabelCounts& counts) {
  for (std::size_t index = 0; index < setup.rules.size(); ++index)
    relabel_rule_set(setup, index, games, counts);
  counts.games += games.size();
  for (const auto& game : games)
    counts.plies += game.plies.size();
  return !setup.interrupted();
}

}  // namespace awale::training
