#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "env/error.hpp"
#include "training/trajectory_check.hpp"
#include "training/trajectory_columns.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

// Behind the rules' reasons in the column of them.
constexpr std::uint8_t kAdjudicated = static_cast<std::uint8_t>(env::EndReason::kPlyLimit) + 1;

std::string join(const std::string& group, const std::string& name) {
  return group == "/" ? name : group + "/" + name;
}

void append_board(std::vector<std::uint8_t>& column, const env::Board& board) {
  column.insert(column.end(), board.pits.begin(), board.pits.end());
  column.push_back(board.store_to_move);
  column.push_back(board.store_opponent);
}

env::Board board_at(const std::vector<std::uint8_t>& column, std::size_t row,
                    std::uint8_t to_move) {
  const std::uint8_t* values = column.data() + row * kBoardColumns;
  env::Board board;
  std::copy_n(values, env::kPits, board.pits.begin());
  board.store_to_move = values[env::kPits];
  board.store_opponent = values[env::kPits + 1];
  board.to_move = static_cast<env::Side>(to_move);
  return board;
}

void append(GameColumns& columns, const GameRecord& game, std::uint64_t first_ply) {
  columns.game_id.push_back(game.game_id);
  columns.first_ply.push_back(first_ply);
  columns.plies.push_back(static_cast<std::uint32_t>(game.plies.size()));
  columns.first_iteration.push_back(game.first_iteration);
  columns.last_iteration.push_back(game.last_iteration);
  columns.reason.push_back(game.adjudicated ? kAdjudicated
                                            : static_cast<std::uint8_t>(game.outcome.reason));
  columns.margin_south.push_back(static_cast<std::int8_t>(game.outcome.margin_south_seeds));
  append_board(columns.start_board, game.start);
  columns.start_to_move.push_back(static_cast<std::uint8_t>(game.start.to_move));
  columns.rules.push_back(game.rules_index);
  columns.source.push_back(game.source_index);
}

void append(PlyColumns& columns, const PlyRecord& ply) {
  append_board(columns.board, ply.position.board);
  columns.to_move.push_back(static_cast<std::uint8_t>(ply.position.board.to_move));
  columns.ply.push_back(ply.position.ply);
  columns.quiet_plies.push_back(ply.position.quiet_plies);
  columns.repetitions.push_back(ply.position.repetitions);
  columns.legal.push_back(ply.legal);
  columns.move.push_back(ply.move);
  columns.flags.push_back(ply.flags);
  columns.visits.insert(columns.visits.end(), ply.visits.begin(), ply.visits.end());
  columns.policy.insert(columns.policy.end(), ply.policy.begin(), ply.policy.end());
  columns.prior.insert(columns.prior.end(), ply.prior.begin(), ply.prior.end());
  columns.move_values.insert(columns.move_values.end(), ply.move_values.begin(),
                             ply.move_values.end());
  columns.root_value.push_back(ply.root_value);
  columns.root_margin.push_back(ply.root_margin_seeds);
  columns.network_value.push_back(ply.network_value);
  columns.network_margin.push_back(ply.network_margin_seeds);
  columns.network_draw.push_back(ply.network_draw);
}

GameRecord game_at(const GameColumns& columns, std::size_t row) {
  GameRecord game;
  game.game_id = columns.game_id[row];
  game.first_iteration = columns.first_iteration[row];
  game.last_iteration = columns.last_iteration[row];
  game.start = board_at(columns.start_board, row, columns.start_to_move[row]);
  game.rules_index = columns.rules[row];
  game.source_index = columns.source[row];
  game.adjudicated = columns.reason[row] == kAdjudicated;
  const int reason = game.adjudicated ? 0 : columns.reason[row];
  game.outcome = {static_cast<env::EndReason>(reason), columns.margin_south[row]};
  return game;
}

