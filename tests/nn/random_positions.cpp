#include "tests/nn/random_positions.hpp"

#include "env/random.hpp"

namespace awale::test {
namespace {

// Up to 48 seeds thrown into a few pits and the stores.
env::Board crowded_board(env::RandomStream& stream) {
  env::Board board;
  const auto pits = 1 + stream.below(env::kPits);
  for (auto left = 1 + stream.below(env::kSeeds); left > 0; --left) {
    const auto place = stream.below(20);
    if (place < env::kPits) ++board.pits[place % pits * 7 % env::kPits];
    if (place >= env::kPits) ++(place % 2 == 0 ? board.store_to_move : board.store_opponent);
  }
  return board;
}

// One or two seeds in most pits and one full pit: long chains of captures.
env::Board sparse_board(env::RandomStream& stream) {
  env::Board board;
  for (auto& pit : board.pits)
    pit = static_cast<std::uint8_t>((1 + stream.below(8)) / 3);
  board.pits[stream.below(env::kPits)] = static_cast<std::uint8_t>(1 + stream.below(20));
  return board;
}

}  // namespace

std::vector<env::Position> random_positions(const env::RuleSet& rules, int count,
                                            std::uint64_t seed) {
  std::vector<env::Position> positions;
  for (std::uint64_t id = 0; static_cast<int>(positions.size()) < count; ++id) {
    env::RandomStream stream(seed, env::RandomPurpose::kTest, id, 0);
    for (env::Game game(rules); !game.over(); game.play(random_move(game.legal(), stream))) {
      positions.push_back(game.position());
    }
  }
  positions.resize(count);
  return positions;
}

std::vector<env::Position> random_boards(int count, std::uint64_t seed) {
  std::vector<env::Position> positions(count);
  env::RandomStream stream(seed, env::RandomPurpose::kTest, 0, 1);
  for (env::Position& position : positions) {
    position.board = stream.below(2) == 0 ? crowded_board(stream) : sparse_board(stream);
    position.board.to_move = static_cast<env::Side>(stream.below(2));
    position.ply = static_cast<std::uint16_t>(stream.below(1000) >> stream.below(10));
    position.quiet_plies = static_cast<std::uint16_t>(stream.below(100) >> stream.below(7));
    position.repetitions = static_cast<std::uint8_t>(stream.below(5));
  }
  return positions;
}

std::vector<env::RuleSet> many_rules() {
  std::vector<env::RuleSet> all;
  for (const std::string& name : env::preset_names())
    all.push_back(env::preset(name));
  env::RuleSet rules;
  rules.grand_slam = env::GrandSlam::kIllegal;
  rules.ply_limit = 0;
  rules.repetition_occurrence = 4;
  all.push_back(rules);
  rules = env::RuleSet{};
  rules.grand_slam = env::GrandSlam::kCapture;
  rules.capture_counts = env::CaptureCounts::kOneTwo;
  rules.target_seeds = 30;
  rules.ply_limit = 60;
  all.push_back(rules);
  return all;
}

nn::NetworkWeights lively_weights(const nn::NetworkConfig& config, std::uint64_t seed) {
  nn::NetworkWeights weights = nn::initial_weights(config, seed);
  env::RandomStream stream(seed, env::RandomPurpose::kTest, 0, 2);
  for (nn::NamedTensor& tensor : weights.tensors) {
    const bool bias = tensor.shape.size() == 1;
    const bool heads = tensor.name.starts_with("heads.") || tensor.name.starts_with("auxiliary.");
    for (float& value : tensor.values) {
      if (bias) value = static_cast<float>(0.2 * stream.uniform() - 0.1);
      if (heads) value *= 10;
    }
  }
  return weights;
}

}  // namespace awale::test
