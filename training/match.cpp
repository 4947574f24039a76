#include "training/match.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "env/error.hpp"

namespace awale::training {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, int found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage,
                   field + ": expected " + expected + ", found " + std::to_string(found));
}

std::vector<std::string> draw_openings(Openings& source, int count, int plies) {
  std::vector<std::string> openings;
  while (static_cast<int>(openings.size()) < count) {
    auto opening = source.next();
    if (!opening) {
      throw InputError(ErrorKind::kUsage,
                       "games: expected at most " + std::to_string(2 * source.set_size()) +
                           ", both colours of the " + std::to_string(source.set_size()) +
                           " openings of --opening-plies " + std::to_string(plies) + ", found " +
                           std::to_string(2 * count));
    }
    openings.push_back(std::move(*opening));
  }
  return openings;
}

std::vector<MatchGame> paired_games(const std::vector<std::string>& openings) {
  std::vector<MatchGame> games;
  for (const auto& opening : openings) {
    for (const auto side : {env::Side::kSouth, env::Side::kNorth}) {
      games.push_back({side, static_cast<int>(opening.size()), opening, {}, games.size()});
    }
  }
  return games;
}

bool pair_is_over(const std::vector<MatchGame>& games, std::size_t pair) {
  return games[2 * pair].over() && games[2 * pair + 1].over();
}

// The games of a match as they come in: kept, logged, tested. Any thread may add one.
class Scorebook {
 public:
  Scorebook(std::vector<MatchGame> games, const MatchConfig& config, MatchRecord record)
      : games_(std::move(games)), record_(record) {
    if (config.sprt) test_ = SprtTest(*config.sprt);
    if (record.log != nullptr) {
      for (const auto& game : record.log->games(record.pairing))
        take_logged(game);
    }
    test_pairs();
  }

  std::vector<MatchGame> missing() const {
    std::vector<MatchGame> games;
    for (const auto& game : games_) {
      if (!game.over()) games.push_back(game);
    }
    return games;
  }

  void add(const MatchGame& game, Progress& progress) {
    const std::lock_guard lock(mutex_);
    if (record_.log != nullptr) record_.log->append(record_.pairing, game);
    games_[game.id] = game;
    test_pairs();
    progress.advance(1, test_ ? llr_text(*test_) : "");
  }

  bool decided() const { return decided_; }

  Match result() {
    Match match;
    match.asked_games = static_cast<int>(games_.size());
    const std::size_t pairs = decided_ ? tested_pairs_ : games_.size() / 2;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      if (!pair_is_over(games_, pair)) continue;
      match.games.push_back(std::move(games_[2 * pair]));
      match.games.push_back(std::move(games_[2 * pair + 1]));
    }
    match.sprt = test_;
    return match;
  }

 private:
  // More than is asked for is left aside.
  void take_logged(const MatchGame& game) {
    if (game.id >= games_.size()) return;
    MatchGame& planned = games_[game.id];
    const std::string opening = game.moves.substr(0, planned.moves.size());
    if (opening != planned.moves || game.opening_plies != planned.opening_plies ||
        game.first_side != planned.first_side) {
      throw InputError(ErrorKind::kFile, record_.log->path() + ": game " + std::to_string(game.id) +
                                             ": expected the opening " + planned.moves +
                                             ", found " + opening);
    }
    planned = game;
  }

  // Pair after pair, as far as they are over.
  void test_pairs() {
    if (!test_) return;
    while (!decided_ && 2 * tested_pairs_ < games_.size() && pair_is_over(games_, tested_pairs_)) {
      const MatchGame* pair = &games_[2 * tested_pairs_];
      test_->add(pair[0].first_half_points() + pair[1].first_half_points());
      ++tested_pairs_;
      decided_ = test_->verdict() != SprtVerdict::kUndecided;
    }
  }

  std::mutex mutex_;
  std::vector<MatchGame> games_;
  MatchRecord record_;
  std::optional<SprtTest> test_;
  std::size_t tested_pairs_ = 0;
  std::atomic<bool> decided_ = false;
};

}  // namespace

void MatchConfig::validate() const {
  require(games >= 2 && games <= 1'000'000 && games % 2 == 0, "games",
          "an even number in 2..1000000 (every opening is played with both colours)", games);
  require(threads >= 1 && threads <= 1024, "threads", "1..1024", threads);
  check_opening_plies(opening_plies);
  if (sprt) sprt->validate();
}

std::vector<std::string> make_openings(const env::RuleSet& rules, std::uint64_t seed, int count,
                                       int plies) {
  Openings source(rules, seed, plies);
  return draw_openings(source, count, plies);
}

Match play_match(const env::RuleSet& rules, const MatchConfig& config, const PlayerFactory& first,
                 const PlayerFactory& second, Progress& progress, MatchRecord record,
                 const std::function<bool()>& stop) {
  config.validate();
  Openings source(rules, config.seed, config.opening_plies);
  const auto openings = draw_openings(source, config.games / 2, config.opening_plies);
  Scorebook book(paired_games(openings), config, record);
  if (!book.decided()) {
    auto games = book.missing();
    Arena arena(rules, config.threads, first, second, config.group_games);
    arena.play(games, {[&](const MatchGame& game) { book.add(game, progress); },
                       [&] { return book.decided() || stop(); }});
  }
  Match match = book.result();
  match.opening_set = source.set_size();
  return match;
}

}  // namespace awale::training
