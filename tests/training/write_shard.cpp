// Writes a shard of random games, for h5py_test.py: write_shard FILE PRESET GAMES
#include <cstdio>
#include <cstdlib>

#include "tests/training/random_games.hpp"
#include "training/trajectory_log.hpp"

int main(int argc, char** argv) {
  using namespace awale;
  if (argc != 4) {
    std::fputs("usage: write_shard FILE PRESET GAMES\n", stderr);
    return 2;
  }
  const auto rules = env::preset(argv[2]);
  const auto games = tests::random_games(rules, std::atoi(argv[3]));
  training::write_shard(argv[1], {{rules}, 1, "000001.h5", 2, "0123abc"}, games);
  return 0;
}
