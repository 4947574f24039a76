#include "training/data/data_files.hpp"

#include <algorithm>
#include <cctype>

#include "env/error.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

void add_directory(const fs::path& directory, std::vector<fs::path>& files,
                   std::vector<fs::path>& leftovers) {
  std::error_code error;  // of a run that has just begun a directory may be missing
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.front() == '.' && name.find(".tmp-") != std::string::npos) {
      leftovers.push_back(entry.path());
    } else if (name.front() != '.' && entry.path().extension() == ".h5") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::sort(leftovers.begin(), leftovers.end());
}

}  // namespace

DataFiles find_data(const fs::path& path) {
  DataFiles found;
  found.path = path;
  std::error_code ignored;  // what cannot be looked at is reported where it is read
  if (!fs::exists(path, ignored)) {
    throw InputError(ErrorKind::kFile, "'" + path.string() + "': No such file or directory");
  }
  if (!fs::is_directory(path, ignored)) {
    found.shards = {path};
    return found;
  }
  for (const char* name : {"checkpoints", "shards"})  // one may be lost
    found.run = found.run || fs::exists(fs::symlink_status(path / name, ignored));
  if (!found.run) {
    add_directory(path, found.shards, found.leftovers);
    return found;
  }
  std::vector<fs::path> none;
  add_directory(path, none, found.leftovers);
  add_directory(path / "checkpoints", found.checkpoints, found.leftovers);
  add_directory(path / "shards", found.shards, found.leftovers);
  return found;
}

std::vector<fs::path> find_shards(std::span<const std::string> paths) {
  std::vector<fs::path> shards;
  for (const auto& path : paths) {
    const auto found = find_data(path);
    if (found.shards.empty()) {
      throw InputError(ErrorKind::kFile, "'" + path + "': expected a shard, a run's or shards' " +
                                             "directory, found a directory without shards");
    }
    shards.insert(shards.end(), found.shards.begin(), found.shards.end());
  }
  return shards;
}

std::optional<std::uint32_t> file_number(const fs::path& file) {
  constexpr std::size_t kDigits = 6;
  const std::string stem = file.stem().string();
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (stem.size() != kDigits || !std::all_of(stem.begin(), stem.end(), is_digit)) return {};
  if (file.extension() != ".h5") return {};
  return static_cast<std::uint32_t>(std::stoul(stem));
}

}  // namespace awale::training
