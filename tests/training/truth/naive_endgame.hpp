// The guarantees of all small boards by iterating their definition until nothing changes any more:
// slow, without an index, and only as clever as the definition (env/endgame/guarantees.hpp).
#pragma once

#include <vector>

#include "env/endgame/table.hpp"
#include "env/rules.hpp"

namespace awale::test {

class NaiveEndgame {
 public:
  // All boards with up to `seeds` seeds.
  NaiveEndgame(const env::RuleSet& rules, int seeds);

  // With these seeds in the pits, South to move, nothing in the stores.
  const std::vector<env::Board>& boards() const { return boards_; }

  // Of the seeds in the pits; the stores of `board` do not matter.
  env::FutureMargin margin(const env::Board& board) const;

 private:
  struct Step {
    std::size_t child = 0;
    int captured = 0;
  };
  struct Node {
    int seeds = 0;
    std::vector<Step> steps;  // none at the end of a game
    int win = 0;
    int loss = 0;
  };

  void add_boards(env::Board& board, int pit, int seeds);
  std::size_t find(const env::Board& board) const;
  void connect(std::size_t index);
  bool improve(Node& node) const;

  env::RuleSet rules_;
  bool circles_count_nothing_;
  std::vector<env::Board> boards_;  // by seeds, then by pits
  std::vector<Node> nodes_;
};

}  // namespace awale::test
