#include "training/data/row_counts.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "env/random.hpp"
#include "nn/hdf5_file.hpp"

namespace awale::training {
namespace {

bool searched(std::uint8_t flags) {
  return (flags & kUnsearchedPly) == 0;
}

}  // namespace

RowCounts operator+(const RowCounts& left, const RowCounts& right) {
  return {left.learnt + right.learnt, left.held_out + right.held_out};
}

bool is_held_out(const LearnerConfig& learner, std::uint64_t seed, std::uint64_t game_id) {
  if (learner.validation_share == 0) return false;
  env::RandomStream stream(seed, env::RandomPurpose::kHeldOut, game_id, 0);
  return stream.uniform() < learner.validation_share;
}

RowCounts count_rows(std::span<const GameRecord> games, const LearnerConfig& learner,
                     std::uint64_t seed) {
  RowCounts counts;
  for (const auto& game : games) {
    auto& count = is_held_out(learner, seed, game.game_id) ? counts.held_out : counts.learnt;
    for (const auto& ply : game.plies)
      count += searched(ply.flags) ? 1 : 0;
  }
  return counts;
}

RowCounts count_shard_rows(const std::filesystem::path& shard, const LearnerConfig& learner,
                           std::uint64_t seed) {
  const nn::Hdf5Reader file(shard);
  const auto ids = file.dataset<std::uint64_t>("games/game_id").values;
  const auto plies = file.dataset<std::uint32_t>("games/plies").values;
  const auto flags = file.dataset<std::uint8_t>("plies/flags").values;
  RowCounts counts;
  std::size_t row = 0;
  for (std::size_t game = 0; game < std::min(ids.size(), plies.size()); ++game) {
    auto& count = is_held_out(learner, seed, ids[game]) ? counts.held_out : counts.learnt;
    for (std::uint32_t ply = 0; ply < plies[game] && row < flags.size(); ++ply)
      count += searched(flags[row++]) ? 1 : 0;
  }
  if (row == flags.size() && ids.size() == plies.size()) return counts;
  throw InputError(ErrorKind::kFile,
                   "'" + shard.string() + "': its games do not have as many plies as there are");
}

bool fills(const RowCounts& rows, const LearnerConfig& learner) {
  const bool none_held_out = learner.validation_share == 0;
  // Rows repeated by their surprise are about as many as they are counted here; not quite.
  const double spare = learner.surprise_share > 0 ? 1.1 : 1;
  return rows.learnt >= static_cast<std::uint64_t>(spare * learner.window_rows) &&
         (none_held_out || rows.held_out >= static_cast<std::uint64_t>(learner.validation_rows));
}

}  // namespace awale::training
