#include "training/data/verify.hpp"

#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "nn/hdf5_file.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "tests/training/small_run.hpp"
#include "training/checkpoint.hpp"
#include "training/pipeline.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::TempDir;

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kIterations = 6;

TrainingConfig config() {
  auto config = tests::small_run();
  config.run.iterations = kIterations;
  config.learner.window_rows = 800;  // shards 5 and 6
  config.learner.validation_share = 0;
  config.grading.games = 0;
  config.grading.positions = 0;
  return config;
}

void train(const fs::path& path, bool resume) {
  const std::string text = "[learner]\nvalidation_share = 0\nwindow_rows = 800\n";
  const RunDir directory(path, resume);
  run_training(config(), {text, text}, directory, resume);
}

// A whole run; tests work on copies of it.
const fs::path& whole_run() {
  static const TempDir dir;
  static const fs::path path = [] {
    train(dir / "run", false);
    return dir / "run";
  }();
  return path;
}

class RunCopy {
 public:
  RunCopy() { fs::copy(whole_run(), path(), fs::copy_options::recursive); }
  fs::path path() const { return dir_ / "run"; }
  fs::path shard(std::uint32_t number) const { return shard_file(path() / "shards", number); }
  fs::path checkpoint(std::uint32_t number) const { return checkpoint_file(path(), number); }

 private:
  TempDir dir_;
};

VerifyReport verify(const std::vector<std::string>& paths, bool set_aside = false) {
  return verify_data(paths, set_aside, [] {});
}
VerifyReport verify(const fs::path& path, bool set_aside = false) {
  return verify(std::vector<std::string>{path.string()}, set_aside);
}

void cut_short(const fs::path& path) {
  const auto bytes = tests::read_bytes(path);
  tests::write_bytes(path, bytes.substr(0, bytes.size() - 200));
}

// Trains what is left to its end; then all files are those of the run that nothing has happened to.
void require_resumes_to_the_same_bytes(const RunCopy& run) {
  train(run.path(), true);
  for (std::uint32_t i = 1; i <= kIterations; ++i) {
    INFO("iteration " << i);
    const RunCopy whole;
    REQUIRE(fs::exists(run.checkpoint(i)) == fs::exists(whole.checkpoint(i)));
    if (fs::exists(run.checkpoint(i))) {
      REQUIRE((tests::read_bytes(run.checkpoint(i)) == tests::read_bytes(whole.checkpoint(i))));
    }
    if (!fs::exists(run.shard(i))) continue;  // damaged and not needed
    REQUIRE((tests::read_bytes(run.shard(i)) == tests::read_bytes(whole.shard(i))));
  }
}

}  // namespace

TEST_CASE("a run that nothing has happened to is sound, every file of it read") {
  const auto report = verify(whole_run());
  INFO(to_text(report));
  CHECK(report.sound());
  CHECK(report.shards == kIterations);
  CHECK(report.checkpoints == kIterations + 1);
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  for (std::uint32_t i = 1; i <= kIterations; ++i) {
    for (const auto& game : read_shard(shard_file(whole_run() / "shards", i)).games) {
      ++games;
      plies += game.plies.size();
    }
  }
  CHECK(report.games == games);
  CHECK(report.plies == plies);
  CHECK(report.go_on.empty());
  CHECK(count_files(std::vector<std::string>{whole_run().string()}) == 2 * kIterations + 1);
}

