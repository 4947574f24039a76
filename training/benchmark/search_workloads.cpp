#include "training/benchmark/search_workloads.hpp"

#include "env/game.hpp"
#include "env/random.hpp"

namespace awale::training {
namespace {

// Games start at the same time; after so many plies most have ended once, so all ages are there.
constexpr int kPliesBefore = 8;
constexpr int kMostRandomPlies = 60;

env::Position random_position(const env::RuleSet& rules, std::uint64_t seed, std::uint64_t game) {
  env::RandomStream stream(seed, env::RandomPurpose::kRollout, game, 0);
  env::Game state(rules);
  env::Position position = state.position();
  for (auto left = stream.below(kMostRandomPlies); left > 0; --left) {
    state.play(env::random_move(state.legal(), stream));
    if (state.over()) break;
    position = state.position();
  }
  return position;
}

}  // namespace

SelfPlayWorkload::SelfPlayWorkload(const SelfPlaySetup& setup,
                                   std::unique_ptr<nn::Evaluator> evaluator)
    : group_(setup, 0),
      evaluator_(std::move(evaluator)),
      games_(static_cast<std::uint64_t>(setup.config.games)),
      simulations_(setup.search.simulations) {
  group_.advance(kPliesBefore, 0, simulations_, *evaluator_, finished_);
}

long SelfPlayWorkload::run() {
  const auto rows = evaluator_->stats().rows;
  finished_.clear();
  group_.advance(1, 0, simulations_, *evaluator_, finished_);
  moves_ += games_;
  return static_cast<long>(evaluator_->stats().rows - rows);
}

BareWorkload::BareWorkload(const env::RuleSet& rules, int count, std::uint64_t seed,
                           std::unique_ptr<nn::Evaluator> evaluator)
    : rules_(rules),
      evaluator_(std::move(evaluator)),
      evaluations_(static_cast<std::size_t>(count)) {
  for (int i = 0; i < count; ++i)
    positions_.push_back(random_position(rules, seed, static_cast<std::uint64_t>(i)));
}

long BareWorkload::run() {
  evaluator_->evaluate(rules_, positions_, evaluations_);
  return static_cast<long>(positions_.size());
}

}  // namespace awale::training
