#include "training/benchmark/env_workloads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "env/batch_env.hpp"
#include "env/random_moves.hpp"

namespace awale::training {
namespace {

constexpr const char* kNaive = "naive";
constexpr const char* kScalar = "scalar";

// No random game is much longer; after so many plies the games are of all ages.
constexpr int kWarmUpPlies = 300;

// Chooses the moves of each ply; the rest is the contestants'.
class Rollout : public Workload {
 public:
  Rollout(int games, std::uint64_t seed, const env::Kernel& kernel)
      : moves_(static_cast<std::size_t>(games)), seed_(seed), kernel_(&kernel) {}

  long run() override {
    env::random_moves(legal_masks(), seed_, step_++, moves_, *kernel_);
    play(moves_);
    return static_cast<long>(moves_.size());
  }

 protected:
  virtual std::span<const env::LegalMask> legal_masks() const = 0;
  // One ply in every game; games that end start again.
  virtual void play(std::span<const env::Move> moves) = 0;

 private:
  std::vector<env::Move> moves_;
  std::uint64_t seed_;
  std::uint32_t step_ = 0;
  const env::Kernel* kernel_;
};

class NaiveRollout : public Rollout {
 public:
  NaiveRollout(const env::RuleSet& rules, int games, std::uint64_t seed)
      : Rollout(games, seed, env::kernels().front()),
        start_(rules),
        games_(static_cast<std::size_t>(games), start_),
        legal_(games_.size(), start_.legal()) {}

 protected:
  std::span<const env::LegalMask> legal_masks() const override { return legal_; }
  void play(std::span<const env::Move> moves) override {
    for (std::size_t i = 0; i < games_.size(); ++i) {
      games_[i].play(moves[i]);
      if (games_[i].over()) games_[i] = start_;
      legal_[i] = games_[i].legal();
    }
  }

 private:
  env::Game start_;
  std::vector<env::Game> games_;
  std::vector<env::LegalMask> legal_;
};

class ScalarRollout : public Rollout {
 public:
  ScalarRollout(const env::RuleSet& rules, int games, std::uint64_t seed)
      : Rollout(games, seed, env::kernels().front()),
        rules_(rules),
        boards_(static_cast<std::size_t>(games), env::initial_board()),
        plies_(boards_.size(), 0),
        legal_(boards_.size(), kAllMoves) {
    if (rules.repetition_occurrence > 0) histories_.assign(boards_.size(), {env::initial_board()});
  }

 protected:
  std::span<const env::LegalMask> legal_masks() const override { return legal_; }
  void play(std::span<const env::Move> moves) override {
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      env::Board& board = boards_[i];
      const int captured = env::play(rules_, board, moves[i]);
      legal_[i] = env::legal_moves(rules_, board);
      const int occurrences = histories_.empty() ? 1 : occurrences_of(i, captured > 0);
      if (end_reason(rules_, board, legal_[i], occurrences, ++plies_[i]) != env::EndReason::kNone) {
        restart(i);
      }
    }
  }

 private:
  static constexpr env::LegalMask kAllMoves = (1 << env::kMoves) - 1;

  int occurrences_of(std::size_t game, bool captured) {
    std::vector<env::Board>& history = histories_[game];
    if (captured) history.clear();
    history.push_back(boards_[game]);
    if (history.size() <= env::kShortestCyclePlies) return 1;
    return env::count_occurrences(history, boards_[game]);
  }

  void restart(std::size_t game) {
    boards_[game] = env::initial_board();
    plies_[game] = 0;
    legal_[game] = kAllMoves;
    if (!histories_.empty()) histories_[game].assign(1, boards_[game]);
  }

  env::RuleSet rules_;
  std::vector<env::Board> boards_;
  std::vector<int> plies_;
  std::vector<std::vector<env::Board>> histories_;  // since the last capture; empty where it is
                                                    // not counted
  std::vector<env::LegalMask> legal_;
};

class BatchRollout : public Rollout {
 public:
  BatchRollout(const env::RuleSet& rules, int games, std::uint64_t seed, const env::Kernel& kernel)
      : Rollout(games, seed, kernel), env_(rules, games, kernel) {}

 protected:
  std::span<const env::LegalMask> legal_masks() const override { return env_.legal_masks(); }
  void play(std::span<const env::Move> moves) override {
    env_.step(moves);
    env_.reset(env_.finished());
  }

