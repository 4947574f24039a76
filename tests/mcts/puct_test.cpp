#include "mcts/puct.hpp"

#include <cmath>
#include <limits>

#include "mcts/utility.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Row = std::array<float, env::kMoves>;

TEST_CASE("utility mixes result and margin, the margin clamped to half of the seeds") {
  // 0.9 * 1 + 0.1 * 12 / 24
  CHECK(mcts::utility(1.0F, 12.0F, 0.1F) == Approx(0.95));
  CHECK(mcts::utility(0.2F, -6.0F, 0.5F) == Approx(0.1 - 0.125));
  CHECK(mcts::utility(0.0F, 48.0F, 0.1F) == Approx(0.1));
  CHECK(mcts::utility(0.0F, -30.0F, 1.0F) == Approx(-1.0));
  CHECK(mcts::utility(0.5F, 24.0F, 0.0F) == Approx(0.5));
}

TEST_CASE("the utility of an evaluation is that of win minus loss") {
  nn::Evaluation evaluation;
  evaluation.win_draw_loss = {0.5F, 0.3F, 0.2F};
  evaluation.margin_seeds = 6.0F;
  CHECK(mcts::utility(evaluation, 0.1F) == Approx(0.9 * 0.3 + 0.1 * 0.25));
}

TEST_CASE("the utility of an ending is exact: win, draw, loss and the margin") {
  CHECK(mcts::terminal_utility(2, 0.1F) == Approx(0.9 + 0.1 * 2 / 24));
  CHECK(mcts::terminal_utility(-2, 0.1F) == Approx(-0.9 - 0.1 * 2 / 24));
  CHECK(mcts::terminal_utility(0, 0.1F) == 0.0F);
  CHECK(mcts::terminal_utility(48, 0.1F) == Approx(1.0));
  // Any win is above any draw, any draw above any loss, with room for the margin in between.
  CHECK(mcts::terminal_utility(1, 0.1F) > mcts::terminal_utility(0, 0.1F));
  CHECK(mcts::terminal_utility(30, 0.1F) > mcts::terminal_utility(1, 0.1F));
}

TEST_CASE("the masked softmax spreads probability over the legal moves only") {
  const float log2 = std::log(2.0F);
  const Row logits = {0, log2, 100, 2 * log2, 0, -5};
  const Row priors = mcts::masked_softmax(logits, 0b011011);
  CHECK(priors[0] == Approx(1.0 / 8));
  CHECK(priors[1] == Approx(2.0 / 8));
  CHECK(priors[2] == 0.0F);
  CHECK(priors[3] == Approx(4.0 / 8));
  CHECK(priors[4] == Approx(1.0 / 8));
  CHECK(priors[5] == 0.0F);
}

TEST_CASE("the masked softmax stands large logits and gives a single move everything") {
  const Row large = mcts::masked_softmax({1000, 999, -1000, 0, 0, 0}, 0b000111);
  CHECK(large[0] == Approx(1 / (1 + std::exp(-1.0))));
  CHECK(large[1] == Approx(1 / (1 + std::exp(1.0))));
  CHECK(large[2] < 1e-37F);
  CHECK(mcts::masked_softmax({9, -300, 9, 9, 9, 9}, 0b000010) == Row{0, 1, 0, 0, 0, 0});
}

TEST_CASE("first-play urgency falls with the visited prior mass") {
  CHECK(mcts::first_play_urgency(0.3F, 0.0F, 0.2F) == Approx(0.3));
  CHECK(mcts::first_play_urgency(0.3F, 0.25F, 0.2F) == Approx(0.3 - 0.2 * 0.5));
  CHECK(mcts::first_play_urgency(-0.5F, 1.0F, 0.2F) == Approx(-0.7));
}

TEST_CASE("the PUCT score is Q plus the prior's bonus") {
  // 0.1 + 0.5 * 0.3 * sqrt(16) / (1 + 3)
  CHECK(mcts::puct_score(0.1F, 0.3F, 3.0F, mcts::exploration(16, 0.5F)) == Approx(0.25));
  CHECK(mcts::puct_score(-0.2F, 0.5F, 0.0F, mcts::exploration(1, 0.5F)) == Approx(0.05));
}

mcts::Node node_of(env::LegalMask legal, const Row& priors) {
  mcts::Node node;
  node.legal = legal;
  node.priors = priors;
  return node;
}

void visit(mcts::Node& node, env::Move move, int visits, float mean_value) {
  node.visits[move] = static_cast<std::uint16_t>(visits);
  node.total_visits = static_cast<std::uint16_t>(node.total_visits + visits);
  node.value_sums[move] = mean_value * static_cast<float>(visits);
}

TEST_CASE("without visits the highest prior is selected, of equal ones the lowest legal move") {
  const mcts::SearchConfig config;
  CHECK(mcts::select_puct(node_of(0b111111, {0.1F, 0.1F, 0.3F, 0.2F, 0.3F, 0}), config) == 2);
  CHECK(mcts::select_puct(node_of(0b110100, {0, 0, 0.25F, 0, 0.5F, 0.25F}), config) == 4);
  CHECK(mcts::select_puct(node_of(0b110000, {0, 0, 0, 0, 0.5F, 0.5F}), config) == 4);
}

TEST_CASE("an illegal move is never selected, however bad the legal ones are") {
  mcts::Node node = node_of(0b100000, {0, 0, 0, 0, 0, 1});
  visit(node, 5, 1000, -1.0F);
  CHECK(mcts::select_puct(node, mcts::SearchConfig{}) == 5);
}

TEST_CASE("selection weighs value, prior and visits as in the worked example") {
  mcts::SearchConfig config;
  config.c_puct = 0.5F;
  config.fpu_reduction = 0.2F;
  mcts::Node node = node_of(0b000111, {0.5F, 0.3F, 0.2F, 0, 0, 0});
  node.utility = 0.1F;  // the network's own
  visit(node, 0, 2, 0.0F);
  visit(node, 1, 1, 0.2F);
  // node visits 4, so the bonus is prior / (1 + visits):
  //   move 0: 0.0 + 0.5 / 3                                            = 0.1667
  //   move 1: 0.2 + 0.3 / 2                                            = 0.35
  //   move 2: (0.1 + 0.2) / 4 - 0.2 * sqrt(0.5 + 0.3) + 0.2 / 1        = 0.0961
  CHECK(mcts::select_puct(node, config) == 1);
  // Without the reduction move 2 has 0.275, still less; with move 1 worth 0.08 it is 0.245 to 0.23:
  config.fpu_reduction = 0;
  CHECK(mcts::select_puct(node, config) == 1);
  node.value_sums[1] = 0.08F;
  CHECK(mcts::select_puct(node, config) == 2);
}

TEST_CASE("a node's first visit counts its own evaluation, so that priors decide") {
  // With sqrt(0) all scores would be equal and the lowest move would be taken.
  CHECK(mcts::select_puct(node_of(0b000011, {0.4F, 0.6F, 0, 0, 0, 0}), mcts::SearchConfig{}) == 1);
}

}  // namespace
}  // namespace awale::test
