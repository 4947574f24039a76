#include "training/game_text/played_game.hpp"

#include "env/error.hpp"
#include "env/printable.hpp"

namespace awale::training {

PlayedGame replay_game(const env::RuleSet& rules, const env::Board& start, const std::string& moves,
                       const std::string& place) {
  try {
    const env::Game end = env::replay(rules, start, moves);
    return {rules, start, moves, end.over() ? end.outcome() : env::Outcome{}, {}};
  } catch (const InputError& error) {
    throw InputError(error.kind(), place + ": " + env::printable(error.what()));
  }
}

}  // namespace awale::training