PlyRecord ply_at(const PlyColumns& columns, std::size_t row) {
  PlyRecord ply;
  ply.position.board = board_at(columns.board, row, columns.to_move[row]);
  ply.position.ply = columns.ply[row];
  ply.position.quiet_plies = columns.quiet_plies[row];
  ply.position.repetitions = columns.repetitions[row];
  ply.legal = columns.legal[row];
  ply.move = columns.move[row];
  ply.flags = columns.flags[row];
  std::copy_n(columns.visits.data() + row * env::kMoves, env::kMoves, ply.visits.begin());
  std::copy_n(columns.policy.data() + row * env::kMoves, env::kMoves, ply.policy.begin());
  std::copy_n(columns.prior.data() + row * env::kMoves, env::kMoves, ply.prior.begin());
  std::copy_n(columns.move_values.data() + row * env::kMoves, env::kMoves, ply.move_values.begin());
  ply.root_value = columns.root_value[row];
  ply.root_margin_seeds = columns.root_margin[row];
  ply.network_value = columns.network_value[row];
  ply.network_margin_seeds = columns.network_margin[row];
  ply.network_draw = columns.network_draw[row];
  return ply;
}

template <typename Columns>
void store_table(nn::Hdf5Writer& file, const std::string& table, std::size_t rows,
                 Columns& columns) {
  visit_columns(columns, [&](std::int64_t, const std::string& name, auto& column, std::size_t width,
                             const std::string& description) {
    using Value = typename std::decay_t<decltype(column)>::value_type;
    const std::string path = table + "/" + name;
    auto shape =
        width == 1 ? std::vector<std::size_t>{rows} : std::vector<std::size_t>{rows, width};
    file.dataset(path, std::span<const Value>(column), shape);
    file.attribute(path, "description", description);
  });
}

[[noreturn]] void fail(const nn::Hdf5Reader& file, const std::string& item,
                       const std::string& problem) {
  throw InputError(ErrorKind::kFile, "'" + file.path().string() + "', " + item + ": " + problem);
}

// Fills the columns, those that are younger than the file's `schema` with 0; every one must have as
// many rows as the first. Returns that number.
template <typename Columns>
std::size_t load_table(const nn::Hdf5Reader& file, const std::string& table, std::int64_t schema,
                       Columns& columns) {
  std::optional<std::size_t> rows;
  visit_columns(columns, [&](std::int64_t since, const std::string& name, auto& column,
                             std::size_t width, const std::string&) {
    if (since > schema) {
      column.resize(*rows * width);
      return;
    }
    using Value = typename std::decay_t<decltype(column)>::value_type;
    const std::string path = table + "/" + name;
    auto array = file.dataset<Value>(path);
    const bool width_fits =
        width == 1 ? array.shape.size() == 1 : array.shape.size() == 2 && array.shape[1] == width;
    if (!width_fits) fail(file, path, "expected " + std::to_string(width) + " values a row");
    if (!rows) rows = array.shape[0];
    if (array.shape[0] != *rows) {
      fail(file, path,
           "expected " + std::to_string(*rows) + " rows as in the other columns, found " +
               std::to_string(array.shape[0]));
    }
    column = std::move(array.values);
  });
  return *rows;
}

// Schema 1: the policy target was the share of the visits.
void add_policy(PlyColumns& columns) {
  for (std::size_t row = 0; row < columns.visits.size(); row += env::kMoves) {
    const auto* visits = columns.visits.data() + row;
    const double total = std::accumulate(visits, visits + env::kMoves, 0.0);
    for (std::size_t move = 0; move < env::kMoves; ++move) {
      const double share = total > 0 ? visits[move] / total : 0.0;
      columns.policy[row + move] = static_cast<std::uint16_t>(std::lround(share * kPolicyUnits));
    }
  }
}

template <typename Number>
void check_at_most(const nn::Hdf5Reader& file, const std::string& column,
                   const std::vector<Number>& values, int limit) {
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] <= limit) continue;
    fail(file, column,
         "row " + std::to_string(row) + ": expected 0.." + std::to_string(limit) + ", found " +
             std::to_string(values[row]));
  }
}

