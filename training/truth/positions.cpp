#include "training/truth/positions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <unordered_set>

#include "env/endgame/board_index.hpp"
#include "env/game.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"

namespace awale::training {
namespace {

constexpr int kResults = 3;  // loss, draw, win

struct BoardHash {
  std::size_t operator()(const env::Board& board) const { return env::hash(board); }
};
using Seen = std::unordered_set<env::Board, BoardHash>;

bool opponent_has_empty_pit(const env::Board& board) {
  return std::find(board.pits.begin() + env::kPitsPerSide, board.pits.end(), 0) != board.pits.end();
}

// A store that does not end the game.
int largest_store(const env::RuleSet& rules) {
  return rules.target_seeds == 0 ? env::kSeeds : rules.target_seeds - 1;
}

bool some_move_keeps(const BoardTruth& truth) {
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((truth.legal >> move & 1) != 0 && result_change(truth, move) == ResultChange::kKept) {
      return true;
    }
  }
  return false;
}

// With a seed from the opponent's store the position would not be lost for certain.
bool lost_by_a_seed(const env::EndgameTable& table, const env::RuleSet& rules, env::Board board) {
  if (board.store_opponent == 0 || board.store_to_move == largest_store(rules)) return false;
  ++board.store_to_move;
  --board.store_opponent;
  return known_result(*env::final_margin_bounds(table, rules, board)) != -1;
}

// Draws the positions with `seeds` seeds.
class Layer {
 public:
  Layer(const env::EndgameTable& table, const env::RuleSet& rules, int seeds, std::size_t quota,
        std::uint64_t seed)
      : table_(table), rules_(rules), seeds_(seeds), quota_(quota), seed_(seed) {}

  std::vector<TruthPosition> draw() {
    const std::size_t attempts = kLeastAttempts + kAttemptsAPosition * quota_;
    for (std::size_t i = 0; i < attempts && !full(); ++i)
      attempt(i);
    return balanced();
  }

 private:
  static constexpr std::size_t kLeastAttempts = 1000;
  static constexpr std::size_t kAttemptsAPosition = 40;

  using Candidates = std::array<std::vector<TruthPosition>, kResults>;

  bool full() const {
    return std::all_of(found_.begin(), found_.end(),
                       [this](const auto& positions) { return positions.size() == quota_; });
  }

  void attempt(std::size_t number) {
    const std::uint64_t game = static_cast<std::uint64_t>(seeds_) << 32 | number;
    env::RandomStream random(seed_, env::RandomPurpose::kGrade, game, 0);
    const auto boards = static_cast<double>(env::layer_size(seeds_));
    const auto index = static_cast<std::uint64_t>(random.uniform() * boards);
    const env::Board board = env::to_board(env::board_at(env::layer_begin(seeds_) + index));
    if (!opponent_has_empty_pit(board) ||
        std::popcount(unsigned{env::legal_moves(rules_, board)}) < 2 || seen_.contains(board)) {
      return;
    }
    const Candidates candidates = with_stores(board);
    const auto result = most_wanting(candidates);
    if (!result) return;
    const auto& choice = candidates[*result];
    const auto count = static_cast<std::uint32_t>(choice.size());
    found_[*result].push_back(choice[random.below(count)]);
    seen_.insert(board);
  }

  // The positions that `board` makes with stores that matter, by result.
  Candidates with_stores(env::Board board) const {
    Candidates candidates;
    const int stores = env::kSeeds - seeds_;
    const int most = std::min(largest_store(rules_), stores);
    for (int store = stores - most; store <= most; ++store) {
      board.store_to_move = static_cast<std::uint8_t>(store);
      board.store_opponent = static_cast<std::uint8_t>(stores - store);
      const auto truth = judge(table_, rules_, board);
      if (!truth || !matters(board, *truth)) continue;
      const auto result = static_cast<std::size_t>(*known_result(truth->at_end) + 1);
      candidates[result].push_back({board, seeds_, 0, *truth});
    }
    return candidates;
  }

  bool matters(const env::Board& board, const BoardTruth& truth) const {
    if (known_result(truth.at_end) == -1) {
      return has_choice(truth) && lost_by_a_seed(table_, rules_, board);
    }
    return result_at_stake(truth) && some_move_keeps(truth);
  }

  // The result with the fewest positions among those that are possible and not full.
  std::optional<std::size_t> most_wanting(const Candidates& candidates) const {
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < kResults; ++i) {
      if (candidates[i].empty() || found_[i].size() == quota_) continue;
      if (!least || found_[i].size() < found_[*least].size()) least = i;
    }
    return least;
  }

  std::vector<TruthPosition> balanced() const {
    const auto& [lost, drawn, won] = found_;
    const std::size_t decided = std::min(lost.size(), won.size());
    std::vector<TruthPosition> positions(lost.begin(), lost.begin() + static_cast<long>(decided));
    const std::size_t draws = std::min(drawn.size(), decided);
    positions.insert(positions.end(), drawn.begin(), drawn.begin() + static_cast<long>(draws));
    positions.insert(positions.end(), won.begin(), won.begin() + static_cast<long>(decided));
    return positions;
  }

  const env::EndgameTable& table_;
  const env::RuleSet& rules_;
  int seeds_;
  std::size_t quota_;
  std::uint64_t seed_;
  Candidates found_;
  Seen seen_;  // without stores
};

// Adds what the table can judge of one game.
void add_game(const env::EndgameTable& table, const env::RuleSet& rules, const std::string& moves,
              std::uint32_t cluster, Seen& seen, PositionSet& set) {
  env::Game game(rules);
  for (std::size_t ply = 0; ply < moves.size(); ++ply) {
    env::Board board = game.board();
    board.to_move = env::Side::kSouth;
    const auto truth = judge(table, rules, board);
    if (truth && seen.insert(board).second) {
      const int seeds = env::row_to_move_seeds(board) + env::row_opponent_seeds(board);
      set.positions.push_back({board, seeds, cluster, *truth});
    }
    game.play(env::parse_move(moves[ply], game.board().to_move, static_cast<int>(ply) + 1));
  }
}

}  // namespace

PositionSet fixed_positions(const env::EndgameTable& table, const env::RuleSet& rules, int size,
                            std::uint64_t seed) {
  PositionSet set{"fixed", {}};
  const int kinds = kResults * std::max(1, table.seeds() - 1);
  const auto quota = static_cast<std::size_t>((size + kinds - 1) / kinds);
  for (int seeds = 2; seeds <= table.seeds(); ++seeds) {
    for (const auto& position : Layer(table, rules, seeds, quota, seed).draw())
      set.positions.push_back(position);
  }
  for (std::size_t i = 0; i < set.positions.size(); ++i)
    set.positions[i].cluster = static_cast<std::uint32_t>(i);
  return set;
}

PositionSet game_positions(const env::EndgameTable& table, const env::RuleSet& rules,
                           std::span<const std::string> games) {
  PositionSet set{"games", {}};
  Seen seen;
  for (std::size_t i = 0; i < games.size(); ++i)
    add_game(table, rules, games[i], static_cast<std::uint32_t>(i), seen, set);
  return set;
}

}  // namespace awale::training
