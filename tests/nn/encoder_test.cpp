// The encoder against a slow twin that says each feature in words, and what the features promise.
#include "nn/encoder.hpp"

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "nn/capture_lookup.hpp"
#include "nn/encoder_kernel.hpp"
#include "tests/nn/random_positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::Position;
using env::RuleSet;
using nn::kActiveFeatures;

// Which feature of each block is active, by the block's name.
using Features = std::map<std::string, int>;

Features encode_one(const RuleSet& rules, const Position& position) {
  std::vector<std::int32_t> indices(kActiveFeatures);
  nn::encode(rules, {&position, 1}, indices);
  Features features;
  for (int k = 0; k < kActiveFeatures; ++k) {
    const nn::FeatureBlock& block = nn::feature_blocks()[k];
    INFO("block " << block.name << " index " << indices[k]);
    REQUIRE(indices[k] >= block.first);
    REQUIRE(indices[k] < block.first + block.size);
    features[std::string(block.name)] = indices[k] - block.first;
  }
  return features;
}

// The number of the first step that `value` does not exceed; the last step has no end.
int step(int value, const std::vector<int>& last_values) {
  int number = 0;
  for (const int last : last_values)
    number += value > last ? 1 : 0;
  return number;
}

env::Board turned(env::Board board) {
  std::rotate(board.pits.begin(), board.pits.begin() + 6, board.pits.end());
  std::swap(board.store_to_move, board.store_opponent);
  board.to_move = env::opponent(board.to_move);
  return board;
}

int takes(const RuleSet& rules, const env::Board& board, int pit, bool known_illegal) {
  if (board.pits[pit] == 0) return 0;
  if (known_illegal) return 10;
  return 1 + std::min(8, env::preview(rules, board, static_cast<env::Move>(pit)).captured_seeds);
}

// The board after a move that need not be legal, turned to the other player.
env::Board after(const RuleSet& rules, env::Board board, int pit) {
  const env::MovePreview preview = env::preview(rules, board, static_cast<env::Move>(pit));
  int to = pit;
  for (int left = std::exchange(board.pits[pit], 0); left > 0; --left) {
    to = (to + 1) % 12;
    if (to == pit) to = (to + 1) % 12;
    ++board.pits[to];
  }
  int left = preview.captured_seeds;
  for (to = preview.landing_pit; left > 0; --to)
    left -= std::exchange(board.pits[to], 0);
  return turned(board);
}

// The most that could be taken after a move, as its "takes" block has it.
int reply(const RuleSet& rules, const env::Board& board, int pit, int takes_value) {
  if (takes_value == 0 || takes_value == 10) return 0;
  const env::Board next = after(rules, board, pit);
  int most = 1;
  for (int other = 0; other < 6; ++other)
    most = std::max(most, takes(rules, next, other, false));
  return most;
}

// What whoever is to move takes more than the other in `plies` plies, both making the most of it.
int most_gain(const RuleSet& rules, const env::Board& board, int plies) {
  int most = -48;
  for (int pit = 0; pit < 6; ++pit) {
    if (board.pits[pit] == 0) continue;
    const int taken = env::preview(rules, board, static_cast<env::Move>(pit)).captured_seeds;
    const int answered = plies > 1 ? most_gain(rules, after(rules, board, pit), plies - 1) : 0;
    most = std::max(most, taken - answered);
  }
  return most == -48 ? 0 : most;
}

// What a move and the three plies after it gain, in the steps of a "gain" block.
int gain(const RuleSet& rules, const env::Board& board, int pit, int takes_value) {
  if (takes_value == 0 || takes_value == 10) return 0;
  const int taken = env::preview(rules, board, static_cast<env::Move>(pit)).captured_seeds;
  return 9 + std::clamp(taken - most_gain(rules, after(rules, board, pit), 3), -8, 8);
}

