#include "env/endgame/layer_solver.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <string>
#include <utility>

#include "env/endgame/parallel.hpp"
#include "env/endgame/quiet_predecessors.hpp"
#include "env/error.hpp"

namespace awale::env {
namespace {

constexpr int kCountBits = 3;  // six moves at most
constexpr int kCountMask = (1 << kCountBits) - 1;
static_assert(kMaxEndgameSeeds < 1 << (8 - kCountBits));

constexpr std::uint64_t kForwardPiece = 1 << 14;
constexpr std::uint64_t kScanPiece = 1 << 18;
constexpr std::uint64_t kBackwardPiece = 1 << 10;

// All zero, on large pages where the system has them: a layer is read and written all over, and
// with small pages every access would miss the translation cache, too.
template <typename Value>
void fill_with_zeros(std::vector<Value>& values, std::size_t size) {
  values.clear();
  values.reserve(size);
  constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(values.data());
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (begin + size * sizeof(Value)) / kLargePage * kLargePage;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
  values.resize(size);
}

}  // namespace

LayerSolver::LayerSolver(const RuleSet& rules, int threads)
    : rules_(rules), cycles_(cycle_score(rules)), threads_(threads) {}

std::size_t LayerSolver::bytes(std::size_t pending) const {
  return guarantees_.size() * sizeof(Guarantees) + open_.size() + pending * sizeof(PackedRows);
}

void LayerSolver::solve(int seeds, const GuaranteeArray& lower, std::size_t memory_bytes,
                        const Report& report) {
  seeds_ = seeds;
  begin_ = layer_begin(seeds);
  fill_with_zeros(guarantees_, layer_size(seeds));
  fill_with_zeros(open_, layer_size(seeds));
  peak_bytes_ = bytes(0);
  look_forward(lower, report);
  std::uint64_t unreported = guarantees_.size() - guarantees_.size() / 2;
  for (int level = seeds; level > 0; --level) {
    for (Frontier frontier = certain_at(level); frontier.size() > 0;) {
      Frontier next = step_back(frontier, level);
      peak_bytes_ = std::max(peak_bytes_, bytes(frontier.size() + next.size()));
      if (peak_bytes_ > memory_bytes) {
        throw InputError(ErrorKind::kUsage, "memory: the layer of " + std::to_string(seeds) +
                                                " seeds needs more than " +
                                                std::to_string(memory_bytes >> 20) + " MiB");
      }
      frontier = std::move(next);
    }
    const std::uint64_t share = unreported / static_cast<std::uint64_t>(level);
    report(share);
    unreported -= share;
  }
}

// What the moves out of the layer guarantee, and how many moves stay in it.
void LayerSolver::look_forward(const GuaranteeArray& lower, const Report& report) {
  run_in_pieces(threads_, guarantees_.size(), kForwardPiece,
                [&](int, std::uint64_t begin, std::uint64_t end) {
                  Rows rows = board_at(begin_ + begin);
                  for (std::uint64_t place = begin; place < end; ++place) {
                    open_board(rows, place, lower);
                    if (place + 1 < end) advance_in_layer(rows);
                  }
                  report(end / 2 - begin / 2);
                });
}

void LayerSolver::open_board(const Rows& rows, std::uint64_t place, const GuaranteeArray& lower) {
  const Board board = to_board(rows);
  const LegalMask legal = legal_moves(rules_, board);
  if (legal == 0) {
    guarantees_[place] = final_guarantees(cycles_, rows);
    return;
  }
  int quiet = 0;
  Guarantees exits = {0, static_cast<std::uint8_t>(seeds_)};
  for (LegalMask left = legal; left != 0; left = static_cast<LegalMask>(left & (left - 1))) {
    Board child = board;
    const int captured = play(rules_, child, static_cast<Move>(std::countr_zero(left)));
    if (captured == 0) {
      ++quiet;
      continue;
    }
    const Guarantees exit = after_move(cycles_, captured, lower[board_index(to_rows(child))]);
    exits.win = std::max(exits.win, exit.win);
    exits.loss = std::min(exits.loss, exit.loss);
  }
  guarantees_[place] = {exits.win, quiet == 0 ? exits.loss : std::uint8_t{0}};
  open_[place] = static_cast<std::uint8_t>(exits.loss << kCountBits | quiet);
}

// The boards that guarantee `level` without a board that has become certain at this level.
LayerSolver::Frontier LayerSolver::certain_at(int level) {
  std::vector<Frontier> found(static_cast<std::size_t>(threads_));
  run_in_pieces(threads_, guarantees_.size(), kScanPiece,
                [&](int thread, std::uint64_t begin, std::uint64_t end) {
                  for (std::uint64_t place = begin; place < end; ++place) {
                    const Guarantees board = guarantees_[place];
                    if (board.win != level && board.loss != level) continue;
                    const PackedRows rows = pack(board_at(begin_ + place));
                    if (board.win == level) found[thread].wins.push_back(rows);
                    if (board.loss == level) found[thread].losses.push_back(rows);
                  }
                });
  for (std::size_t thread = 1; thread < found.size(); ++thread) {
    auto& all = found.front();
    all.wins.insert(all.wins.end(), found[thread].wins.begin(), found[thread].wins.end());
    all.losses.insert(all.losses.end(), found[thread].losses.begin(), found[thread].losses.end());
  }
  return std::move(found.front());
}

// Tells predecessors of boards that have become certain, some time after it has asked for their
// memory, because they lie anywhere in the layer.
class LayerSolver::Backwards {
 public:
  Backwards(LayerSolver& layer, int level, Frontier& next)
      : layer_(layer), level_(static_cast<std::uint8_t>(level)), next_(next) {}

