#include "tests/training/random_games.hpp"

#include "env/random.hpp"

namespace awale::tests {
namespace {

using training::GameRecord;
using training::PlyRecord;

float between(env::RandomStream& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random.uniform());
}

PlyRecord record_ply(const env::Game& game, bool opening, env::RandomStream& random) {
  PlyRecord ply;
  ply.position = game.position();
  ply.legal = game.legal();
  ply.move = random_move(ply.legal, random);
  if (opening) {
    ply.flags = training::kUnsearchedPly;
    return ply;
  }
  if (random.below(4) == 0) ply.flags |= training::kSampledMove;
  for (int i = 0; i < 32; ++i)
    ++ply.visits[random_move(ply.legal, random)];
  if (random.below(5) == 0) {
    ply.flags |= training::kFastSearch;
  } else {
    // A policy of its own, not the share of the visits.
    for (std::uint32_t rest = 65535; rest > 0;) {
      const std::uint32_t part = 1 + random.below(rest);
      std::uint16_t& share = ply.policy[random_move(ply.legal, random)];
      share = static_cast<std::uint16_t>(share + part);
      rest -= part;
    }
  }
  std::uint32_t rest = 65535;  // of the prior, at least 1 for each of up to 6 moves
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((ply.legal >> move & 1) == 0) continue;
    ply.prior[move] = static_cast<std::uint16_t>(1 + random.below(rest / 2));
    rest -= ply.prior[move];
    if (ply.visits[move] > 0)
      ply.move_values[move] = static_cast<std::int16_t>(between(random, -1, 1) * 32767);
  }
  ply.network_draw = static_cast<std::uint16_t>(random.below(65536));
  if (random.below(9) == 0) ply.flags |= training::kSolvedPly;
  ply.root_value = between(random, -1, 1);
  ply.root_margin_seeds = between(random, -24, 24);
  ply.network_value = between(random, -1, 1);
  ply.network_margin_seeds = between(random, -24, 24);
  return ply;
}

}  // namespace

GameRecord random_game(const env::RuleSet& rules, std::uint64_t game_id, int opening_plies) {
  env::Game game(rules);
  GameRecord record;
  record.game_id = game_id;
  record.first_iteration = 3;
  record.last_iteration = 4;
  record.start = game.board();
  while (!game.over()) {
    const int ply = game.position().ply;
    env::RandomStream random(1, env::RandomPurpose::kTest, game_id,
                             static_cast<std::uint32_t>(ply));
    record.plies.push_back(record_ply(game, ply < opening_plies, random));
    game.play(record.plies.back().move);
  }
  record.outcome = game.outcome();
  return record;
}

std::vector<GameRecord> random_games(const env::RuleSet& rules, int count) {
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i) {
    games.push_back(random_game(rules, static_cast<std::uint64_t>(i), i % 2 == 0 ? 0 : 1 + i % 8));
  }
  return games;
}

}  // namespace awale::tests