// Game after game, without gaps, all plies used.
void check_first_plies(const nn::Hdf5Reader& file, const std::string& table,
                       const GameColumns& games, std::size_t plies) {
  std::uint64_t next = 0;
  for (std::size_t row = 0; row < games.first_ply.size(); ++row) {
    if (games.first_ply[row] != next || games.plies[row] > plies - next) {
      fail(file, table + "/first_ply",
           "game " + std::to_string(row) + ": expected " + std::to_string(next) + " and at most " +
               std::to_string(plies - next) + " plies, found " +
               std::to_string(games.first_ply[row]) + " and " + std::to_string(games.plies[row]));
    }
    next += games.plies[row];
  }
  if (next != plies) {
    fail(file, table + "/plies",
         "the games have " + std::to_string(next) + " plies, the file " + std::to_string(plies));
  }
}

// Of games from one source.
void check_unique(const nn::Hdf5Reader& file, const std::string& column, const GameColumns& games,
                  std::size_t sources) {
  std::vector<std::pair<std::uint16_t, std::uint64_t>> ids;
  for (std::size_t row = 0; row < games.game_id.size(); ++row)
    ids.emplace_back(games.source[row], games.game_id[row]);
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice == ids.end()) return;
  const std::string source = sources == 0 ? "" : " of source " + std::to_string(twice->first);
  fail(file, column, std::to_string(twice->second) + source + " occurs twice");
}

}  // namespace

void store_games(nn::Hdf5Writer& file, const std::string& group,
                 std::span<const GameRecord> games) {
  GameColumns game_columns;
  PlyColumns ply_columns;
  for (const auto& game : games) {
    append(game_columns, game, ply_columns.move.size());
    for (const auto& ply : game.plies)
      append(ply_columns, ply);
  }
  store_table(file, join(group, "games"), games.size(), game_columns);
  store_table(file, join(group, "plies"), ply_columns.move.size(), ply_columns);
}

std::vector<GameRecord> load_games(const nn::Hdf5Reader& file, const std::string& group,
                                   std::span<const env::RuleSet> rules) {
  const std::string games_table = join(group, "games");
  const std::string plies_table = join(group, "plies");
  GameColumns game_columns;
  PlyColumns ply_columns;
  const auto schema = file.int_attribute("/", "schema_version");
  const std::size_t count = load_table(file, games_table, schema, game_columns);
  const std::size_t plies = load_table(file, plies_table, schema, ply_columns);
  if (schema == 1) add_policy(ply_columns);
  check_at_most(file, games_table + "/reason", game_columns.reason, kAdjudicated);
  check_at_most(file, games_table + "/start_to_move", game_columns.start_to_move, 1);
  check_at_most(file, plies_table + "/to_move", ply_columns.to_move, 1);
  check_at_most(file, games_table + "/rules", game_columns.rules,
                static_cast<int>(rules.size()) - 1);
  const std::size_t sources = load_sources(file).size();
  check_at_most(file, games_table + "/source", game_columns.source,
                std::max(1, static_cast<int>(sources)) - 1);
  check_first_plies(file, games_table, game_columns, plies);
  check_unique(file, games_table + "/game_id", game_columns, sources);

  std::vector<GameRecord> games(count);
  std::size_t row = 0;
  for (std::size_t i = 0; i < count; ++i) {
    games[i] = game_at(game_columns, i);
    games[i].plies.reserve(game_columns.plies[i]);
    for (std::uint32_t ply = 0; ply < game_columns.plies[i]; ++ply) {
      games[i].plies.push_back(ply_at(ply_columns, row++));
    }
    if (const auto problem = find_inconsistency(rules[games[i].rules_index], games[i])) {
      fail(file, games_table,
           "game " + std::to_string(i) + " (id " + std::to_string(games[i].game_id) + "), " +
               *problem);
    }
  }
  return games;
}

}  // namespace awale::training