  // `rows` guarantees the level to its player to move: not a move for the opponent to choose.
  void tell_of_win(const Rows& rows) {
    for_each_quiet_predecessor(layer_.rules_, rows, [this](const Rows& before) {
      const std::uint64_t place = board_index(before) - layer_.begin_;
      __builtin_prefetch(&layer_.open_[place], 1);
      exchange(refutations_, before, place, [this](const Waiting& waiting) { refute(waiting); });
    });
  }

  // `rows` guarantees the level to who has moved there.
  void tell_of_loss(const Rows& rows) {
    for_each_quiet_predecessor(layer_.rules_, rows, [this](const Rows& before) {
      const std::uint64_t place = board_index(before) - layer_.begin_;
      __builtin_prefetch(&layer_.guarantees_[place], 1);
      exchange(wins_, before, place, [this](const Waiting& waiting) { win(waiting); });
    });
  }

  void finish() {
    for (int i = 0; i < kQueue; ++i) {
      exchange(refutations_, {}, kNobody, [this](const Waiting& waiting) { refute(waiting); });
      exchange(wins_, {}, kNobody, [this](const Waiting& waiting) { win(waiting); });
    }
  }

 private:
  static constexpr int kQueue = 16;
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  struct Waiting {
    Rows rows;
    std::uint64_t place = kNobody;
  };
  struct Queue {
    std::array<Waiting, kQueue> slots;
    int next = 0;
  };

  template <typename Tell>
  static void exchange(Queue& queue, const Rows& rows, std::uint64_t place, Tell tell) {
    Waiting& slot = queue.slots[static_cast<std::size_t>(queue.next)];
    queue.next = (queue.next + 1) % kQueue;
    if (slot.place != kNobody) tell(slot);
    slot = {rows, place};
  }

  void win(const Waiting& waiting) {
    std::atomic_ref<std::uint8_t> known(layer_.guarantees_[waiting.place].win);
    if (known.load(std::memory_order_relaxed) >= level_) return;
    if (known.exchange(level_, std::memory_order_relaxed) >= level_) return;
    next_.wins.push_back(pack(waiting.rows));
  }

  void refute(const Waiting& waiting) {
    std::atomic_ref<std::uint8_t> open(layer_.open_[waiting.place]);
    const std::uint8_t before = open.fetch_sub(1, std::memory_order_relaxed);
    if ((before & kCountMask) != 1) return;
    const std::uint8_t loss = std::min<std::uint8_t>(level_, before >> kCountBits);
    layer_.guarantees_[waiting.place].loss = loss;
    if (loss == level_) next_.losses.push_back(pack(waiting.rows));
  }

  LayerSolver& layer_;
  std::uint8_t level_;
  Frontier& next_;
  Queue refutations_;
  Queue wins_;
};

LayerSolver::Frontier LayerSolver::step_back(const Frontier& frontier, int level) {
  std::vector<Frontier> found(static_cast<std::size_t>(threads_));
  run_in_pieces(threads_, frontier.size(), kBackwardPiece,
                [&](int thread, std::uint64_t begin, std::uint64_t end) {
                  Backwards backwards(*this, level, found[static_cast<std::size_t>(thread)]);
                  for (std::uint64_t i = begin; i < end; ++i) {
                    if (i < frontier.wins.size()) {
                      backwards.tell_of_win(unpack(frontier.wins[i]));
                    } else {
                      backwards.tell_of_loss(unpack(frontier.losses[i - frontier.wins.size()]));
                    }
                  }
                  backwards.finish();
                });
  for (std::size_t thread = 1; thread < found.size(); ++thread) {
    auto& all = found.front();
    all.wins.insert(all.wins.end(), found[thread].wins.begin(), found[thread].wins.end());
    all.losses.insert(all.losses.end(), found[thread].losses.begin(), found[thread].losses.end());
  }
  return std::move(found.front());
}

}  // namespace awale::env
