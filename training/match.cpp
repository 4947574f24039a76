#include "training/match.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <unordered_set>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "training/parallel.hpp"

namespace awale::training {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, int found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage,
                   field + ": expected " + expected + ", found " + std::to_string(found));
}

struct BoardHash {
  std::size_t operator()(const env::Board& board) const { return env::hash(board); }
};

struct Opening {
  std::string moves;
  env::Board board;
};

// Nothing if the random plies happen to end the game.
std::optional<Opening> random_opening(const env::RuleSet& rules, env::RandomStream random) {
  const int plies =
      kMinOpeningPlies + static_cast<int>(random.below(kMaxOpeningPlies - kMinOpeningPlies + 1));
  env::Game game(rules);
  Opening opening;
  for (int ply = 0; ply < plies && !game.over(); ++ply) {
    const env::Move move = env::random_move(game.legal(), random);
    opening.moves += env::move_letter(game.board().to_move, move);
    game.play(move);
  }
  if (game.over()) return std::nullopt;
  opening.board = game.board();
  return opening;
}

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

  void play(Seat& first, Seat& second, Progress& progress) {
    std::size_t running = games_.size();
    while (running > 0) {
      const std::size_t ended = advance(first, true) + advance(second, false);
      running -= ended;
      progress.advance(ended);
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

std::vector<MatchGame> paired_games(const std::vector<std::string>& openings) {
  std::vector<MatchGame> games;
  for (const auto& opening : openings) {
    for (const auto side : {env::Side::kSouth, env::Side::kNorth}) {
      games.push_back({side, static_cast<int>(opening.size()), opening, {}});
    }
  }
  return games;
}

ThinkingTime& operator+=(ThinkingTime& sum, const ThinkingTime& part) {
  sum.moves += part.moves;
  sum.seconds += part.seconds;
  return sum;
}

// A worker's players, built when it first gets work.
struct Worker {
  std::unique_ptr<mcts::Player> first;
  std::unique_ptr<mcts::Player> second;
};

}  // namespace

void MatchConfig::validate() const {
  require(games >= 2 && games <= 1'000'000 && games % 2 == 0, "games",
          "an even number in 2..1000000 (every opening is played with both colours)", games);
  require(threads >= 1 && threads <= 1024, "threads", "1..1024", threads);
}

int MatchGame::margin_first_seeds() const {
  return first_side == env::Side::kSouth ? outcome.margin_south_seeds : -outcome.margin_south_seeds;
}

std::vector<std::string> make_openings(const env::RuleSet& rules, std::uint64_t seed, int count) {
  // Random plies meet most positions early; after so many misses in a row little is left to find.
  constexpr int kMaxMisses = 1000;
  std::vector<std::string> openings;
  std::unordered_set<env::Board, BoardHash> seen;
  int misses = 0;
  for (std::uint64_t candidate = 0; static_cast<int>(openings.size()) < count; ++candidate) {
    auto opening =
        random_opening(rules, env::RandomStream(seed, env::RandomPurpose::kMatch, candidate, 0));
    if (opening) opening->board.to_move = env::Side::kSouth;
    if (opening && seen.insert(opening->board).second) {
      openings.push_back(std::move(opening->moves));
      misses = 0;
    } else if (++misses == kMaxMisses) {
      throw InputError(ErrorKind::kUsage,
                       "games: expected at most " + std::to_string(2 * openings.size()) +
                           ", the different openings found for seed " + std::to_string(seed) +
                           ", found " + std::to_string(2 * count));
    }
  }
  return openings;
}

Match play_match(const env::RuleSet& rules, const MatchConfig& config, const PlayerFactory& first,
                 const PlayerFactory& second, Progress& progress) {
  config.validate();
  Match match;
  match.games = paired_games(make_openings(rules, config.seed, config.games / 2));
  const int groups = (config.games + kMatchGroupGames - 1) / kMatchGroupGames;
  std::vector<Worker> workers(static_cast<std::size_t>(config.threads));
  std::vector<ThinkingTime> first_times(static_cast<std::size_t>(groups));
  std::vector<ThinkingTime> second_times(static_cast<std::size_t>(groups));
  run_jobs(config.threads, groups, [&](int group, int worker_index) {
    Worker& worker = workers[static_cast<std::size_t>(worker_index)];
    if (!worker.first) worker = {first(), second()};
    const std::size_t begin = static_cast<std::size_t>(group) * kMatchGroupGames;
    const std::size_t size = std::min<std::size_t>(kMatchGroupGames, match.games.size() - begin);
    Seat first_seat{*worker.first, {}};
    Seat second_seat{*worker.second, {}};
    Group(rules, std::span(match.games).subspan(begin, size), begin)
        .play(first_seat, second_seat, progress);
    first_times[static_cast<std::size_t>(group)] = first_seat.time;
    second_times[static_cast<std::size_t>(group)] = second_seat.time;
  });
  for (const auto& time : first_times)
    match.first_time += time;
  for (const auto& time : second_times)
    match.second_time += time;
  return match;
}

}  // namespace awale::training
