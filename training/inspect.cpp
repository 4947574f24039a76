#include "training/inspect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "nn/hdf5_file.hpp"
#include "training/run_dir.hpp"
#include "training/targets.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

double rounded(double value) {
  return std::round(value * 100) / 100;
}

double mean(double sum, std::size_t count) {
  return count == 0 ? 0 : rounded(sum / static_cast<double>(count));
}

// Attributes of `object` but the descriptions, as they stand.
void add_attributes(Json& json, const nn::Hdf5Reader& file, const std::string& object) {
  for (const auto& name : file.attributes(object)) {
    if (name == "description") continue;
    std::visit([&](const auto& value) { json[name] = value; }, file.attribute(object, name));
  }
}

// Groups with their attributes, and arrays, below `group`.
void add_children(Json& json, const nn::Hdf5Reader& file, const std::string& group) {
  for (const auto& name : file.children(group)) {
    const std::string path = group == "/" ? name : group + "/" + name;
    if (file.is_group(path)) {
      add_attributes(json[name], file, path);
      add_children(json[name], file, path);
    } else {
      const auto info = file.dataset_info(path);
      json[name] = {{"type", info.type}, {"shape", info.shape}};
    }
  }
}

// Points of the side that moved first: a win 1, a draw 1/2.
double first_player_points(const GameRecord& game) {
  const int margin = game.outcome.margin_south_seeds;
  if (margin == 0) return 0.5;
  return (margin > 0) == (game.start.to_move == env::Side::kSouth) ? 1 : 0;
}

// Start and moves, letter by letter: equal for equal games.
std::string course(const GameRecord& game) {
  std::string text = env::to_text(game.start) + " ";
  for (const auto& ply : game.plies) {
    text += env::move_letter(ply.position.board.to_move, ply.move);
  }
  return text;
}

Json lengths(const std::vector<GameRecord>& games) {
  std::size_t sum = 0;
  std::size_t shortest = std::numeric_limits<std::size_t>::max();
  std::size_t longest = 0;
  for (const auto& game : games) {
    sum += game.plies.size();
    shortest = std::min(shortest, game.plies.size());
    longest = std::max(longest, game.plies.size());
  }
  return {{"shortest", games.empty() ? 0 : shortest},
          {"mean", mean(static_cast<double>(sum), games.size())},
          {"longest", longest}};
}

Json endings(const std::vector<GameRecord>& games) {
  Json counts;
  for (const auto reason : {env::EndReason::kTarget, env::EndReason::kNoMoves,
                            env::EndReason::kRepetition, env::EndReason::kPlyLimit}) {
    counts[env::to_string(reason)] =
        std::count_if(games.begin(), games.end(),
                      [&](const auto& game) { return game.outcome.reason == reason; });
  }
  return counts;
}

void add_games(Json& json, const std::vector<GameRecord>& games) {
  std::size_t plies = 0;
  double points = 0;
  std::set<std::string> courses;
  for (const auto& game : games) {
    plies += game.plies.size();
    points += first_player_points(game);
    courses.insert(course(game));
  }
  json["games"] = games.size();
  json["distinct_games"] = courses.size();
  json["plies"] = plies;
  json["training_rows"] = count_rows(games);
  json["plies_a_game"] = lengths(games);
  json["endings"] = endings(games);
  json["first_player_points_percent"] = mean(100 * points, games.size());
}

// What every file of ours has: name, size and the attributes of the root.
Json describe_header(const nn::Hdf5Reader& file) {
  const auto names = file.attributes("/");
  if (std::find(names.begin(), names.end(), "kind") == names.end()) {
    throw InputError(ErrorKind::kFile, "'" + file.path().string() +
                                           "': expected a file of awale, found HDF5 without the "
                                           "attribute kind");
  }
  Json json;
  json["file"] = file.path().string();
  json["bytes"] = fs::file_size(file.path());
  add_attributes(json, file, "/");
  return json;
}

void add_shard(Json& json, const Shard& shard) {
  add_games(json, shard.games);
  for (const auto& [key, value] : env::to_key_values(shard.provenance.rules)) {
    json["rules"][key] = value;
  }
}

Json describe_hdf5(const fs::path& path) {
  const nn::Hdf5Reader file(path);
  Json json = describe_header(file);
  if (json["kind"] == "trajectories") {
    add_shard(json, read_shard(path));
  } else {
    add_children(json, file, "/");
  }
  return json;
}

std::vector<fs::path> shard_files(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;  // a run without shards is one that has just begun
  for (const auto& entry : fs::directory_iterator(directory / "shards", error)) {
    if (entry.path().extension() == ".h5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Only counted: replaying every game of a long run takes its time.
Json count_shards(const std::vector<fs::path>& files) {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::uint64_t bytes = 0;
  for (const auto& path : files) {
    const nn::Hdf5Reader file(path);
    games += file.dataset_info("games/game_id").shape.at(0);
    plies += file.dataset_info("plies/move").shape.at(0);
    bytes += fs::file_size(path);
  }
  return {{"files", files.size()}, {"games", games}, {"plies", plies}, {"bytes", bytes}};
}

Json describe_run(const fs::path& directory) {
  const auto iterations = checkpoint_iterations(directory);
  const auto shards = shard_files(directory);
  if (iterations.empty() && shards.empty()) {
    throw InputError(ErrorKind::kFile, "'" + directory.string() +
                                           "': expected a file or a run's directory, found a "
                                           "directory without checkpoints and shards");
  }
  Json json;
  json["directory"] = directory.string();
  json["kind"] = "run";
  json["checkpoints"] = iterations;
  json["shards"] = count_shards(shards);
  if (!iterations.empty()) {
    auto newest = describe_header(nn::Hdf5Reader(checkpoint_file(directory, iterations.back())));
    newest.erase("config");  // the same as the directory's config.toml
    json["newest_checkpoint"] = newest;
  }
  return json;
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text = value.dump();
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

// "shortest 31, mean 70.2, longest 112" for a small object, "" for any other.
std::string one_line(const Json& object) {
  constexpr std::size_t kFields = 4;
  if (object.size() > kFields) return "";
  std::string text;
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) return "";
    text += (text.empty() ? "" : ", ") + key + " " + scalar_text(value);
  }
  return text;
}

void append_lines(std::string& text, const Json& object, const std::string& indent) {
  for (const auto& [key, value] : object.items()) {
    text += indent + key + ":";
    const std::string line = value.is_object() ? one_line(value) : scalar_text(value);
    if (value.is_object() && line.empty()) {
      text += "\n";
      append_lines(text, value, indent + "  ");
    } else if (line.find('\n') != std::string::npos) {
      text += "\n" + line + (line.back() == '\n' ? "" : "\n");
    } else {
      text += " " + line + "\n";
    }
  }
}

}  // namespace

nlohmann::ordered_json describe_file(const fs::path& path) {
  std::error_code ignored;  // what is not there fails where it is read
  return fs::is_directory(path, ignored) ? describe_run(path) : describe_hdf5(path);
}

std::string to_text(const nlohmann::ordered_json& description) {
  std::string text;
  append_lines(text, description, "");
  return text;
}

}  // namespace awale::training
