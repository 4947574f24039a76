#include "training/data/verify.hpp"

#include <optional>
#include <utility>

#include "env/error.hpp"
#include "training/data/compare_files.hpp"
#include "training/data/data_files.hpp"
#include "training/data/resume_point.hpp"
#include "training/data/verified_files.hpp"
#include "training/external/workers.hpp"
#include "training/format_text.hpp"
#include "training/run_dir.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

// Never over a file that lies there already.
fs::path move_aside(const fs::path& file) {
  const fs::path directory = file.parent_path() / "damaged";
  std::error_code error;
  fs::create_directory(directory, error);
  fs::path target = directory / file.filename();
  for (int i = 2; fs::exists(target); ++i)
    target = directory / (file.filename().string() + "." + std::to_string(i));
  if (!error) fs::rename(file, target, error);
  if (!error) return target;
  throw InputError(ErrorKind::kWrite, "cannot move " + quoted(file) + " to " + quoted(target) +
                                          ": " + error.message());
}

// How a run stands.
struct RunState {
  bool whole = true;                   // nothing is damaged or missing
  std::optional<std::uint32_t> start;  // the checkpoint it goes on from
};

// Moves what is damaged away, and of a run the checkpoints that it cannot go on from.
void set_aside_damage(const VerifiedFiles& files, const RunState& run, VerifyReport& report) {
  for (auto& damaged : report.damaged) {
    if (files.unread.contains(damaged.file)) damaged.set_aside = move_aside(damaged.file);
  }
  for (const auto& facts : files.sound) {
    if (run.whole || !facts->checkpoint) continue;
    if (!run.start || facts->iteration > *run.start) move_aside(facts->file);
  }
  for (const auto& leftover : files.files.leftovers) {
    std::error_code ignored;  // it costs space, nothing else
    fs::remove(leftover, ignored);
  }
}

// How a run goes on that is not whole.
std::string advice(const VerifiedFiles& files, std::optional<std::uint32_t> start, bool set_aside) {
  const std::string run = files.files.path.string();
  if (!start) {
    return run +
           ": no checkpoint is left that it can go on from; its shards remain, train anew "
           "elsewhere";
  }
  std::string text = run + ": ";
  if (!set_aside) text += "after --set-aside ";
  const bool external = others_have_played(files.files.path);
  text += std::string("`awale train ") + (external ? "--external " : "") + "--run " + run +
          " --resume` goes on from checkpoint " + std::to_string(*start) + "; ";
  const std::uint32_t newest = files.newest_checkpoint();
  if (newest == *start) return text + "what is damaged or missing is not needed for it";
  return text + "iterations " + std::to_string(*start + 1) + " to " + std::to_string(newest) +
         (external ? " are learned again from the shards that are left" : " are played again");
}

// Directories and runs each for themselves, files that were named one by one together.
std::vector<DataFiles> groups_of(std::span<const std::string> paths) {
  std::vector<DataFiles> groups;
  DataFiles one_by_one;
  for (const auto& path : paths) {
    auto found = find_data(path);
    if (!fs::is_directory(path)) {
      one_by_one.shards.push_back(path);
    } else if (found.shards.empty() && found.checkpoints.empty() && found.leftovers.empty()) {
      throw InputError(ErrorKind::kFile, quoted(found.path) +
                                             ": expected a file, a run's or shards' " +
                                             "directory, found a directory without any data");
    } else {
      groups.push_back(std::move(found));
    }
  }
  if (!one_by_one.shards.empty()) groups.push_back(std::move(one_by_one));
  return groups;
}

// Of files that are no run's nothing is said; of a run's, how it goes on.
RunState compare_run(const VerifiedFiles& files, std::span<const Gap> gaps, VerifyReport& report) {
  RunState run;
  if (!files.files.run) return run;
  run.start = resume_point(files, gaps);
  run.whole = gaps.empty() && !files.any_damaged(report);
  if (run.whole && run.start.value_or(0) < files.newest_checkpoint()) {
    run.whole = false;
    report.contradictions.push_back(quoted(files.files.path / "shards") +
                                    ": older shards are missing that checkpoint " +
                                    std::to_string(files.newest_checkpoint()) + " goes on with");
  }
  return run;
}

void verify_group(DataFiles group, bool set_aside, const std::function<void()>& on_file,
                  VerifyReport& report) {
  const bool one_by_one = group.path.empty();
  const VerifiedFiles files = read_all(std::move(group), report, on_file);
  const auto gaps = one_by_one ? std::vector<Gap>() : compare_files(files, report);
  const RunState run = compare_run(files, gaps, report);
  if (!run.whole) report.go_on.push_back(advice(files, run.start, set_aside));
  if (set_aside) set_aside_damage(files, run, report);
}

}  // namespace

std::size_t count_files(std::span<const std::string> paths) {
  std::size_t files = 0;
  for (const auto& group : groups_of(paths))
    files += group.shards.size() + group.checkpoints.size();
  return files;
}

VerifyReport verify_data(std::span<const std::string> paths, bool set_aside,
                         const std::function<void()>& on_file) {
  VerifyReport report;
  for (auto& files : groups_of(paths)) {
    std::optional<RunLock> lock;
    if (set_aside && files.run) lock.emplace(files.path);
    // Of a run in training they are being written.
    if (!lock && files.run && RunLock::is_held(files.path)) files.leftovers.clear();
    report.leftovers.insert(report.leftovers.end(), files.leftovers.begin(), files.leftovers.end());
    verify_group(std::move(files), set_aside, on_file, report);
  }
  return report;
}

}  // namespace awale::training