TEST_CASE("a damaged shard is set aside, and the run plays again what hangs on it") {
  for (const std::uint32_t damaged : {1U, 4U, 5U, 6U}) {
    INFO("shard " << damaged);
    const RunCopy run;
    cut_short(run.shard(damaged));
    const auto before = verify(run.path());
    REQUIRE(before.damaged.size() == 1);
    CHECK(before.damaged[0].file == run.shard(damaged));
    CHECK(contains(before.damaged[0].problem, run.shard(damaged).string()));
    CHECK(fs::exists(run.shard(damaged)));
    REQUIRE(before.go_on.size() == 1);
    CHECK(contains(before.go_on[0], "after --set-aside"));

    const auto report = verify(run.path(), true);
    CHECK(!fs::exists(run.shard(damaged)));
    CHECK(report.damaged.at(0).set_aside ==
          run.path() / "shards" / "damaged" / run.shard(damaged).filename());
    CHECK(fs::exists(report.damaged[0].set_aside));
    const auto& advice = report.go_on.at(0);
    INFO(advice);
    if (damaged < 5) {
      CHECK(
          contains(advice, "goes on from checkpoint 6; what is damaged or missing is not needed"));
    } else {
      CHECK(contains(advice, "goes on from checkpoint " + std::to_string(damaged - 1) + ";"));
      CHECK(contains(advice, "iterations " + std::to_string(damaged) + " to 6 are played again"));
      CHECK(!fs::exists(run.checkpoint(6)));
    }
    require_resumes_to_the_same_bytes(run);
    if (damaged >= 5) CHECK(verify(run.path()).sound());
  }
}

TEST_CASE("a damaged checkpoint is set aside, and the run goes on from the one before") {
  const RunCopy run;
  cut_short(run.checkpoint(6));
  const auto report = verify(run.path(), true);
  REQUIRE(report.damaged.size() == 1);
  CHECK(contains(report.go_on.at(0), "goes on from checkpoint 5; iterations 6 to 6 are"));
  require_resumes_to_the_same_bytes(run);
  CHECK(verify(run.path()).sound());
}

TEST_CASE("without any checkpoint nothing is promised") {
  const RunCopy run;
  for (std::uint32_t i = 0; i <= kIterations; ++i)
    tests::write_bytes(run.checkpoint(i), "gone");
  CHECK(contains(verify(run.path()).go_on.at(0), "no checkpoint is left"));
}

TEST_CASE("shards without any checkpoint are not trained over") {
  const RunCopy run;
  for (std::uint32_t i = 0; i <= kIterations; ++i)
    fs::remove(run.checkpoint(i));
  const auto error = error_of(ErrorKind::kFile, [&] { train(run.path(), true); });
  CHECK(contains(error, run.path().string() + ": holds shards, but no checkpoint"));
  for (std::uint32_t i = 1; i <= kIterations; ++i)
    CHECK(fs::exists(run.shard(i)));
}

TEST_CASE("games that others have played are taken in again, not played") {
  const RunCopy run;
  fs::create_directory(run.path() / "workers");
  cut_short(run.checkpoint(6));
  CHECK(contains(verify(run.path(), true).go_on.at(0),
                 "`awale train --external --run " + run.path().string() +
                     " --resume` goes on from checkpoint 5; iterations 6 to 6 are learned again"));
  const auto error = error_of(ErrorKind::kFile, [&] { train(run.path(), true); });
  CHECK(contains(error, "awale train --external --run " + run.path().string() + " --resume"));
  CHECK(fs::exists(run.shard(6)));
}

TEST_CASE("what was set aside before is not overwritten") {
  const RunCopy run;
  const auto bytes = tests::read_bytes(run.shard(6));
  for (const char* name : {"000006.h5", "000006.h5.2"}) {
    tests::write_bytes(run.shard(6), "damaged");
    CHECK(verify(run.path(), true).damaged.at(0).set_aside.filename() == name);
  }
}

TEST_CASE("a checkpoint among the shards is no shard") {
  const RunCopy run;
  fs::copy_file(run.checkpoint(4), run.shard(4), fs::copy_options::overwrite_existing);
  const auto report = verify(run.path(), true);
  REQUIRE(report.damaged.size() == 1);
  CHECK(report.damaged[0].file == run.shard(4));
  CHECK_FALSE(fs::exists(run.shard(4)));
}