void add_rules(const RuleSet& rules, Features& features) {
  features["rules.grand_slam"] = static_cast<int>(rules.grand_slam);
  features["rules.capture_counts"] = static_cast<int>(rules.capture_counts);
  features["rules.must_feed"] = rules.must_feed ? 1 : 0;
  features["rules.cannot_feed"] = static_cast<int>(rules.cannot_feed);
  features["rules.target_seeds"] = step(rules.target_seeds, {0, 20, 21, 24, 25});
  features["rules.sweep_at_target"] = rules.sweep_at_target ? 1 : 0;
  features["rules.repetition_occurrence"] = step(rules.repetition_occurrence, {0, 2});
  features["rules.repetition_score"] = static_cast<int>(rules.repetition_score);
  features["rules.limit_score"] = static_cast<int>(rules.limit_score);
}

Features twin(const RuleSet& rules, const Position& position) {
  const env::Board& board = position.board;
  const env::Board other = turned(board);
  const env::LegalMask legal = env::legal_moves(rules, board);
  Features features;
  for (int pit = 0; pit < 6; ++pit) {
    const std::string number = std::to_string(pit);
    const bool illegal = (legal >> pit & 1) == 0;
    features["pit.to_move." + number] = std::min<int>(24, board.pits[pit]);
    features["pit.opponent." + number] = std::min<int>(24, other.pits[pit]);
    features["takes.to_move." + number] = takes(rules, board, pit, illegal);
    features["takes.opponent." + number] = takes(rules, other, pit, false);
    features["reply.to_move." + number] =
        reply(rules, board, pit, features["takes.to_move." + number]);
    features["reply.opponent." + number] =
        reply(rules, other, pit, features["takes.opponent." + number]);
    features["gain.to_move." + number] =
        gain(rules, board, pit, features["takes.to_move." + number]);
  }
  features["store.to_move"] = board.store_to_move;
  features["store.opponent"] = board.store_opponent;
  features["quiet_plies"] = step(position.quiet_plies, {0, 1, 2, 4, 8, 16, 32});
  features["repetitions"] = std::min<int>(2, position.repetitions);
  features["plies_left"] =
      rules.ply_limit == 0 ? 9
                           : step(rules.ply_limit - position.ply, {2, 5, 10, 20, 30, 50, 100, 200});
  add_rules(rules, features);
  return features;
}

TEST_CASE("Feature blocks lie side by side from 0 to F, each with a name of its own") {
  int next = 0;
  std::set<std::string_view> names;
  for (const nn::FeatureBlock& block : nn::feature_blocks()) {
    CHECK(block.first == next);
    CHECK(block.size >= 2);
    CHECK_FALSE(block.values.empty());
    next += block.size;
    names.insert(block.name);
  }
  CHECK(next == nn::kFeatures);
  CHECK(nn::feature_blocks().size() == kActiveFeatures);
  CHECK(names.size() == kActiveFeatures);
}

TEST_CASE("The encoder agrees with its twin on random games and boards under every rule set") {
  for (const RuleSet& rules : many_rules()) {
    auto positions = random_positions(rules, 300, 1);
    const auto boards = random_boards(300, 2);
    positions.insert(positions.end(), boards.begin(), boards.end());
    for (const Position& position : positions) {
      INFO(env::describe(rules) << " at " << position.board << " ply " << position.ply);
      REQUIRE(encode_one(rules, position) == twin(rules, position));
    }
  }
}

TEST_CASE("Every feature of the board can be active") {
  std::set<std::int32_t> seen;
  for (const RuleSet& rules : many_rules()) {
    const auto positions = random_boards(3000, 3);
    std::vector<std::int32_t> indices(positions.size() * kActiveFeatures);
    nn::encode(rules, positions, indices);
    seen.insert(indices.begin(), indices.end());
  }
  for (const nn::FeatureBlock& block : nn::feature_blocks()) {
    const bool of_board = block.name.starts_with("takes") || block.name.starts_with("reply") ||
                          block.name.starts_with("gain") || block.name == "quiet_plies" ||
                          block.name == "repetitions" || block.name == "plies_left";
    if (!of_board) continue;
    for (int value = 0; value < block.size; ++value) {
      INFO(block.name << " " << value);
      CHECK(seen.contains(block.first + value));
    }
  }
}

TEST_CASE("A batch is its rows one by one, and no row is no work") {
  const RuleSet rules;
  const auto positions = random_positions(rules, 50, 4);
  std::vector<std::int32_t> batch(positions.size() * kActiveFeatures);
  nn::encode(rules, positions, batch);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::vector<std::int32_t> row(kActiveFeatures);
    nn::encode(rules, {&positions[i], 1}, row);
    REQUIRE(std::equal(row.begin(), row.end(), batch.begin() + i * kActiveFeatures));
  }
  nn::encode(rules, {}, {});
}

