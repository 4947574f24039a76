#include "training/openings.hpp"

#include "env/error.hpp"
#include "env/game.hpp"
#include "env/notation.hpp"

namespace awale::training {
namespace {

// Random plies meet most positions early; after so many misses in a row little is left to find.
constexpr int kMaxMisses = 1000;
constexpr int kMostPlies = 100;

struct Opening {
  std::string moves;
  env::Board board;
};

// Nothing if the random plies happen to end the game.
std::optional<Opening> random_opening(const env::RuleSet& rules, OpeningPlies range,
                                      env::RandomStream random) {
  const auto choices = static_cast<std::uint32_t>(range.max - range.min + 1);
  const int plies = range.min + static_cast<int>(random.below(choices));
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

[[noreturn]] void refuse_plies(const env::RuleSet& rules, OpeningPlies range) {
  std::string plies = std::to_string(range.min);
  if (range.max > range.min) plies += " to " + std::to_string(range.max);
  throw InputError(ErrorKind::kUsage, "--opening-plies: the rules " + env::describe(rules) +
                                          " end every game within " + plies +
                                          " plies; expected fewer, or 0 for none");
}

}  // namespace

void OpeningPlies::validate() const {
  if (min >= 0 && min <= max && max <= kMostPlies) return;
  throw InputError(ErrorKind::kUsage, "--opening-plies: expected 0.." + std::to_string(kMostPlies) +
                                          ", found " + std::to_string(max));
}

Openings::Openings(const env::RuleSet& rules, std::uint64_t seed, OpeningPlies plies)
    : rules_(rules), seed_(seed), plies_(plies) {}

std::optional<std::string> Openings::next() {
  if (plies_.max == 0) return "";
  int ended = 0;
  for (int misses = 0; misses < kMaxMisses; ++misses) {
    const env::RandomStream random(seed_, env::RandomPurpose::kMatch, candidate_++, 0);
    auto opening = random_opening(rules_, plies_, random);
    if (!opening) {
      ++ended;
      continue;
    }
    opening->board.to_move = env::Side::kSouth;
    if (seen_.insert(opening->board).second) return std::move(opening->moves);
  }
  if (ended == kMaxMisses) refuse_plies(rules_, plies_);
  return std::nullopt;
}

}  // namespace awale::training
