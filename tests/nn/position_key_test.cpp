// The key against the encoder: equal keys exactly where a network could not tell the positions
// apart.
#include "nn/position_key.hpp"

#include <map>
#include <set>

#include "nn/encoder.hpp"
#include "tests/nn/random_positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::Position;
using env::RuleSet;
using Bytes = std::array<std::uint8_t, sizeof(nn::PositionKey)>;
using ActiveFeatures = std::vector<std::int32_t>;

Bytes key_of(const RuleSet& rules, const Position& position) {
  return std::bit_cast<Bytes>(nn::position_key(rules, position));
}

ActiveFeatures features_of(const RuleSet& rules, const Position& position) {
  ActiveFeatures indices(nn::kActiveFeatures);
  nn::encode(rules, {&position, 1}, indices);
  return indices;
}

// Every past that steps could tell apart, of one board.
std::vector<Position> all_pasts(const RuleSet& rules, const env::Board& board) {
  std::vector<Position> positions;
  for (std::uint16_t quiet = 0; quiet < 70; ++quiet)
    positions.push_back({board, 0, quiet, 0});
  for (std::uint8_t repetitions = 0; repetitions < 6; ++repetitions)
    positions.push_back({board, 7, 5, repetitions});
  const int last_ply = rules.ply_limit == 0 ? 300 : rules.ply_limit - 1;
  for (int ply = std::max(0, last_ply - 300); ply <= last_ply; ++ply)
    positions.push_back({board, static_cast<std::uint16_t>(ply), 5, 1});
  return positions;
}

TEST_CASE("Equal keys mean equal features, and of one board the other way round") {
  for (const RuleSet& rules : many_rules()) {
    INFO(env::describe(rules));
    std::map<Bytes, ActiveFeatures> features_by_key;
    std::map<ActiveFeatures, Bytes> keys_by_features;
    for (const Position& position : all_pasts(rules, env::initial_board())) {
      INFO("ply " << position.ply << " quiet " << position.quiet_plies << " repetitions "
                  << int{position.repetitions});
      const Bytes key = key_of(rules, position);
      const ActiveFeatures features = features_of(rules, position);
      REQUIRE(features_by_key.emplace(key, features).first->second == features);
      REQUIRE(keys_by_features.emplace(features, key).first->second == key);
    }
  }
}

TEST_CASE("Equal keys mean equal features in random games and boards under every rule set") {
  for (const RuleSet& rules : many_rules()) {
    std::map<Bytes, ActiveFeatures> features_by_key;
    auto positions = random_positions(rules, 3000, 21);
    const auto boards = random_boards(1000, 22);
    for (const Position& board : boards) {
      positions.push_back(board);
      // The same board with another past, sometimes in the same steps.
      const Position& past = boards[positions.size() % boards.size()];
      positions.push_back({board.board, past.ply, past.quiet_plies, past.repetitions});
      positions.back().board.to_move = past.board.to_move;
    }
    for (const Position& position : positions) {
      INFO(env::describe(rules) << " at " << position.board);
      const ActiveFeatures features = features_of(rules, position);
      REQUIRE(features_by_key.emplace(key_of(rules, position), features).first->second == features);
    }
    CHECK(features_by_key.size() < positions.size());  // some were equal
  }
}

TEST_CASE("Every count of every pit and store has a key of its own") {
  const RuleSet rules;
  std::set<Bytes> keys;
  std::size_t changes = 0;
  for (int place = 0; place < 14; ++place) {
    for (std::uint8_t seeds = 1; seeds <= env::kSeeds; ++seeds, ++changes) {
      Position position;
      if (place < env::kPits) position.board.pits[place] = seeds;
      if (place == 12) position.board.store_to_move = seeds;
      if (place == 13) position.board.store_opponent = seeds;
      keys.insert(key_of(rules, position));
    }
  }
  CHECK(keys.size() == changes);
}

TEST_CASE("Whose turn it is has no part in the key") {
  const RuleSet rules;
  Position position{env::initial_board(), 8, 3, 1};
  const Bytes key = key_of(rules, position);
  position.board.to_move = env::Side::kNorth;
  CHECK(key_of(rules, position) == key);
}

TEST_CASE("Each byte of the key changes the hash, in its high and its low bits") {
  const auto key = key_of(RuleSet{}, {env::initial_board(), 8, 3, 1});
  std::set<std::uint64_t> high;
  std::set<std::uint64_t> low;
  for (std::size_t byte = 0; byte < key.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes changed = key;
      changed[byte] ^= static_cast<std::uint8_t>(1 << bit);
      const auto hash = nn::hash(std::bit_cast<nn::PositionKey>(changed));
      high.insert(hash >> 32);
      low.insert(hash & 0xffffffff);
    }
  }
  CHECK(high.size() == 128);
  CHECK(low.size() == 128);
}

}  // namespace
}  // namespace awale::test
