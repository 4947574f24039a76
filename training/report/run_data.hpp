// What a report shows of a run, from the files in its folder: type Run of web/src/game.ts's
// neighbour, report/data.ts.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace awale::training {

// The newest shards that hold so many games are what lengths, openings and calibration are counted
// in: some seconds, whatever a run holds.
inline constexpr std::size_t kReportStatisticsGames = 10000;

// `name` is what the report calls it. Files that are not there yet are null or empty; damaged ones,
// too, and `damaged_files` says what is wrong with them. Throws InputError(kFile) if `directory` is
// no run's, kMismatch for files of another version.
nlohmann::ordered_json run_data(const std::filesystem::path& directory, const std::string& name);

}  // namespace awale::training
