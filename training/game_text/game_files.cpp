#include "training/game_text/game_files.hpp"

#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "training/format_text.hpp"
#include "training/game_text/game_records.hpp"
#include "training/game_text/move_strings.hpp"
#include "training/game_text/ogn.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void check_utf8(std::string_view text, const std::string& name) {
  try {
    nlohmann::json(text).dump();  // throws for what is no UTF-8
  } catch (const nlohmann::json::type_error&) {
    throw InputError(ErrorKind::kFile, name + ": expected text in UTF-8, found other bytes");
  }
}

// Editors of Windows begin a file with a byte order mark.
std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

void note_count(std::vector<std::string>& notes, const std::string& name, int count,
                const std::string& what) {
  if (count == 0) return;
  notes.push_back(name + ": skipped " + count_text(static_cast<std::size_t>(count), what));
}

GamesRead read_ogn_games(std::string_view text, const std::string& name,
                         const std::optional<env::RuleSet>& rules) {
  OgnGames read = read_ogn(text, name, rules);
  GamesRead result{std::move(read.games), {}};
  note_count(result.notes, name, read.skipped.comments, "comment");
  note_count(result.notes, name, read.skipped.variations, "variation");
  note_count(result.notes, name, read.skipped.annotations, "annotation");
  if (read.other_seeds > 0) {
    const auto games = static_cast<std::size_t>(read.other_seeds);
    result.notes.push_back("other seeds than by the rules in " + count_text(games, "game") +
                           ", the rules' stand: " + read.first_other_seeds);
  }
  return result;
}

GamesRead read_shard_games(const std::filesystem::path& path,
                           const std::optional<env::RuleSet>& rules) {
  const Shard shard = read_shard(path);
  for (const auto& played_by : shard.provenance.rules) {
    if (!rules || rules->same_game(played_by)) continue;
    throw InputError(ErrorKind::kMismatch, quoted(path) + ": played by the rules " +
                                               env::describe(played_by) + ", but " +
                                               env::describe(*rules) + " were asked for");
  }
  GamesRead result;
  for (const auto& record : shard.games)
    result.games.push_back(to_played_game(record, shard.provenance));
  return result;
}

void require_finished(std::span<const PlayedGame> games, const std::string& name) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (finished(games[i])) continue;
    throw InputError(ErrorKind::kMismatch,
                     name + ": game " + std::to_string(i + 1) + " has not ended by the rules " +
                         env::describe(games[i].rules) +
                         ", a shard holds finished games (--skip-unfinished leaves others out)");
  }
}

void require_one_rule_set(std::span<const PlayedGame> games, const std::string& name) {
  for (std::size_t i = 1; i < games.size(); ++i) {
    if (games[i].rules.same_game(games[0].rules)) continue;
    throw InputError(ErrorKind::kMismatch, name + ": game " + std::to_string(i + 1) +
                                               " has the rules " + env::describe(games[i].rules) +
                                               ", game 1 " + env::describe(games[0].rules) +
                                               ", a file of move strings holds games of one rule "
                                               "set");
  }
}

void write_shard_games(const std::filesystem::path& path, std::span<const PlayedGame> games) {
  require_finished(games, quoted(path));
  Provenance provenance;
  if (games.empty()) provenance.rules = {env::RuleSet{}};
  provenance.git_revision = kGitRevision;
  std::vector<GameRecord> records;
  for (const auto& game : games) {
    records.push_back(to_record(game, records.size()));
    records.back().rules_index = add_rules(provenance.rules, game.rules);
  }
  write_shard(path, provenance, records);
}

}  // namespace

std::optional<GameFormat> format_of(const std::filesystem::path& path) {
  if (path.extension() == ".txt") return GameFormat::kMoveStrings;
  if (path.extension() == ".ogn") return GameFormat::kOgn;
  if (path.extension() == ".h5") return GameFormat::kHdf5;
  return std::nullopt;
}

GamesRead parse_games(std::string_view text, const std::string& name, GameFormat format,
                      const std::optional<env::RuleSet>& rules) {
  AWALE_CHECK(format != GameFormat::kHdf5, name << " is no text");
  check_utf8(text, name);
  text = without_byte_order_mark(text);
  if (format == GameFormat::kOgn) return read_ogn_games(text, name, rules);
  return {read_move_strings(text, name, rules.value_or(env::RuleSet{})), {}};
}

GamesRead read_games(const std::filesystem::path& path, GameFormat format,
                     const std::optional<env::RuleSet>& rules) {
  if (format == GameFormat::kHdf5) return read_shard_games(path, rules);
  const auto bytes = nn::read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return parse_games(text, quoted(path), format, rules);
}

std::string games_text(std::span<const PlayedGame> games, const std::string& name,
                       GameFormat format) {
  AWALE_CHECK(format != GameFormat::kHdf5, name << " is no text");
  if (format == GameFormat::kOgn) return write_ogn(games);
  require_one_rule_set(games, name);
  return write_move_strings(games);
}

void write_games(const std::filesystem::path& path, std::span<const PlayedGame> games,
                 GameFormat format) {
  if (format == GameFormat::kHdf5) return write_shard_games(path, games);
  nn::write_file_atomically(path, games_text(games, quoted(path), format));
}

}  // namespace awale::training
