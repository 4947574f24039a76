#include "tests/env/naive_rules.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace awale::naive {
namespace {

const std::string kLetters = "ABCDEFabcdef";

int pit_of(char letter) {
  return static_cast<int>(kLetters.find(letter));
}

}  // namespace

Game::Game(const env::RuleSet& rules, const std::string& position) : rules_(rules) {
  std::istringstream fields(position);
  char dash = 0;
  for (int& pit : pits_)
    fields >> pit >> dash;
  fields >> store_south_ >> dash >> store_north_ >> dash >> side_;
  history_.push_back(text());
  legal_ = find_legal();
  reason_ = find_reason();
}

std::string Game::text() const {
  std::string fields;
  for (const int pit : pits_)
    fields += std::to_string(pit) + "-";
  return fields + std::to_string(store_south_) + "-" + std::to_string(store_north_) + "-" + side_;
}

int Game::row(char side) const {
  int seeds = 0;
  for (int pit = 0; pit < 12; ++pit) {
    if (owns(side, pit)) seeds += pits_[pit];
  }
  return seeds;
}

std::string Game::own_pits() const {
  std::string letters;
  for (const char letter : kLetters) {
    const int pit = pit_of(letter);
    if (owns(side_, pit) && pits_[pit] > 0) letters += letter;
  }
  return letters;
}

// "A move empties one own pit and sows its seeds one by one, counter-clockwise; the origin pit is
// skipped on every lap. If the last seed makes a pit of the opponent 2 or 3, these seeds are
// captured, and those of the pits before it, one after another, while they are the opponent's and
// hold 2 or 3."
Effect Game::effect(char letter) const {
  const int origin = pit_of(letter);
  Effect effect;
  effect.pits_sown = pits_;
  effect.pits_sown[origin] = 0;
  int pit = origin;
  for (int seed = 0; seed < pits_[origin]; ++seed) {
    pit = (pit + 1) % 12;
    if (pit == origin) pit = (pit + 1) % 12;
    effect.pits_sown[pit] += 1;
    if (owns(other_side(), pit)) effect.seeds_fed += 1;
  }
  effect.landing_pit = pit;

  const bool two_three = rules_.capture_counts == env::CaptureCounts::kTwoThree;
  const auto counts = two_three ? std::pair(2, 3) : std::pair(1, 2);
  while (pit >= 0 && owns(other_side(), pit) &&
         (effect.pits_sown[pit] == counts.first || effect.pits_sown[pit] == counts.second)) {
    effect.capture.push_back(pit);
    effect.captured_seeds += effect.pits_sown[pit];
    pit = pit - 1;
  }

  const bool takes_grand_slams = rules_.grand_slam == env::GrandSlam::kCapture ||
                                 rules_.grand_slam == env::GrandSlam::kIllegalUnlessOnly;
  if (is_grand_slam(effect) && !takes_grand_slams) {
    effect.cancelled_grand_slam = true;
    effect.capture.clear();
    effect.captured_seeds = 0;
  }
  return effect;
}

// A capture after which the opponent has nothing left.
bool Game::is_grand_slam(const Effect& effect) const {
  if (effect.cancelled_grand_slam) return true;
  int left = 0;
  for (int pit = 0; pit < 12; ++pit) {
    const bool taken =
        std::find(effect.capture.begin(), effect.capture.end(), pit) != effect.capture.end();
    if (owns(other_side(), pit) && !taken) left += effect.pits_sown[pit];
  }
  return !effect.capture.empty() && left == 0;
}

std::string Game::feeding(const std::string& letters) const {
  std::string kept;
  for (const char letter : letters) {
    if (effect(letter).seeds_fed > 0) kept += letter;
  }
  return kept;
}

std::string Game::without_grand_slams(const std::string& letters) const {
  std::string kept;
  for (const char letter : letters) {
    if (!is_grand_slam(effect(letter))) kept += letter;
  }
  return kept;
}

std::string Game::find_legal() const {
  std::string letters = own_pits();
  if (rules_.must_feed && row(other_side()) == 0) {
    const std::string fed = feeding(letters);
    if (!fed.empty() || rules_.cannot_feed == env::CannotFeed::kEnds) letters = fed;
  }
  if (rules_.grand_slam == env::GrandSlam::kIllegal) return without_grand_slams(letters);
  if (rules_.grand_slam == env::GrandSlam::kIllegalUnlessOnly) {
    const std::string others = without_grand_slams(letters);
    if (!others.empty()) return others;
  }
  return letters;
}

std::string Game::find_reason() const {
  if (rules_.target_seeds != 0 && store_south_ >= rules_.target_seeds) return "target";
  if (rules_.target_seeds != 0 && store_north_ >= rules_.target_seeds) return "target";
  if (legal_.empty()) return "no_moves";
  const auto occurrences = std::count(history_.begin(), history_.end(), text());
  if (rules_.repetition_occurrence != 0 && occurrences >= rules_.repetition_occurrence) {
    return "repetition";
  }
  if (rules_.ply_limit != 0 && ply_ >= rules_.ply_limit) return "ply_limit";
  return "none";
}

int Game::margin_south() const {
  const int stores = store_south_ - store_north_;
  const int with_rows = stores + row('S') - row('N');
  if (reason_ == "target") return rules_.sweep_at_target ? with_rows : stores;
  if (reason_ == "no_moves") return with_rows;
  const auto score = reason_ == "repetition" ? rules_.repetition_score : rules_.limit_score;
  return score == env::CutOffScore::kOwnRow ? with_rows : stores;
}

int Game::play(char letter) {
  const Effect result = effect(letter);
  pits_ = result.pits_sown;
  for (const int pit : result.capture)
    pits_[pit] = 0;
  (side_ == 'S' ? store_south_ : store_north_) += result.captured_seeds;
  side_ = other_side();
  ply_ += 1;
  if (result.captured_seeds > 0) history_.clear();
  history_.push_back(text());
  legal_ = find_legal();
  reason_ = find_reason();
  return result.captured_seeds;
}

}  // namespace awale::naive
