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
  ThinkingTime time;

  // A move in each of the games, all waiting for this player.
  std::vector<env::Move> think(std::span<const env::Game* const> games,
                               std::span<const std::uint64_t> ids) {
    std::vector<env::Move> moves(games.size());
    const auto start = std::chrono::steady_clock::now();
    player.choose_moves(games, ids, moves);
    time.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    time.moves += moves.size();
    return moves;
  }
};

// Games that advance together, `records` being those from `first_id` on.
class Group {
 public:
  Group(const env::RuleSet& rules, std::span<MatchGame> records, std::uint64_t first_id)
      : records_(records), first_id_(first_id) {
    for (const auto& record : records) {
      games_.push_back(env::replay(rules, env::initial_board(), record.moves));
    }
  }

  void play(Seat& first, Seat& second, const std::function<void(std::size_t)>& on_finished) {
    std::size_t running = games_.size();
    while (running > 0) {
      const std::size_t ended = advance(first, true) + advance(second, false);
      running -= ended;
      if (ended > 0) on_finished(ended);
    }
    for (std::size_t i = 0; i < games_.size(); ++i)
      records_[i].outcome = games_[i].outcome();
  }

 private:
  bool waits_for(std::size_t i, bool first_player) const {
    return !games_[i].over() &&
           (games_[i].board().to_move == records_[i].first_side) == first_player;
  }

  // One ply of `seat` wherever it is to move. Returns how many games that ended.
  std::size_t advance(Seat& seat, bool first_player) {
    std::vector<std::size_t> waiting;
    std::vector<const env::Game*> games;
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (!waits_for(i, first_player)) continue;
      waiting.push_back(i);
      games.push_back(&games_[i]);
      ids.push_back(first_id_ + i);
    }
    if (waiting.empty()) return 0;
    const auto moves = seat.think(games, ids);
    std::size_t ended = 0;
    for (std::size_t k = 0; k < waiting.size(); ++k) {
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
  }

  std::span<MatchGame> records_;
  std::uint64_t first_id_;
  std::vector<env::Game> games_;
};

}  // namespace

int MatchGame::margin_first_seeds() const {
  return first_side == env::Side::kSouth ? outcome.margin_south_seeds : -outcome.margin_south_seeds;
}

ThinkingTime& operator+=(ThinkingTime& sum, const ThinkingTime& part) {
  sum.moves += part.moves;
  sum.seconds += part.seconds;
  return sum;
}

Arena::Arena(const env::RuleSet& rules, int threads, PlayerFactory first, PlayerFactory second)
    : rules_(rules),
      first_(std::move(first)),
      second_(std::move(second)),
      workers_(static_cast<std::size_t>(threads)) {}

void Arena::play(std::span<MatchGame> games, std::uint64_t first_id,
                 const std::function<void(std::size_t)>& on_finished) {
  const std::size_t groups = (games.size() + kMatchGroupGames - 1) / kMatchGroupGames;
  std::vector<ThinkingTime> first_times(groups);
  std::vector<ThinkingTime> second_times(groups);
  const auto play_group = [&](int job, int worker_index) {
    const auto group = static_cast<std::size_t>(job);
    Worker& worker = workers_[static_cast<std::size_t>(worker_index)];
    if (!worker.first) worker = {first_(), second_()};
    const std::size_t begin = group * kMatchGroupGames;
    const std::size_t size = std::min<std::size_t>(kMatchGroupGames, games.size() - begin);
    Seat first{*worker.first, {}};
    Seat second{*worker.second, {}};
    Group(rules_, games.subspan(begin, size), first_id + begin).play(first, second, on_finished);
    first_times[group] = first.time;
    second_times[group] = second.time;
  };
  run_jobs(static_cast<int>(workers_.size()), static_cast<int>(groups), play_group);
  for (const auto& time : first_times)
    first_time_ += time;
  for (const auto& time : second_times)
    second_time_ += time;
}

}  // namespace awale::training
