#include "training/benchmark/middle_games.hpp"

#include "env/random.hpp"

namespace awale::training {

std::vector<env::Game> middle_games(const env::RuleSet& rules, int count) {
  constexpr int kPliesApart = 5;
  std::vector<env::Game> games;
  for (std::uint64_t id = 0; static_cast<int>(games.size()) < count; ++id) {
    env::RandomStream stream(1, env::RandomPurpose::kRollout, id, 0);
    env::Game game(rules);
    const int plies = kPliesApart * static_cast<int>(games.size() + 1);
    for (int ply = 0; ply < plies && !game.over(); ++ply)
      game.play(env::random_move(game.legal(), stream));
    if (!game.over()) games.push_back(game);
  }
  return games;
}

}  // namespace awale::training
