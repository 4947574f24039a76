#include "training/report/logged_games.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "training/data/data_files.hpp"
#include "training/game_text/game_files.hpp"
#include "training/game_text/game_json.hpp"
#include "training/game_text/game_records.hpp"
#include "training/trajectory_log.hpp"
#include "training/truth/judge.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Indices of at most `most` of `count`, evenly spread.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> indices;
  const std::size_t taken = std::min(count, most);
  for (std::size_t i = 0; i < taken; ++i)
    indices.push_back(i * count / taken);
  return indices;
}

// What the table says of each ply; null where it says nothing.
Json oracle_json(const PlayedGame& game, const env::EndgameTable* table) {
  auto plies = Json::array();
  const bool asked = table != nullptr && env::same_endgame(table->rules(), game.rules);
  env::Game state(game.rules, game.start);
  for (const char letter : game.moves) {
    const env::Move move = env::parse_move(letter, state.board().to_move);
    const auto truth =
        asked ? judge(*table, game.rules, state.board()) : std::optional<BoardTruth>();
    if (truth) {
      const auto& after = truth->moves[move].at_end;
      plies.push_back({{"before", {truth->at_end.low, truth->at_end.high}},
                       {"after", {after.low, after.high}},
                       {"lost", result_change(*truth, move) == ResultChange::kLost}});
    } else {
      plies.push_back(nullptr);
    }
    state.play(move);
  }
  return plies;
}

// A number a move, null where it is illegal.
template <typename Number>
Json of_legal_moves(const PlyRecord& ply, const Number& number) {
  auto list = Json::array();
  for (env::Move move = 0; move < env::kMoves; ++move)
    list.push_back((ply.legal >> move & 1) != 0 ? Json(number(move)) : Json());
  return list;
}

Json search_json(const PlyRecord& ply) {
  if ((ply.flags & kUnsearchedPly) != 0) return nullptr;
  const bool has_prior =
      std::any_of(ply.prior.begin(), ply.prior.end(), [](int p) { return p > 0; });
  const auto prior = [&](env::Move move) {
    return has_prior ? Json(static_cast<float>(ply.prior[move]) / kPolicyUnits) : Json();
  };
  return {{"visits", of_legal_moves(ply, [&](env::Move move) { return ply.visits[move]; })},
          {"priors", of_legal_moves(ply, prior)},
          {"value", ply.root_value},
          {"margin_seeds", ply.root_margin_seeds}};
}

Json game_data(const std::string& title, const PlayedGame& game, const Json& searches,
               const env::EndgameTable* table) {
  Json shown = game_json(game.rules, game.start, game.moves);
  shown["legal"] = Json::array();
  shown["illegal"] = Json::array();
  return {{"title", title},
          {"game", shown},
          {"tags", tags_json(game.tags)},
          {"searches", searches},
          {"oracle", oracle_json(game, table)}};
}

Json games_of_shard(const fs::path& file, const std::string& name,
                    const LoggedGamesConfig& config) {
  const Shard shard = read_shard(file);
  auto games = Json::array();
  for (const std::size_t index : spread(shard.games.size(), config.most)) {
    const GameRecord& record = shard.games[index];
    auto searches = Json::array();
    for (const PlyRecord& ply : record.plies)
      searches.push_back(search_json(ply));
    games.push_back(game_data(name + ", game " + std::to_string(record.game_id),
                              to_played_game(record, shard.provenance), searches, config.table));
  }
  return games;
}

}  // namespace

Json games_of_run(const fs::path& directory, const std::string& name,
                  const LoggedGamesConfig& config) {
  const auto shards = find_data(directory).shards;
  for (auto file = shards.rbegin(); file != shards.rend(); ++file) {
    try {
      return games_of_shard(*file, "run " + name, config);
    } catch (const InputError& error) {
      if (error.kind() != ErrorKind::kFile) throw;  // run_data() tells of it
    }
  }
  return Json::array();
}

Json games_of_file(const fs::path& file, const std::optional<env::RuleSet>& rules,
                   const LoggedGamesConfig& config) {
  const auto format = format_of(file);
  if (!format) {
    throw InputError(ErrorKind::kFile, file.string() +
                                           ": expected the folder of a run, or a file of games "
                                           "(.h5, .ogn, .txt)");
  }
  const std::string name = file.filename().string();
  if (*format == GameFormat::kHdf5) return games_of_shard(file, name, config);
  const auto read = read_games(file, *format, rules);
  auto games = Json::array();
  for (const std::size_t index : spread(read.games.size(), config.most)) {
    const PlayedGame& game = read.games[index];
    games.push_back(game_data(name + ", game " + std::to_string(index + 1), game,
                              Json(game.moves.size(), nullptr), config.table));
  }
  return games;
}

}  // namespace awale::training
