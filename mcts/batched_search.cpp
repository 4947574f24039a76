#include "mcts/batched_search.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "env/error.hpp"
#include "mcts/gumbel.hpp"
#include "mcts/root_policy.hpp"
#include "mcts/root_setup.hpp"
#include "mcts/simulation.hpp"
#include "mcts/tree_reuse.hpp"

namespace awale::mcts {
namespace {

// considered_visits() for each number of legal moves.
using Halving = std::array<std::vector<std::uint16_t>, env::kMoves + 1>;

// A tree that is gone on with may already hold so many times what a search adds. More is seldom
// found again, but in lines of forced moves it would grow without end.
constexpr int kMostEarlierSearches = 3;

int tree_capacity(const SearchConfig& config) {
  const int searches = config.reuse_tree ? 1 + kMostEarlierSearches : 1;
  return std::min(searches * config.simulations + 1, kMostNodes);
}

// Whether `simulations` more have room in a tree that begins with what it holds now.
bool has_room(const Tree& tree, int simulations) {
  const int most = kMostEarlierSearches * simulations;
  return tree.size() <= most && tree.root().total_visits <= most &&
         std::max<int>(tree.size(), tree.root().total_visits) + simulations <= kMostNodes;
}

}  // namespace

struct BatchedSearch::Impl {
  Impl(const env::RuleSet& rules, const SearchConfig& search_config, std::uint64_t seed)
      : setup(rules, search_config, seed), lock_step(rules, setup.config()) {}

  const SearchConfig& config() const { return setup.config(); }
  void start(std::span<const SearchRoot> roots);
  void start_tree(int index, const SearchRoot& root);
  void begin_search(int index, const SearchRoot& root, const nn::Evaluation& evaluation,
                    SearchResult& result);
  const std::uint16_t* considered(const Node& root, int simulations);
  SearchResult result(int index) const;
  void write_results(std::span<SearchResult> results) const;

  RootSetup setup;
  LockStep lock_step;
  std::uint64_t simulations_done = 0;
  std::vector<Tree> trees;  // one a game, more where an earlier run had more games
  std::vector<RootSearch> searches;
  std::vector<int> all;  // 0, 1, ... N - 1
  TreeReuse reuse;
  std::map<int, Halving> halvings;  // by the number of simulations
  int games = 0;                    // N of the last run
};

void BatchedSearch::Impl::start(std::span<const SearchRoot> roots) {
  games = static_cast<int>(roots.size());
  while (trees.size() < roots.size())
    trees.emplace_back(tree_capacity(config()));
  searches.resize(roots.size());
  all.resize(roots.size());
  std::iota(all.begin(), all.end(), 0);
  if (config().reuse_tree) reuse.assign(roots, trees);
  for (int i = 0; i < games; ++i)
    start_tree(i, roots[static_cast<std::size_t>(i)]);
}

void BatchedSearch::Impl::start_tree(int index, const SearchRoot& root) {
  const env::LegalMask legal = setup.legal_moves(root);
  auto& tree = trees[static_cast<std::size_t>(index)];
  RootSearch& search = searches[static_cast<std::size_t>(index)];
  search = setup.search_of(root);
  const bool found = config().reuse_tree && reuse.descend(tree, index, root);
  if (found && tree.root().legal == legal && has_room(tree, search.simulations)) {
    search.earlier_visits = tree.root().visits;
    search.simulations += tree.root().total_visits;
  } else {
    tree.reset(root.position, root.history, legal);
  }
}

void BatchedSearch::Impl::begin_search(int index, const SearchRoot& root,
                                       const nn::Evaluation& evaluation, SearchResult& result) {
  const auto game = static_cast<std::size_t>(index);
  Node& node = trees[game].root();
  RootSearch& search = searches[game];
  if ((node.flags & Node::kExpanded) == 0) expand(node, evaluation, config());
  result.network = evaluation;
  result.priors = node.priors;
  setup.add_noise(root, node, search);
  if (config().algorithm == Algorithm::kGumbel)
    search.considered = considered(node, search.simulations - search.earlier_simulations());
}

const std::uint16_t* BatchedSearch::Impl::considered(const Node& root, int simulations) {
  const auto [entry, is_new] = halvings.try_emplace(simulations);
  Halving& halving = entry->second;
  for (int moves = 1; is_new && moves <= env::kMoves; ++moves)
    halving[static_cast<std::size_t>(moves)] = considered_visits(moves, simulations);
  return halving[static_cast<std::size_t>(setup.considered_moves(root))].data();
}

SearchResult BatchedSearch::Impl::result(int index) const {
  const auto game = static_cast<std::size_t>(index);
  const Tree& tree = trees[game];
  std::array<float, env::kMoves> margins_seeds = {};
  for (env::Move move = 0; move < env::kMoves; ++move)
    margins_seeds[move] = tree.mean_margin_seeds(tree.root(), move);
  return root_result(tree.root(), margins_seeds, searches[game]);
}

void BatchedSearch::Impl::write_results(std::span<SearchResult> results) const {
  for (int index = 0; index < games; ++index) {
    const auto i = static_cast<std::size_t>(index);
    SearchResult result = this->result(index);
    result.priors = results[i].priors;
    result.network = results[i].network;
    results[i] = result;
  }
}

BatchedSearch::BatchedSearch(const env::RuleSet& rules, const SearchConfig& config,
                             std::uint64_t seed)
    : impl_(std::make_unique<Impl>(rules, config, seed)) {}

BatchedSearch::~BatchedSearch() = default;

void BatchedSearch::run(std::span<const SearchRoot> roots, nn::Evaluator& evaluator,
                        std::span<SearchResult> results) {
  AWALE_CHECK(roots.size() == results.size(), roots.size()
                                                  << " roots, " << results.size() << " results");
  impl_->start(roots);
  const auto trees = std::span(impl_->trees).first(roots.size());
  const auto evaluations = impl_->lock_step.evaluate_roots(trees, evaluator);
  for (std::size_t i = 0; i < roots.size(); ++i)
    impl_->begin_search(static_cast<int>(i), roots[i], evaluations[i], results[i]);
  impl_->lock_step.run(trees, impl_->searches, impl_->all, evaluator);
  for (const auto& search : impl_->searches)
    impl_->simulations_done +=
        static_cast<std::uint64_t>(search.simulations - search.earlier_simulations());
  impl_->write_results(results);
}

void BatchedSearch::forget_trees() {
  impl_->reuse.forget();
}

std::vector<env::Move> BatchedSearch::principal_variation(int index, int max_plies) const {
  const Tree& line = tree(index);
  return mcts::principal_variation(line, impl_->result(index).best, impl_->config(), max_plies);
}

const Tree& BatchedSearch::tree(int index) const {
  AWALE_CHECK(index >= 0 && index < impl_->games, "tree " << index << " of " << impl_->games);
  return impl_->trees[static_cast<std::size_t>(index)];
}

std::size_t BatchedSearch::bytes() const {
  const auto bytes_of = [](const auto& values) { return values.capacity() * sizeof(values[0]); };
  std::size_t bytes = bytes_of(impl_->trees) + bytes_of(impl_->searches) + bytes_of(impl_->all) +
                      impl_->lock_step.bytes();
  for (const Tree& tree : impl_->trees)
    bytes += tree.bytes();
  return bytes;
}

SearchStats BatchedSearch::stats() const {
  SearchStats stats = impl_->lock_step.stats();
  stats.simulations = impl_->simulations_done;
  return stats;
}

}  // namespace awale::mcts