// Random boards may have no legal move or be over: there, too, all kernels agree.
TEST_CASE("Every kernel of the encoder gives the same bytes") {
  for (const RuleSet& rules : many_rules()) {
    auto positions = random_positions(rules, 500, 7);
    const auto boards = random_boards(20000, 8);
    positions.insert(positions.end(), boards.begin(), boards.end());
    std::vector<nn::FeatureValues> expected(positions.size());
    const auto count = static_cast<long>(positions.size());
    nn::encoder_kernels().back().encode(rules, positions.data(), count, expected.data());
    for (const nn::EncoderKernel& kernel : nn::encoder_kernels()) {
      std::vector<nn::FeatureValues> found(positions.size());
      std::memset(found.data(), 0xa5, found.size() * sizeof(found[0]));
      kernel.encode(rules, positions.data(), count, found.data());
      for (std::size_t i = 0; i < found.size(); ++i) {
        INFO(kernel.name << " " << env::describe(rules) << " at " << positions[i].board);
        REQUIRE(std::memcmp(&found[i], &expected[i], sizeof(found[i])) == 0);
      }
    }
  }
}

TEST_CASE("The values are the indices without their blocks' firsts, and the past is one number") {
  const RuleSet rules;
  const auto positions = random_boards(300, 9);
  std::vector<nn::FeatureValues> values(positions.size());
  nn::encode_values(rules, positions, values);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Features features = encode_one(rules, positions[i]);
    for (int column = 0; column < nn::kBoardColumns; ++column) {
      const std::string name(nn::feature_blocks()[column].name);
      REQUIRE(int{values[i].value[column]} == features.at(name));
    }
    REQUIRE(int{values[i].value[nn::kPastColumn]} ==
            (features.at("quiet_plies") * 3 + features.at("repetitions")) * 10 +
                features.at("plies_left"));
  }
}

TEST_CASE("Mirrored positions look the same to South and North") {
  const RuleSet rules;
  for (Position position : random_positions(rules, 200, 5)) {
    const Features features = encode_one(rules, position);
    position.board.to_move = env::opponent(position.board.to_move);
    REQUIRE(encode_one(rules, position) == features);
  }
}

TEST_CASE("Each rule parameter changes the features") {
  const Position start{env::initial_board(), 0, 0, 0};
  const RuleSet plain;
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"grand_slam", "illegal"},      {"capture_counts", "1,2"},     {"must_feed", "false"},
      {"cannot_feed", "plays_on"},    {"target_seeds", "21"},        {"sweep_at_target", "false"},
      {"repetition_occurrence", "3"}, {"repetition_score", "split"}, {"ply_limit", "200"},
      {"limit_score", "captured"}};
  for (const auto& change : changes) {
    INFO(change.first);
    const RuleSet changed = env::from_key_values(plain, {change});
    CHECK(encode_one(changed, start) != encode_one(plain, start));
  }
}

TEST_CASE("The capture lookup agrees with preview and play on random boards") {
  for (const RuleSet& rules : many_rules()) {
    const nn::CaptureLookup lookup(rules);
    for (const Position& position : random_boards(2000, 6)) {
      const env::Board& board = position.board;
      const auto taken = lookup.captures(nn::row_bytes(board, 0), nn::row_bytes(board, 6));
      for (env::Move move = 0; move < env::kMoves; ++move) {
        INFO(env::describe(rules) << " at " << board << " move " << int{move});
        const int expected =
            board.pits[move] == 0 ? 0 : env::preview(rules, board, move).captured_seeds;
        REQUIRE(int{taken[move]} == expected);
        if (board.pits[move] == 0) continue;
        const auto rows = lookup.after(move, nn::row_bytes(board, 0), nn::row_bytes(board, 6));
        const env::Board next = after(rules, board, move);
        REQUIRE(rows.own == nn::row_bytes(next, 6));
        REQUIRE(rows.opponent == nn::row_bytes(next, 0));
      }
    }
  }
}

}  // namespace
}  // namespace awale::test
