#include "tests/env/side_by_side.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::test {
namespace {

// Replaying a history costs as much as the plies in it, so it is not compared after every ply.
constexpr int kHistoryEvery = 8;

template <typename Item>
std::string list(std::span<const Item> items) {
  std::ostringstream text;
  for (const Item& item : items)
    text << item << "; ";
  return text.str();
}

template <typename Call>
bool refused(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.kind() == ErrorKind::kPosition;
  }
  return false;
}

std::string parameters(const env::RuleSet& rules) {
  std::string text;
  for (const auto& [key, value] : to_key_values(rules))
    text += key + "=" + value + " ";
  return text;
}

}  // namespace

SideBySide::SideBySide(const env::RuleSet& rules, const std::vector<env::Board>& starts)
    : rules_(rules) {
  for (const env::Board& start : starts) {
    naive_games_.emplace_back(rules, naive_position(start));
    games_.emplace_back(rules, start);
    records_.push_back(to_text(start) + " ");
  }
  for (const env::Kernel& kernel : env::kernels())
    batches_.emplace_back(rules, size(), kernel);
  std::vector<int> all(starts.size());
  std::iota(all.begin(), all.end(), 0);
  for (env::BatchEnv& batch : batches_)
    batch.reset(all, starts);
  for (const int game : all)
    compare(game);
}

void SideBySide::step(const std::vector<env::Move>& moves) {
  std::vector<int> finished;
  for (env::BatchEnv& batch : batches_)
    batch.step(moves);
  for (int i = 0; i < size(); ++i) {
    if (moves[i] == env::kNoMove) continue;
    const char letter = env::move_letter(games_[i].board().to_move, moves[i]);
    records_[i] += letter;
    const int expected = naive_games_[i].play(letter);
    const int captured = games_[i].play(moves[i]);
    if (captured != expected) {
      disagree(i, "seeds captured by env::Game", std::to_string(expected),
               std::to_string(captured));
    }
    compare(i);
    if (games_[i].over()) finished.push_back(i);
  }
  compare_finished(finished);
}

void SideBySide::reset(const std::vector<int>& games, const std::vector<env::Board>& starts) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    naive_games_[games[i]] = naive::Game(rules_, naive_position(starts[i]));
    games_[games[i]] = env::Game(rules_, starts[i]);
    records_[games[i]] = to_text(starts[i]) + " ";
  }
  for (env::BatchEnv& batch : batches_)
    batch.reset(games, starts);
  for (int game = 0; game < size(); ++game)
    compare(game);
  compare_finished({});
}

void SideBySide::load(int to, int from) {
  naive_games_[to] = naive_games_[from];
  games_[to] = games_[from];
  records_[to] = records_[from];
  for (env::BatchEnv& batch : batches_)
    batch.load(to, games_[to]);
  for (int game = 0; game < size(); ++game)
    compare(game);
}

void SideBySide::refuse(std::vector<env::Move> moves, int game, env::Move bad) {
  moves[game] = bad;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    if (!refused([&] { batches_[i].step(moves); })) {
      disagree(game, env::kernels()[i].name, "move refused", "move " + std::to_string(bad));
    }
  }
  if (bad != env::kNoMove && !refused([&] { games_[game].play(bad); })) {
    disagree(game, "env::Game", "move refused", "move " + std::to_string(bad));
  }
  for (int i = 0; i < size(); ++i)
    compare(i);
}

void SideBySide::compare(int game) const {
  const Snapshot expected = snapshot(naive_games_[game]);
  const env::Game& scalar = games_[game];
  if (snapshot(scalar) != expected) {
    disagree(game, "env::Game", to_text(expected), to_text(snapshot(scalar)));
  }
  const auto expected_previews = previews(naive_games_[game]);
  const auto found_previews = previews(rules_, scalar.board());
  if (found_previews != expected_previews) {
    disagree(game, "env::preview", list<Preview>(expected_previews), list<Preview>(found_previews));
  }
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const env::BatchEnv& batch = batches_[i];
    const char* name = env::kernels()[i].name;
    const Snapshot found = snapshot(batch, game);
    if (found != expected) disagree(game, name, to_text(expected), to_text(found));
    if (scalar.over() || scalar.position().ply % kHistoryEvery != 0) continue;
    const auto history = batch.history(game);
    if (!std::ranges::equal(history, scalar.history())) {
      disagree(game, std::string(name) + "'s history", list<env::Board>(scalar.history()),
               list<env::Board>(history));
    }
  }
}

void SideBySide::compare_finished(const std::vector<int>& expected) const {
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    if (std::ranges::equal(batches_[i].finished(), expected)) continue;
    throw Disagreement(parameters(rules_) + "\n" + env::kernels()[i].name +
                       ": games finished by the last call\n  expected " + list<int>(expected) +
                       "\n  found    " + list<int>(batches_[i].finished()));
  }
}

void SideBySide::disagree(int game, const std::string& who, const std::string& expected,
                          const std::string& found) const {
  throw Disagreement(parameters(rules_) + "\ngame " + std::to_string(game) + " of " +
                     std::to_string(size()) + ": " + records_[game] + "\n" + who + "\n  expected " +
                     expected + "\n  found    " + found);
}

}  // namespace awale::test
