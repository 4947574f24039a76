#include "mcts/split_search.hpp"

#include <bit>
#include <exception>
#include <map>
#include <utility>

#include "env/error.hpp"
#include "mcts/gumbel.hpp"
#include "mcts/halving.hpp"
#include "mcts/root_policy.hpp"
#include "mcts/root_setup.hpp"
#include "mcts/simulation.hpp"
#include "nn/worker_thread.hpp"

namespace awale::mcts {
namespace {

template <typename Visit>
void for_each_move(env::LegalMask mask, const Visit& visit) {
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((mask >> move & 1) != 0) visit(move);
  }
}

}  // namespace

struct SplitSearch::Impl {
  // What one thread works with, on cache lines of its own.
  struct alignas(128) Lane {
    Lane(Impl& owner, bool first);
    void search(Impl& owner) {
      lock_step.run(owner.trees, owner.searches, std::span(moves).first(count), *evaluator);
    }

    LockStep lock_step;
    nn::Evaluator* evaluator = nullptr;
    std::array<int, env::kMoves> moves = {};  // whose trees it searches now: the first `count`
    std::size_t count = 0;
    std::unique_ptr<nn::WorkerThread> thread;  // none of the caller's; last: it uses the others
  };

  Impl(const env::RuleSet& search_rules, const SearchConfig& config, std::uint64_t seed,
       int threads);

  const std::vector<HalvingPhase>& schedule(int simulations);
  void begin(const SearchRoot& root);
  void search(const HalvingPhase& phase);
  void add_visits(env::LegalMask moves, int visits);
  void search_lanes();
  Node merged_root() const;
  SearchResult result() const;

  env::RuleSet rules;
  RootSetup setup;
  RootSearch whole;           // the search of the root itself
  nn::Evaluation evaluation;  // of the root
  env::LegalMask legal = 0;
  env::Move best = env::kNoMove;
  std::uint64_t simulations = 0;
  std::vector<Tree> trees;           // [A] a move: the root and what lies below this move
  std::vector<RootSearch> searches;  // [A]
  std::map<std::pair<int, int>, std::vector<HalvingPhase>> schedules;  // by moves and simulations
  std::vector<std::unique_ptr<Lane>> lanes;  // a thread; last: they use the others
};

SplitSearch::Impl::Lane::Lane(Impl& owner, bool first)
    : lock_step(owner.rules, owner.setup.config()) {
  if (!first) thread = std::make_unique<nn::WorkerThread>([this, &owner] { search(owner); });
}

SplitSearch::Impl::Impl(const env::RuleSet& search_rules, const SearchConfig& config,
                        std::uint64_t seed, int threads)
    : rules(search_rules), setup(rules, config, seed), searches(env::kMoves) {
  AWALE_CHECK(config.algorithm == Algorithm::kGumbel, to_string(config.algorithm));
  AWALE_CHECK(threads >= 1 && threads <= kMostThreads, threads << " threads");
  for (int move = 0; move < env::kMoves; ++move)
    trees.emplace_back(config.simulations + 1);
  for (int thread = 0; thread < threads; ++thread)
    lanes.push_back(std::make_unique<Lane>(*this, thread == 0));
}

const std::vector<HalvingPhase>& SplitSearch::Impl::schedule(int simulations_of_search) {
  const int moves = setup.considered_moves(trees.front().root());
  const auto [entry, is_new] = schedules.try_emplace({moves, simulations_of_search});
  if (is_new) entry->second = halving_phases(moves, simulations_of_search);
  return entry->second;
}

// Each tree gets the real root, illegal moves' trees too, which are never continued.
void SplitSearch::Impl::begin(const SearchRoot& root) {
  legal = setup.legal_moves(root);
  whole = setup.search_of(root);
  for (Tree& tree : trees)
    tree.reset(root.position, root.history, legal);
  Lane& lane = *lanes.front();
  evaluation = lane.lock_step.evaluate_roots(std::span(trees).first(1), *lane.evaluator).front();
  for (env::Move move = 0; move < env::kMoves; ++move) {
    expand(trees[move].root(), evaluation, setup.config());
    searches[move] = whole;
    searches[move].simulations = 0;
    searches[move].only_move = move;
  }
  setup.add_noise(root, trees.front().root(), whole);
}

// A pass in which there are more moves than get a visit chooses one by one, because what comes out
// of one may change whether the next one's value is kept within its bounds.
void SplitSearch::Impl::search(const HalvingPhase& phase) {
  env::LegalMask moves = 0;
  for_each_move(legal, [&](env::Move move) {
    if (searches[move].simulations == phase.visits_before) moves |= 1 << move;
  });
  int visits = phase.visits;
  if (std::popcount(unsigned{moves}) > phase.moves) {
    moves = 0;
    for (int chosen = 0; chosen < phase.moves; ++chosen) {
      const env::Move move = select_gumbel_root(merged_root(), whole, phase.visits_before);
      moves |= 1 << move;
      add_visits(1 << move, 1);
    }
    --visits;
  }
  if (visits > 0) add_visits(moves, visits);
}

