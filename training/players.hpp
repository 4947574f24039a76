// Players by name: what a user writes on the command line or in a config becomes a factory for
// matches, evaluation and terminal play.
//
//   random                 uniformly random moves
//   minimax:6              alpha-beta search, 6 plies deep
//   minimax:200000nodes    the same, as deep as so many nodes a move allow
//   minimax:20ms           the same with 20 ms a move (not reproducible)
//   uniform-mcts[:S]       tree search without a network, S simulations a move
//   mcts:PATH[:S] or PATH  tree search with a trained network: a checkpoint, an exported weights
//                          file, a run directory (its newest checkpoint) or `pretrained`, the
//                          network that comes with the program
//
// Without :S the simulations of the setup are used. Behind a player that searches, @KEY=VALUE
// (several: @KEY=VALUE,KEY=VALUE) changes a setting of its search for this player alone. Tree
// search: a key of [search], or `evaluator`. Minimax: `evaluation`, seeds or tuned
// (mcts/baseline/evaluation.hpp). Both: `table`, the file of an endgame table that judges what it
// covers. So two ways to search can play a match with one network:
// runs/a:16@algorithm=gumbel against runs/a:16@algorithm=puct.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator_config.hpp"
#include "training/checkpoint.hpp"
#include "training/match.hpp"

namespace awale::training {

enum class PlayerKind {
  kRandom,
  kMinimaxDepth,
  kMinimaxNodes,
  kMinimaxTime,
  kUniformSearch,
  kAgent
};

struct PlayerSpec {
  PlayerKind kind = PlayerKind::kRandom;
  int number = 0;              // plies, nodes, ms or simulations; 0: not said
  std::filesystem::path path;  // of kAgent
  std::vector<std::pair<std::string, std::string>> settings = {};  // behind the @, in their order
};

// The forms above, for help texts.
inline constexpr const char* kPlayerForms =
    "random, minimax:DEPTH, minimax:Nnodes, minimax:MSms, uniform-mcts[:S], mcts:PATH[:S] or PATH, "
    "pretrained; "
    "searching "
    "players with own settings: PLAYER@KEY=VALUE,...";

// Reads no file. Throws InputError(kUsage) that lists the forms.
PlayerSpec parse_player(const std::string& text);

// The rules that the first agent among `specs` was trained for, nothing if none is one. Throws
// InputError(kFile) from the network's file.
std::optional<env::RuleSet> agent_rules(const std::vector<PlayerSpec>& specs);

// What all players of a match share.
struct PlayerSetup {
  env::RuleSet rules;
  // simulations: of players that do not say their own
  mcts::SearchConfig search = mcts::playing({});
  std::uint64_t seed = 1;
  nn::EvaluatorConfig evaluator;
  std::filesystem::path table = {};  // of the tree searches; empty: none
  // Agents play one game at a time and search it on so many threads (mcts::GameSearch);
  // nothing: many games at once, on one.
  std::optional<int> threads_a_game = std::nullopt;
};

// An agent's name tells its simulations, its file and its evaluator.
struct NamedPlayer {
  std::string name;
  PlayerFactory make;
  bool batched = false;          // whether many games at once are faster than one by one
  std::string fingerprint = {};  // of an agent's weights, 16 hexadecimal digits
};

// Of all values (FNV-1a), 16 hexadecimal digits: tells apart networks that were written to one
// path.
std::string fingerprint(const nn::NetworkWeights& weights);

// Loads what the player needs; the players that `make` builds share it. Throws InputError: kUsage
// for numbers out of range and for an evaluator that this machine lacks, kFile and kMismatch (other
// rules) from the network's file.
NamedPlayer make_player(const PlayerSpec& spec, const PlayerSetup& setup);

// The same for an agent already loaded. Throws InputError(kMismatch) for other rules.
NamedPlayer make_player(const Agent& agent, const PlayerSetup& setup);

}  // namespace awale::training
