#include "training/arena.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "training/parallel.hpp"

namespace awale::training {
namespace {

// One player's chair in a group.
struct Seat {
  mcts::Player& player;
  ThinkingTime MatchGame::*time;  // where its time is kept

  // A move in each of the games, all waiting for this player. `seconds` is what a move took.
  std::vector<env::Move> think(std::span<const env::Game* const> games,
                               std::span<const std::uint64_t> ids, double& seconds) const {
    std::vector<env::Move> moves(games.size());
    const auto start = std::chrono::steady_clock::now();
    player.choose_moves(games, ids, moves);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    seconds = taken.count() / static_cast<double>(games.size());
    return moves;
  }
};

// Games that advance together.
class Group {
 public:
  Group(const env::RuleSet& rules, std::span<MatchGame> records, const ArenaWatch& watch)
      : records_(records), watch_(watch) {
    for (const auto& record : records) {
      games_.push_back(env::replay(rules, env::initial_board(), record.moves));
    }
  }

  void play(const Seat& first, const Seat& second) {
    std::size_t running = games_.size();
    while (running > 0 && !watch_.stop()) {
      running -= advance(first, true);
      running -= advance(second, false);
    }
  }

 private:
  bool waits_for(std::size_t i, bool first_player) const {
    return !games_[i].over() &&
           (games_[i].board().to_move == records_[i].first_side) == first_player;
  }

  // One ply of `seat` wherever it is to move. Returns how many games that ended.
  std::size_t advance(const Seat& seat, bool first_player) {
    std::vector<std::size_t> waiting;
    std::vector<const env::Game*> games;
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (!waits_for(i, first_player)) continue;
      waiting.push_back(i);
      games.push_back(&games_[i]);
      ids.push_back(records_[i].id);
    }
    if (waiting.empty()) return 0;
    double seconds = 0;
    const auto moves = seat.think(games, ids, seconds);
    std::size_t ended = 0;
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      records_[waiting[k]].*seat.time += {1, seconds};
      apply(waiting[k], moves[k], seat.player);
      ended += games_[waiting[k]].over() ? 1 : 0;
    }
    return ended;
  }

  void apply(std::size_t i, env::Move move, const mcts::Player& player) {
    env::Game& game = games_[i];
    AWALE_CHECK(move < env::kMoves && (game.legal() >> move & 1) != 0,
                player.name() << " chose move " << int{move} << " in " << game.board());
    records_[i].moves += env::move_letter(game.board().to_move, move);
    game.play(move);
    if (!game.over()) return;
    records_[i].outcome = game.outcome();
    watch_.on_over(records_[i]);
  }

  std::span<MatchGame> records_;
  const ArenaWatch& watch_;
  std::vector<env::Game> games_;
};

}  // namespace

int MatchGame::margin_first_seeds() const {
  return first_side == env::Side::kSouth ? outcome.margin_south_seeds : -outcome.margin_south_seeds;
}

int MatchGame::first_half_points() const {
  const int margin = margin_first_seeds();
  return margin > 0 ? 2 : (margin == 0 ? 1 : 0);
}

ThinkingTime& operator+=(ThinkingTime& sum, const ThinkingTime& part) {
  sum.moves += part.moves;
  sum.seconds += part.seconds;
  return sum;
}

Arena::Arena(const env::RuleSet& rules, int threads, PlayerFactory first, PlayerFactory second,
             int group_games)
    : rules_(rules),
      first_(std::move(first)),
      second_(std::move(second)),
      workers_(static_cast<std::size_t>(threads)),
      group_games_(static_cast<std::size_t>(group_games)) {}

void Arena::play(std::span<MatchGame> games, const ArenaWatch& watch) {
  const std::size_t groups = (games.size() + group_games_ - 1) / group_games_;
  const auto play_group = [&](int job, int worker_index) {
    if (watch.stop()) return;
    Worker& worker = workers_[static_cast<std::size_t>(worker_index)];
    if (!worker.first) worker = {first_(), second_()};
    const std::size_t begin = static_cast<std::size_t>(job) * group_games_;
    const std::size_t size = std::min(group_games_, games.size() - begin);
    Group(rules_, games.subspan(begin, size), watch)
        .play({*worker.first, &MatchGame::first_time}, {*worker.second, &MatchGame::second_time});
  };
  run_jobs(static_cast<int>(workers_.size()), static_cast<int>(groups), play_group);
}

}  // namespace awale::training
