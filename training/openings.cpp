#include "training/openings.hpp"

#include <unordered_set>
#include <utility>

#include "env/error.hpp"
#include "env/game.hpp"
#include "env/notation.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

struct BoardHash {
  std::size_t operator()(const env::Board& board) const { return env::hash(board); }
};

// Openings one ply longer than `shorter`.
std::vector<std::string> extend(const env::RuleSet& rules,
                                const std::vector<std::string>& shorter) {
  std::unordered_set<env::Board, BoardHash> seen;
  std::vector<std::string> longer;
  for (const auto& moves : shorter) {
    const env::Game before = env::replay(rules, env::initial_board(), moves);
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((before.legal() >> move & 1) == 0) continue;
      env::Game after = before;
      after.play(move);
      if (after.over() || !seen.insert(after.board()).second) continue;
      longer.push_back(moves + env::move_letter(before.board().to_move, move));
    }
  }
  return longer;
}

}  // namespace

void check_opening_plies(int plies) {
  if (plies >= 0 && plies <= kMostOpeningPlies) return;
  throw InputError(ErrorKind::kUsage, "--opening-plies: expected 0.." +
                                          std::to_string(kMostOpeningPlies) + ", found " +
                                          std::to_string(plies));
}

std::vector<std::string> enumerate_openings(const env::RuleSet& rules, int plies) {
  check_opening_plies(plies);
  std::vector<std::string> openings = {""};
  for (int ply = 0; ply < plies; ++ply)
    openings = extend(rules, openings);
  if (!openings.empty()) return openings;
  throw InputError(ErrorKind::kUsage,
                   "--opening-plies: the rules " + env::describe(rules) +
                       " end every game within " +
                       count_text(static_cast<std::size_t>(plies), "ply", "plies") +
                       "; expected fewer, or 0 for none");
}

Openings::Openings(const env::RuleSet& rules, std::uint64_t seed, int plies)
    : plies_(plies),
      set_(enumerate_openings(rules, plies)),
      random_(seed, env::RandomPurpose::kMatch, 0, 0) {}

std::optional<std::string> Openings::next() {
  if (plies_ == 0) return "";
  if (drawn_ == set_.size()) return std::nullopt;
  // Fisher and Yates' shuffle, as far as it is needed.
  const auto left = static_cast<std::uint32_t>(set_.size() - drawn_);
  std::swap(set_[drawn_], set_[drawn_ + random_.below(left)]);
  return set_[drawn_++];
}

}  // namespace awale::training
