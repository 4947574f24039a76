#include "training/inspect.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/error.hpp"
#include "nn/hdf5_file.hpp"
#include "nn/pretrained.hpp"
#include "training/data/data_files.hpp"
#include "training/game_statistics.hpp"
#include "training/run_dir.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

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
  json["bytes"] =
      file.path() == nn::kPretrained ? nn::pretrained_file().size() : fs::file_size(file.path());
  add_attributes(json, file, "/");
  return json;
}

Json describe_shard(const Shard& shard) {
  GameStatistics statistics;
  for (const auto& game : shard.games)
    statistics.add(game);
  Json json = statistics.to_json();
  for (const auto& rules : shard.provenance.rules) {
    Json entry;
    for (const auto& [key, value] : env::to_key_values(rules))
      entry[key] = value;
    json["rules"].push_back(entry);
  }
  return json;
}

Json describe_hdf5(const nn::Hdf5Reader& file) {
  Json json = describe_header(file);
  if (json["kind"] == "trajectories") {
    json.update(describe_shard(read_shard(file.path())));
  } else {
    add_children(json, file, "/");
  }
  return json;
}

Json describe_shards(const std::vector<fs::path>& files) {
  std::uint64_t bytes = 0;
  GameStatistics statistics;
  std::size_t read = 0;
  for (const auto& path : files) {
    const auto add = [&] {
      const Shard shard = read_shard(path);
      std::error_code deleted;  // just now: its games have been read
      const auto size = fs::file_size(path, deleted);
      bytes += deleted ? 0 : size;
      for (const auto& game : shard.games)
        statistics.add(game);
    };
    read += read_unless_deleted(path, add) ? 1 : 0;
  }
  Json json = {{"files", read}, {"bytes", bytes}};
  json.update(statistics.to_json());
  return json;
}

// All that is not in the directory's config.toml anyway. A run in training may delete the newest
// that has been listed, but not before there is a newer one.
Json describe_newest_checkpoint(const fs::path& directory) {
  Json json;
  const auto read = [&](const fs::path& file) {
    return read_unless_deleted(file, [&] { json = describe_header(nn::Hdf5Reader(file)); });
  };
  for (auto iterations = checkpoint_iterations(directory); !iterations.empty();
       iterations = checkpoint_iterations(directory)) {
    if (read(checkpoint_file(directory, iterations.back()))) break;
  }
  json.erase("config");
  return json;
}

Json describe_run(const fs::path& directory) {
  const auto iterations = checkpoint_iterations(directory);
  const auto found = find_data(directory);
  const auto& shards = found.shards;
  if (iterations.empty() && shards.empty()) {
    throw InputError(ErrorKind::kFile,
                     "'" + directory.string() +
                         "': expected a file, a run's or shards' directory, found a "
                         "directory without checkpoints and shards");
  }
  Json json;
  json["directory"] = directory.string();
  json["kind"] = found.run ? "run" : "shards";
  if (!iterations.empty()) json["checkpoints"] = iterations;
  json["shards"] = describe_shards(shards);
  if (!iterations.empty()) json["newest_checkpoint"] = describe_newest_checkpoint(directory);
  return json;
}

// For people; programs get all of it.
std::string shortened(const std::string& text) {
  constexpr std::size_t kLongest = 120;
  const bool one_line = text.find('\n') == std::string::npos;
  return one_line && text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) return shortened(value.get<std::string>());
  std::string text = value.dump();
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

// "shortest 31, mean 70.2, longest 112" for a small object, "" for any other.
std::string one_line(const Json& object) {
  constexpr std::size_t kFields = 5;
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
    if (value.is_array() && !value.empty() && value[0].is_object()) {
      text += "\n";
      for (const auto& entry : value) {
        append_lines(text, entry, indent + "  ");
      }
      continue;
    }
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
  if (path == nn::kPretrained) return describe_hdf5(nn::Hdf5Reader(path, nn::pretrained_file()));
  std::error_code ignored;  // what is not there fails where it is read
  return fs::is_directory(path, ignored) ? describe_run(path) : describe_hdf5(nn::Hdf5Reader(path));
}

std::string to_text(const nlohmann::ordered_json& description) {
  std::string text;
  append_lines(text, description, "");
  return text;
}

}  // namespace awale::training
