// Files of games in any of the formats that this program exchanges: move strings, OGN, and the
// trajectory shards of training.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "training/game_text/played_game.hpp"

namespace awale::training {

enum class GameFormat { kMoveStrings, kOgn, kHdf5 };

// By the extension: .txt, .ogn, .h5; nothing for any other.
std::optional<GameFormat> format_of(const std::filesystem::path& path);

struct GamesRead {
  std::vector<PlayedGame> games;
  std::vector<std::string> notes;  // what was stepped over or differs, a line each
};

// The games of a text (not kHdf5) that errors call `name`, or of a file. `rules`, if given, are
// those of all games; otherwise the file says them, or they are the default preset's. Throws
// InputError: kFile for a file that cannot be read or is no UTF-8, kPosition for malformed text or
// illegal moves (naming file, line or game, and ply), kMismatch if the file's rules are others.
GamesRead parse_games(std::string_view text, const std::string& name, GameFormat format,
                      const std::optional<env::RuleSet>& rules);
GamesRead read_games(const std::filesystem::path& path, GameFormat format,
                     const std::optional<env::RuleSet>& rules);

// The text of a file of games (not kHdf5) that errors call `name`. Throws InputError(kMismatch) for
// move strings of games with different rules, because they would be lost.
std::string games_text(std::span<const PlayedGame> games, const std::string& name,
                       GameFormat format);

// Writes the file whole or not at all; an existing one is replaced. Throws InputError(kWrite), and
// kMismatch for games that do not fit: rules that differ (but into OGN), unfinished ones into a
// shard.
void write_games(const std::filesystem::path& path, std::span<const PlayedGame> games,
                 GameFormat format);

}  // namespace awale::training
