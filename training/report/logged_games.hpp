// Games for the viewer of a report, with what the searches said at each ply and where an endgame
// table proves that a result was lost: type LoggedGame of the report's page.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "env/endgame/table.hpp"
#include "env/rules.hpp"

namespace awale::training {

struct LoggedGamesConfig {
  std::size_t most = 10;                     // games of a source, evenly spread over it
  const env::EndgameTable* table = nullptr;  // asked where a game's rules are the table's
};

// Of the newest shard of the run in `directory` that is not damaged; none where there is no such
// shard. `name` stands in the titles.
nlohmann::ordered_json games_of_run(const std::filesystem::path& directory, const std::string& name,
                                    const LoggedGamesConfig& config);

// Of a file: a shard (.h5), OGN (.ogn) or move strings (.txt), the latter by `rules` if given.
// Throws InputError as read_games(), kFile for any other extension.
nlohmann::ordered_json games_of_file(const std::filesystem::path& file,
                                     const std::optional<env::RuleSet>& rules,
                                     const LoggedGamesConfig& config);

}  // namespace awale::training