TEST_CASE("a shard that is missing is noticed, and the run plays again what hangs on it") {
  for (const std::uint32_t missing : {3U, 5U, 6U}) {
    INFO("shard " << missing);
    const RunCopy run;
    fs::remove(run.shard(missing));
    const auto report = verify(run.path());
    CHECK(report.damaged.empty());
    REQUIRE(report.contradictions.size() == 1);
    CHECK(contains(report.contradictions[0], "those of iterations " + std::to_string(missing) +
                                                 " to " + std::to_string(missing) +
                                                 " are missing"));
    const bool needed = missing >= 5;
    const std::string start = std::to_string(needed ? missing - 1 : kIterations);
    CHECK(contains(report.go_on.at(0), "after --set-aside"));
    CHECK(contains(report.go_on[0], "goes on from checkpoint " + start + ";"));
    if (needed) {
      const auto error = error_of(ErrorKind::kFile, [&] { train(run.path(), true); });
      CHECK(contains(error, "shards are missing after iteration " + std::to_string(missing - 1)));
      CHECK(contains(error, "data verify " + run.path().string() + " --set-aside"));
    }
    verify(run.path(), true);
    require_resumes_to_the_same_bytes(run);
  }
}

TEST_CASE("a run without any shard is played again from its first games on") {
  const RunCopy run;
  for (std::uint32_t i = 1; i <= kIterations; ++i)
    fs::remove(run.shard(i));
  CHECK(contains(error_of(ErrorKind::kFile, [&] { train(run.path(), true); }),
                 "rows that the learner goes on with, found 0: older shards are missing"));
  SECTION("whether or not it deletes its oldest") {
    tests::write_bytes(run.path() / "config.toml", "[data]\nkeep_rows = 400\n");
  }
  SECTION("whether or not their folder is there") {
    fs::remove(run.path() / "shards");
  }
  SECTION("or can be looked into") {
    fs::remove(run.path() / "shards");
    fs::create_directory_symlink("nowhere", run.path() / "shards");
  }
  const auto report = verify(run.path());
  CHECK_FALSE(report.contradictions.empty());
  CHECK(contains(report.go_on.at(0), "goes on from checkpoint 1; iterations 2 to 6 are played"));
}

TEST_CASE("the oldest shards may have been deleted by their run, but no others") {
  const RunCopy run;
  tests::write_bytes(run.path() / "config.toml", "[data]\nkeep_rows = 400\n");
  fs::remove(run.shard(1));
  fs::remove(run.shard(2));
  CHECK(verify(run.path()).sound());
  fs::remove(run.shard(5));  // iteration 4 finished no game
  CHECK(verify(run.path()).contradictions.size() == 1);
}

TEST_CASE("a run that has all of its games is sound, however their rows are counted") {
  const TempDir dir;
  const std::string text = "[learner]\nvalidation_share = 0.5\nwindow_rows = 5000\n";
  const RunDir directory(dir / "run", false);
  run_training(config(), {text, text}, directory, false);
  CHECK(verify(dir / "run").sound());
}

TEST_CASE("shards of older programs do not say what came before, but checkpoints do") {
  const RunCopy run;
  for (std::uint32_t i = 1; i <= kIterations; ++i) {
    auto shard = read_shard(run.shard(i));
    CHECK(shard.provenance.games_before.has_value());
    shard.provenance.games_before.reset();
    write_shard(run.shard(i), shard.provenance, shard.games);
  }
  CHECK(verify(run.path()).sound());
  fs::remove(run.shard(3));
  REQUIRE(verify(run.path()).contradictions.size() == 1);
  CHECK(contains(verify(run.path()).contradictions[0], "those of iterations 3 to 3 are missing"));
}

TEST_CASE("what a run in training has deleted since it was listed is not missed") {
  const RunCopy run;
  tests::write_bytes(run.path() / "config.toml", "[data]\nkeep_rows = 400\n");
  std::uint32_t files = 0;
  const auto report = verify_data(std::vector<std::string>{run.path().string()}, false, [&] {
    if (++files == 1) fs::remove(run.checkpoint(kIterations));  // not read yet
    if (files < kIterations + 2) return;                        // the first shard has been read
    fs::remove(run.shard(1));
    fs::remove(run.shard(2));
  });
  INFO(to_text(report));
  CHECK(report.sound());
}

