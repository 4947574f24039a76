#include "tests/env/endgame/tables.hpp"

#include <algorithm>
#include <numeric>

#include "tests/env/naive_rules.hpp"

namespace awale::test {
namespace {

// A move as the naive rules play it.
struct NaiveMove {
  std::vector<int> child;  // pits, seen by the next player
  int captured = 0;
};

struct NaiveBoard {
  std::vector<int> pits;
  std::vector<NaiveMove> moves;
};

void fill(std::vector<int>& pits, std::size_t pit, int seeds, std::vector<std::vector<int>>& all) {
  if (pit + 1 == pits.size()) {
    pits[pit] = seeds;
    all.push_back(pits);
    return;
  }
  for (int here = 0; here <= seeds; ++here) {
    pits[pit] = here;
    fill(pits, pit + 1, seeds - here, all);
  }
}

naive::Position position_of(const std::vector<int>& pits) {
  naive::Position position;
  std::copy(pits.begin(), pits.end(), position.pits.begin());
  return position;
}

NaiveBoard look_at(const env::RuleSet& rules, const std::vector<int>& pits) {
  env::RuleSet without_target = rules;
  without_target.target_seeds = 0;
  const naive::Game game(without_target, position_of(pits));
  NaiveBoard board{pits, {}};
  for (const char letter : game.legal()) {
    naive::Game after = game;
    const int captured = after.play(letter);
    const auto& next = after.position().pits;
    std::vector<int> child(next.begin() + 6, next.end());
    child.insert(child.end(), next.begin(), next.begin() + 6);
    board.moves.push_back({child, captured});
  }
  return board;
}

env::Guarantees over(bool zero, const std::vector<int>& pits) {
  const int own = std::accumulate(pits.begin(), pits.begin() + 6, 0);
  const int other = std::accumulate(pits.begin() + 6, pits.end(), 0);
  const int shared = zero ? std::min(own, other) : 0;
  return {static_cast<std::uint8_t>(own - shared), static_cast<std::uint8_t>(other - shared)};
}

// What the moves of a board guarantee, as far as it is known of the boards they lead to.
env::Guarantees improve(bool zero, const NaiveBoard& board, const NaiveTable& known) {
  if (board.moves.empty()) return over(zero, board.pits);
  int win = 0;
  int loss = 1000;
  for (const NaiveMove& move : board.moves) {
    const env::Guarantees child = known.at(move.child);
    if (zero && move.captured > 0) {  // the child is known for good
      const int margin = move.captured - child.win + child.loss;
      win = std::max(win, margin);
      loss = std::min(loss, std::max(-margin, 0));
    } else {
      win = std::max(win, move.captured + child.loss);
      loss = std::min<int>(loss, child.win);
    }
  }
  return {static_cast<std::uint8_t>(win), static_cast<std::uint8_t>(loss)};
}

}  // namespace

std::vector<env::RuleSet> endgame_rules() {
  std::vector<env::RuleSet> all;
  for (const auto& name : env::preset_names())
    all.push_back(env::preset(name));
  for (const auto slam : {env::GrandSlam::kCapture, env::GrandSlam::kIllegal}) {
    env::RuleSet rules = env::preset("abapa");
    rules.name = "custom";
    rules.grand_slam = slam;
    all.push_back(rules);
    rules.repetition_score = env::CutOffScore::kSplit;
    rules.must_feed = false;
    rules.capture_counts = env::CaptureCounts::kOneTwo;
    all.push_back(rules);
  }
  return all;
}

bool build_table(const env::RuleSet& rules, int seeds, const std::filesystem::path& path,
                 int threads, int layers) {
  env::EndgameBuildConfig config;
  config.rules = rules;
  config.seeds = seeds;
  config.threads = threads;
  const auto ignore = [](auto&&) {};
  return env::build_endgame_table(config, path,
                                  {ignore, ignore, ignore, [&layers] { return layers-- == 0; }});
}

env::EndgameTable small_table(const env::RuleSet& rules, int seeds) {
  const tests::TempDir directory;
  build_table(rules, seeds, directory / "table");
  return env::EndgameTable::open(directory / "table", rules);
}

NaiveTable naive_table(const env::RuleSet& rules, int seeds) {
  const bool zero =
      (rules.repetition_occurrence > 0 ? rules.repetition_score : rules.limit_score) !=
      env::CutOffScore::kOwnRow;
  NaiveTable table;
  for (int layer = 0; layer <= seeds; ++layer) {
    std::vector<std::vector<int>> all;
    std::vector<int> pits(12);
    fill(pits, 0, layer, all);
    std::vector<NaiveBoard> boards;
    for (const auto& board : all) {
      boards.push_back(look_at(rules, board));
      table[board] = {};
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const NaiveBoard& board : boards) {
        const env::Guarantees better = improve(zero, board, table);
        env::Guarantees& known = table[board.pits];
        changed = changed || better != known;
        known = better;
      }
    }
  }
  return table;
}

env::Board board_of(const std::vector<int>& pits) {
  env::Board board;
  for (std::size_t pit = 0; pit < pits.size(); ++pit)
    board.pits[pit] = static_cast<std::uint8_t>(pits[pit]);
  return board;
}

}  // namespace awale::test