void SplitSearch::Impl::add_visits(env::LegalMask moves, int visits) {
  for (auto& lane : lanes)
    lane->count = 0;
  std::size_t next = 0;
  for_each_move(moves, [&](env::Move move) {
    searches[move].simulations += visits;
    Lane& lane = *lanes[next++ % lanes.size()];
    lane.moves[lane.count++] = move;
  });
  search_lanes();
}

void SplitSearch::Impl::search_lanes() {
  const auto busy = [](const auto& lane) { return lane->thread && lane->count > 0; };
  for (auto& lane : lanes) {
    if (busy(lane)) lane->thread->begin();
  }
  std::exception_ptr error;
  try {
    lanes.front()->search(*this);
  } catch (...) {
    error = std::current_exception();
  }
  for (auto& lane : lanes) {
    if (!busy(lane)) continue;
    const auto other = lane->thread->finish();
    if (!error) error = other;
  }
  if (error) std::rethrow_exception(error);
}

// The root as one tree would have it.
Node SplitSearch::Impl::merged_root() const {
  Node root = trees.front().root();
  root.flags = Node::kExpanded;
  root.total_visits = 0;
  for_each_move(legal, [&](env::Move move) {
    const Node& own = trees[move].root();
    root.visits[move] = own.visits[move];
    root.value_sums[move] = own.value_sums[move];
    root.lower_seeds[move] = own.lower_seeds[move];
    root.upper_seeds[move] = own.upper_seeds[move];
    root.total_visits = static_cast<std::uint16_t>(root.total_visits + own.total_visits);
    root.flags |= own.flags & Node::kBounded;
  });
  const int lower = lower_bound_seeds(root);
  if ((root.flags & Node::kBounded) != 0 && lower == upper_bound_seeds(root)) {
    root.flags |= Node::kSolved;
    root.final_margin_seeds = static_cast<std::int8_t>(lower);
  }
  return root;
}

SearchResult SplitSearch::Impl::result() const {
  const Node root = merged_root();
  std::array<float, env::kMoves> margins_seeds = {};
  for (env::Move move = 0; move < env::kMoves; ++move) {
    // With the merged flags: whether bounds count is a matter of the whole root.
    const Tree& tree = trees[move];
    Node own = tree.root();
    own.flags = root.flags;
    margins_seeds[move] = tree.mean_margin_seeds(own, move);
  }
  SearchResult result = root_result(root, margins_seeds, whole);
  result.priors = root.priors;
  result.network = evaluation;
  return result;
}

SplitSearch::SplitSearch(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed,
                         int threads)
    : impl_(std::make_unique<Impl>(rules, config, seed, threads)) {}

SplitSearch::~SplitSearch() = default;

SearchResult SplitSearch::run(const SearchRoot& root,
                              std::span<const std::unique_ptr<nn::Evaluator>> evaluators) {
  AWALE_CHECK(evaluators.size() == impl_->lanes.size(),
              evaluators.size() << " evaluators, " << impl_->lanes.size() << " threads");
  for (std::size_t i = 0; i < evaluators.size(); ++i)
    impl_->lanes[i]->evaluator = evaluators[i].get();
  impl_->begin(root);
  for (const HalvingPhase& phase : impl_->schedule(impl_->whole.simulations))
    impl_->search(phase);
  impl_->simulations += static_cast<std::uint64_t>(impl_->whole.simulations);
  const SearchResult result = impl_->result();
  impl_->best = result.best;
  return result;
}

std::vector<env::Move> SplitSearch::principal_variation(int max_plies) const {
  AWALE_CHECK(impl_->best != env::kNoMove, "no search yet");
  return mcts::principal_variation(impl_->trees[impl_->best], impl_->best, impl_->setup.config(),
                                   max_plies);
}

SearchStats SplitSearch::stats() const {
  SearchStats sum;
  sum.simulations = impl_->simulations;
  for (const auto& lane : impl_->lanes) {
    const SearchStats& stats = lane->lock_step.stats();
    sum.evaluations += stats.evaluations;
    sum.batches += stats.batches;
    sum.evaluator_seconds += stats.evaluator_seconds;
    sum.selection_seconds += stats.selection_seconds;
    sum.backup_seconds += stats.backup_seconds;
  }
  return sum;
}

}  // namespace awale::mcts