TEST_CASE("a directory without data is no sound one") {
  const TempDir dir;
  tests::write_bytes(dir / "notes.txt", "text");
  CHECK(contains(error_of(ErrorKind::kFile, [&] { verify(dir.path()); }),
                 "found a directory without any data"));
}

TEST_CASE("sound files of other kinds are named and stay where they are") {
  const TempDir dir;
  const fs::path rows = dir / "rows.h5";
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string("rows"));
  file.write(rows);
  const auto report = verify(dir.path(), true);
  CHECK(report.damaged.empty());
  CHECK(contains(report.contradictions.at(0),
                 rows.string() + "': expected a shard or checkpoint, found kind 'rows'"));
  CHECK(fs::exists(rows));
}

TEST_CASE("files that contradict each other are named and stay where they are") {
  const RunCopy run;
  fs::copy_file(run.shard(2), run.shard(7));
  auto report = verify(run.path(), true);
  CHECK(report.damaged.empty());
  CHECK(fs::exists(run.shard(7)));
  REQUIRE(report.contradictions.size() == 2);
  CHECK(contains(report.contradictions[0],
                 "of seed 7 stands in '" + run.shard(2).string() + "', too"));
  CHECK(contains(report.contradictions[1],
                 "000007.h5': expected iteration 7 as its name says, found 2"));
  fs::remove(run.shard(7));

  auto shard = read_shard(run.shard(6));
  shard.provenance.seed = 8;
  write_shard(run.shard(6), shard.provenance, shard.games);
  report = verify(run.path());
  REQUIRE(report.contradictions.size() == 1);
  CHECK(contains(report.contradictions[0], "000006.h5': expected seed 7"));
}

TEST_CASE("leftovers of killed writers are named, and removed when asked") {
  const RunCopy run;
  const auto leftover = run.path() / "shards" / ".000007.h5.tmp-123-0";
  tests::write_bytes(leftover, "half");
  const auto report = verify(run.path());
  CHECK(report.sound());
  CHECK(report.leftovers == std::vector<fs::path>{leftover});
  CHECK(contains(to_text(report), "leftover of a killed writer: " + leftover.string()));
  CHECK(fs::exists(leftover));
  verify(run.path(), true);
  CHECK_FALSE(fs::exists(leftover));
}

TEST_CASE("nothing is set aside under a process that trains") {
  const RunCopy run;
  const RunLock lock(run.path());
  tests::write_bytes(run.path() / "shards" / ".000007.h5.tmp-123-0", "being written");
  CHECK(verify(run.path()).sound());
  CHECK(verify(run.path()).leftovers.empty());
  CHECK(contains(error_of(ErrorKind::kFile, [&] { verify(run.path(), true); }), "training in it"));
}

TEST_CASE("single files and directories are verified, too") {
  const TempDir dir;
  write_shard(dir / "a.h5", {{env::RuleSet{}}, 1, "", 1, ""}, tests::random_games({}, 2));
  write_shard(dir / "b.h5", {{env::RuleSet{}}, 1, "", 1, ""}, tests::random_games({}, 3));
  const std::string a = (dir / "a.h5").string();
  const std::string checkpoint = checkpoint_file(whole_run(), 2).string();
  const auto sound = verify({a, checkpoint});
  CHECK((sound.sound() && sound.shards == 1 && sound.checkpoints == 1));
  const auto twice = verify({a, (dir / "b.h5").string()});
  CHECK(twice.contradictions.size() == 1);
  CHECK(verify(dir.path()).contradictions.size() == 1);
  tests::write_bytes(dir / "text.h5", "no HDF5");
  const auto report = verify({a, (dir / "text.h5").string()}, true);
  CHECK(report.damaged.at(0).set_aside == dir / "damaged" / "text.h5");
  CHECK(to_json(report)["damaged"][0]["file"] == (dir / "text.h5").string());
  CHECK(contains(error_of(ErrorKind::kFile, [&] { verify(dir / "none.h5"); }), "none.h5"));
}
