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

Position parse_position(const std::string& text) {
  std::istringstream fields(text);
  Position position;
  char dash = 0;
  for (int& pit : position.pits)
    fields >> pit >> dash;
  fields >> position.store_south >> dash >> position.store_north >> dash >> position.side;
  return position;
}

std::string to_text(const Position& position) {
  std::string fields;
  for (const int pit : position.pits)
    fields += std::to_string(pit) + "-";
  return fields + std::to_string(position.store_south) + "-" +
         std::to_string(position.store_north) + "-" + position.side;
}

Game::Game(const env::RuleSet& rules, const Position& start) : rules_(rules), position_(start) {
  history_.push_back(position_);
  legal_ = find_legal();
  reason_ = find_reason();
}

int Game::repetitions() const {
  if (rules_.repetition_occurrence == 0) return 0;
  return static_cast<int>(std::count(history_.begin(), history_.end(), position_)) - 1;
}

int Game::row(char side) const {
  int seeds = 0;
  for (int pit = 0; pit < 12; ++pit) {
    if (owns(side, pit)) seeds += position_.pits[pit];
  }
  return seeds;
}

std::string Game::own_pits() const {
  std::string letters;
  for (int pit = 0; pit < 12; ++pit) {
    if (owns(position_.side, pit) && position_.pits[pit] > 0) letters += kLetters[pit];
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
  effect.pits_sown = position_.pits;
  effect.pits_sown[origin] = 0;
  int pit = origin;
  for (int seed = 0; seed < position_.pits[origin]; ++seed) {
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
    effect.captured_pits += 1;
    effect.captured_seeds += effect.pits_sown[pit];
    pit = pit - 1;
  }

  const bool takes_grand_slams = rules_.grand_slam == env::GrandSlam::kCapture ||
                                 rules_.grand_slam == env::GrandSlam::kIllegalUnlessOnly;
  if (is_grand_slam(effect) && !takes_grand_slams) {
    effect.cancelled_grand_slam = true;
    effect.captured_pits = 0;
    effect.captured_seeds = 0;
  }
  return effect;
}

// A capture after which the opponent has nothing left.
bool Game::is_grand_slam(const Effect& effect) const {
  if (effect.cancelled_grand_slam) return true;
  int left = -effect.captured_seeds;
  for (int pit = 0; pit < 12; ++pit) {
    if (owns(other_side(), pit)) left += effect.pits_sown[pit];
  }
  return effect.captured_seeds > 0 && left == 0;
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
  if (rules_.target_seeds != 0 && position_.store_south >= rules_.target_seeds) return "target";
  if (rules_.target_seeds != 0 && position_.store_north >= rules_.target_seeds) return "target";
  if (legal_.empty()) return "no_moves";
  if (rules_.repetition_occurrence != 0 && repetitions() + 1 >= rules_.repetition_occurrence) {
    return "repetition";
  }
  if (rules_.ply_limit != 0 && ply_ >= rules_.ply_limit) return "ply_limit";
  return "none";
}

int Game::margin_south() const {
  const int stores = position_.store_south - position_.store_north;
  const int with_rows = stores + row('S') - row('N');
  if (reason_ == "target") return rules_.sweep_at_target ? with_rows : stores;
  if (reason_ == "no_moves") return with_rows;
  const auto score = reason_ == "repetition" ? rules_.repetition_score : rules_.limit_score;
  return score == env::CutOffScore::kOwnRow ? with_rows : stores;
}

int Game::play(char letter) {
  const Effect result = effect(letter);
  position_.pits = result.pits_sown;
  for (int taken = 0; taken < result.captured_pits; ++taken)
    position_.pits[result.landing_pit - taken] = 0;
  (position_.side == 'S' ? position_.store_south : position_.store_north) += result.captured_seeds;
  position_.side = other_side();
  ply_ += 1;
  if (result.captured_seeds > 0) history_.clear();
  history_.push_back(position_);
  legal_ = find_legal();
  reason_ = find_reason();
  return result.captured_seeds;
}

}  // namespace awale::naive