 private:
  env::BatchEnv env_;
};

// A kernel's step again and again with the same random moves, with nothing around it.
class StepAlone : public Workload {
 public:
  using Step = void (*)(const env::KernelStep&);

  StepAlone(Step step, const env::RuleSet& rules, int games)
      : step_(step),
        rules_(rules),
        blocks_(static_cast<std::size_t>(games) / env::kBlockGames),
        legal_(blocks_.size() * env::kBlockGames, (1 << env::kMoves) - 1),
        moves_(legal_.size()) {
    for (env::Block& block : blocks_) {
      std::memset(&block, 0, sizeof(block));
      std::memset(&block.pits, 4, sizeof(block.pits));
    }
    env::random_moves(legal_, 1, 0, moves_);
  }

  long run() override {
    env::KernelStep step = {};
    step.rules = &rules_;
    step.block = blocks_.data();
    step.legal = legal_.data();
    step.moves = moves_.data();
    step.blocks = static_cast<int>(blocks_.size());
    step_(step);
    return static_cast<long>(moves_.size());
  }

 private:
  Step step_;
  env::KernelRules rules_;
  std::vector<env::Block> blocks_;
  std::vector<env::LegalMask> legal_;
  std::vector<env::Move> moves_;
};

class RandomMovesAlone : public Workload {
 public:
  RandomMovesAlone(const env::Kernel& kernel, int games)
      : kernel_(&kernel),
        legal_(static_cast<std::size_t>(games), 0b110101),
        moves_(legal_.size()) {}

  long run() override {
    env::random_moves(legal_, 1, step_++, moves_, *kernel_);
    return static_cast<long>(moves_.size());
  }

 private:
  const env::Kernel* kernel_;
  std::vector<env::LegalMask> legal_;
  std::vector<env::Move> moves_;
  std::uint32_t step_ = 0;
};

// The rows of a block that a step reads and writes where repetition does not count.
class CopyAlone : public Workload {
 public:
  explicit CopyAlone(int games)
      : from_(static_cast<std::size_t>(games) / env::kBlockGames), to_(from_.size()) {}

  long run() override {
    for (std::size_t i = 0; i < from_.size(); ++i)
      std::memcpy(&to_[i], &from_[i], offsetof(env::Block, quiet_start));
    std::swap(from_, to_);
    return static_cast<long>(from_.size()) * env::kBlockGames;
  }

 private:
  std::vector<env::Block> from_;
  std::vector<env::Block> to_;
};

std::unique_ptr<Workload> make_cold(const std::string& name, const env::RuleSet& rules, int games,
                                    std::uint64_t seed) {
  if (name == kNaive) return std::make_unique<NaiveRollout>(rules, games, seed);
  if (name == kScalar) return std::make_unique<ScalarRollout>(rules, games, seed);
  return std::make_unique<BatchRollout>(rules, games, seed, env::kernel(name));
}

}  // namespace

std::vector<std::string> env_contestants() {
  std::vector<std::string> names;
  for (const env::Kernel& kernel : env::kernels())
    names.insert(names.begin(), kernel.name);
  names.insert(names.begin(), {kNaive, kScalar});
  return names;
}

std::unique_ptr<Workload> make_env_workload(const std::string& name, const env::RuleSet& rules,
                                            int games, std::uint64_t seed) {
  auto workload = make_cold(name, rules, games, seed);
  for (int ply = 0; ply < kWarmUpPlies; ++ply)
    workload->run();
  return workload;
}

std::vector<Contestant> make_env_limits(const env::Kernel& kernel, const env::RuleSet& rules,
                                        int games) {
  std::vector<Contestant> limits;
  const auto add = [&](const std::string& name, std::unique_ptr<Workload> workload) {
    limits.push_back({name, {}});
    limits.back().workloads.push_back(std::move(workload));
  };
  const std::string name = kernel.name;
  add(name + " random moves only", std::make_unique<RandomMovesAlone>(kernel, games));
  add(name + " step only", std::make_unique<StepAlone>(kernel.step, rules, games));
  add(name + " step without legality",
      std::make_unique<StepAlone>(kernel.step_without_legality, rules, games));
  add(name + " step without capture",
      std::make_unique<StepAlone>(kernel.step_without_capture, rules, games));
  add("memory copy of the same bytes", std::make_unique<CopyAlone>(games));
  return limits;
}

}  // namespace awale::training
