#include "training/pipeline.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/small_run.hpp"
#include "training/checkpoint.hpp"
#include "training/trajectory_log.hpp"

using namespace awale;
using namespace awale::training;

namespace {

constexpr const char* kText = "[search]\nc_puct = 1.25\n";

void run(const TrainingConfig& config, const std::filesystem::path& path, bool resume = false) {
  const RunDir directory(path, resume);
  run_training(config, {kText, kText}, directory, resume);
}

// Shards and checkpoints of both runs are the same, byte for byte.
void require_same_files(const std::filesystem::path& left, const std::filesystem::path& right,
                        int iterations) {
  for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(iterations); ++i) {
    INFO("iteration " << i);
    const auto shard = std::filesystem::path("shards") / checkpoint_file("", i).filename();
    REQUIRE(tests::read_bytes(left / shard) == tests::read_bytes(right / shard));
    REQUIRE(tests::read_bytes(checkpoint_file(left, i)) ==
            tests::read_bytes(checkpoint_file(right, i)));
  }
}

// What the metrics of a run say of its policy and values, a text an iteration.
std::vector<std::string> looks(const std::filesystem::path& directory) {
  std::ifstream metrics(directory / "metrics.jsonl");
  std::vector<std::string> found;
  for (std::string line; std::getline(metrics, line);) {
    const auto object = nlohmann::json::parse(line);
    found.push_back(object["policy_entropy"].dump() + " " + object["value_spread"].dump());
  }
  return found;
}

}  // namespace

TEST_CASE("the same seed and config give the same bytes on one thread and on two") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  run(config, dir / "one");
  config.run.threads = 2;
  run(config, dir / "two");
  require_same_files(dir / "one", dir / "two", config.run.iterations);
}

TEST_CASE("another seed gives other games") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  run(config, dir / "one");
  config.run.seed += 1;
  run(config, dir / "two");
  CHECK(tests::read_bytes(checkpoint_file(dir / "one", 2)) !=
        tests::read_bytes(checkpoint_file(dir / "two", 2)));
}

TEST_CASE("a resumed run equals the uninterrupted one") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.learner.decay_share = 0;  // a decay would follow the number of iterations, changed below
  run(config, dir / "whole");
  auto half = config;
  half.run.iterations = 2;
  run(half, dir / "parts");
  run(config, dir / "parts", /*resume=*/true);
  require_same_files(dir / "whole", dir / "parts", config.run.iterations);
}

TEST_CASE("what a killed iteration left behind is written again") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  run(config, dir / "whole");
  run(config, dir / "killed");
  // As if the process had died after the shard of iteration 3 and before its checkpoint.
  for (const std::uint32_t i : {3U, 4U})
    std::filesystem::remove(checkpoint_file(dir / "killed", i));
  std::filesystem::remove(dir / "killed" / "shards" / "000004.h5");
  std::ofstream(dir / "killed" / "metrics.jsonl", std::ios::app) << "{\"iteration\": 5, \"cut";
  run(config, dir / "killed", /*resume=*/true);
  require_same_files(dir / "whole", dir / "killed", config.run.iterations);
  std::ifstream metrics(dir / "killed" / "metrics.jsonl");
  int lines = 0;
  for (std::string line; std::getline(metrics, line);)
    ++lines;
  CHECK(lines == config.run.iterations);
}

TEST_CASE("a run that saves now and then loses no game and no step by being killed") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.run.save_every = config.run.keep_every = 3;
  config.run.iterations = 7;
  config.run.threads = 2;
  run(config, dir / "whole");
  CHECK(shard_numbers(dir / "whole" / "shards") == std::vector<std::uint32_t>{3, 6, 7});
  CHECK(checkpoint_iterations(dir / "whole") == std::vector<std::uint32_t>{0, 3, 6, 7});
  std::uint64_t games = 0;
  for (const std::uint32_t i : {3U, 6U, 7U})
    games += read_shard(shard_file(dir / "whole" / "shards", i)).games.size();
  CHECK(games == read_checkpoint(checkpoint_file(dir / "whole", 7)).games);

  run(config, dir / "killed");
  for (const std::uint32_t i : {6U, 7U})
    std::filesystem::remove(checkpoint_file(dir / "killed", i));
  run(config, dir / "killed", /*resume=*/true);
  for (const std::uint32_t i : {3U, 6U, 7U}) {
    INFO("iteration " << i);
    CHECK(tests::read_bytes(shard_file(dir / "whole" / "shards", i)) ==
          tests::read_bytes(shard_file(dir / "killed" / "shards", i)));
    CHECK(tests::read_bytes(checkpoint_file(dir / "whole", i)) ==
          tests::read_bytes(checkpoint_file(dir / "killed", i)));
  }
  // A look wants more games than an iteration of these brings: the first one is in the fifth, of
  // games from before the kill, too.
  CHECK(looks(dir / "whole") == looks(dir / "killed"));
  CHECK_THAT(looks(dir / "whole")[4], !tests::contains("null"));
}

TEST_CASE("a run of several rule sets is resumed like any other, and its agent plays them all") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.self_play.presets = {"awari", "codingame"};
  run(config, dir / "whole");
  run(config, dir / "killed");
  std::filesystem::remove(checkpoint_file(dir / "killed", 4));
  run(config, dir / "killed", /*resume=*/true);
  require_same_files(dir / "whole", dir / "killed", config.run.iterations);

  const auto agent = load_agent(dir / "whole");
  REQUIRE(agent.rules.size() == 3);
  CHECK(agent.rules.front().same_game(config.rules));
  for (const auto& rules : config.rule_sets())
    CHECK_NOTHROW(require_rules(agent, rules));
  CHECK_THROWS_WITH(require_rules(agent, env::preset("valencian")), tests::contains("awari"));
}

TEST_CASE("shards that no checkpoint counts go, so that no game stands twice") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.run.save_every = config.run.keep_every = 3;
  config.run.iterations = 6;
  run(config, dir / "run");
  // As if killed between the shard of iteration 6 and its checkpoint, then told to save elsewhere.
  std::filesystem::remove(checkpoint_file(dir / "run", 6));
  config.run.save_every = config.run.keep_every = 5;
  config.run.iterations = 5;
  run(config, dir / "run", /*resume=*/true);
  CHECK(shard_numbers(dir / "run" / "shards") == std::vector<std::uint32_t>{3, 5});
}

TEST_CASE("a run learns: steps are made and the weights move") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  run(config, dir / "run");
  const auto first = read_checkpoint(checkpoint_file(dir / "run", 0));
  const auto last = read_checkpoint(checkpoint_file(dir / "run", 4));
  CHECK(last.learner.steps > 0);
  CHECK(last.rows > 0);
  CHECK(first.learner.weights.tensors[0].values != last.learner.weights.tensors[0].values);
}

TEST_CASE("a run is not resumed with a config that plays other games") {
  const tests::TempDir dir;
  const auto config = tests::small_run();
  run(config, dir / "run");
  const RunDir directory(dir / "run", true);
  const std::string another = "[search]\nc_puct = 0.7\n";
  CHECK_THROWS_WITH(run_training(config, {another, another}, directory, true),
                    tests::contains("search.c_puct cannot change in a run that goes on: it has "
                                    "1.25, now 0.7"));
  CHECK(tests::read_bytes(directory.config()) == kText);
}

TEST_CASE("a run goes on with another learning rate, and its checkpoints say so") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  run(config, dir / "run");
  config.run.iterations = 5;
  const std::string another = "[search]\nc_puct = 1.25\n[learner]\nlearning_rate = 0.5\n";
  const RunDir directory(dir / "run", true);
  run_training(config, {another, another}, directory, true);
  CHECK(tests::read_bytes(directory.config()) == another);
  CHECK(read_checkpoint(checkpoint_file(dir / "run", 5)).config == another);
}

TEST_CASE("a batch on which training diverges is left, and the run goes on at a lower rate") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.run.iterations = 12;
  config.learner.learning_rate = 1e30;
  std::string message;
  try {
    run(config, dir / "run");
  } catch (const InputError& error) {
    CHECK(error.kind() == ErrorKind::kDiverged);
    message = error.what();
  }
  CHECK_THAT(message, tests::contains("diverged/0000"));
  CHECK_THAT(message, tests::contains("--resume --learner.learning_rate 5e+29"));
  const auto newest = checkpoint_iterations(dir / "run").back();
  const auto batch = dir / "run" / "diverged" / checkpoint_file("", newest + 1).filename();
  CHECK(nn::Hdf5Reader(batch).string_attribute("/", "kind") == "batch");
  config.learner.learning_rate = 1e-3;
  config.run.iterations = static_cast<int>(newest) + 1;
  run(config, dir / "run", /*resume=*/true);
  CHECK(checkpoint_iterations(dir / "run").back() == newest + 1);
}

TEST_CASE("a run that meets a damaged file says how it goes on without it") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  run(config, dir / "run");
  config.run.iterations += 1;
  const auto checkpoint = checkpoint_file(dir / "run", 4);
  const auto shard = shard_file(dir / "run" / "shards", 3);
  for (const auto& file : {checkpoint, shard}) {
    const std::string bytes = tests::read_bytes(file);
    tests::write_bytes(file, bytes.substr(0, bytes.size() / 2));
    const auto said =
        test::error_of(ErrorKind::kFile, [&] { run(config, dir / "run", /*resume=*/true); });
    CHECK_THAT(said, tests::contains(file.string()));
    CHECK_THAT(said, tests::contains("data verify " + (dir / "run").string() + " --set-aside"));
    tests::write_bytes(file, bytes);
  }
}

TEST_CASE("a run directory is not overwritten, nor resumed where there is none") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.run.iterations = 1;
  run(config, dir / "run");
  CHECK_THROWS_WITH(RunDir(dir / "run", false), tests::contains("holds a run already"));
  CHECK_THROWS_WITH(RunDir(dir / "none", true), tests::contains("no run to resume"));
}

TEST_CASE("two processes cannot train in one run directory") {
  const tests::TempDir dir;
  const RunDir first(dir / "run", false);
  nn::write_file_atomically(first.config(), kText);
  CHECK_THROWS_WITH(RunDir(dir / "run", true), tests::contains("another process"));
}

TEST_CASE("an agent is loaded from a checkpoint or from its run") {
  const tests::TempDir dir;
  auto config = tests::small_run();
  config.run.iterations = 2;
  run(config, dir / "run");
  const auto newest = load_agent(dir / "run");
  CHECK(newest.path == checkpoint_file(dir / "run", 2));
  const auto named = load_agent(checkpoint_file(dir / "run", 2));
  CHECK(named.weights.tensors[0].values == newest.weights.tensors[0].values);
  CHECK_THROWS_AS(load_agent(dir / "nothing.h5"), InputError);
  CHECK_THROWS_WITH(require_rules(newest, env::RuleSet{}), tests::contains("ply_limit=30"));
}

// Written by builds of these schemas: under 1 open games had no policy targets of their own.
TEST_CASE("checkpoints of older schemas read, and write again as one of this schema") {
  for (const int schema : {1, 2}) {
    INFO("schema " << schema);
    const std::string path =
        AWALE_SOURCE_DIR "/tests/golden/checkpoint_schema" + std::to_string(schema) + ".h5";
    const auto old = read_checkpoint(path);
    REQUIRE(!old.open_games.empty());
    int searched = 0;
    for (const auto& game : old.open_games) {
      for (const auto& ply : game.plies) {
        const int visits = std::accumulate(ply.visits.begin(), ply.visits.end(), 0);
        const int policy = std::accumulate(ply.policy.begin(), ply.policy.end(), 0);
        CHECK((visits > 0 && (ply.flags & kFastSearch) == 0) == (policy > 65530));
        searched += visits > 0 ? 1 : 0;
      }
    }
    CHECK(searched > 0);
    CHECK(load_agent(path).weights.tensors.size() == old.learner.averaged.tensors.size());
    const tests::TempDir dir;
    write_checkpoint(dir / "new.h5", old);
    const auto again = read_checkpoint(dir / "new.h5");
    REQUIRE(again.open_games.size() == old.open_games.size());
    for (std::size_t i = 0; i < old.open_games.size(); ++i) {
      REQUIRE(again.open_games[i].plies.size() == old.open_games[i].plies.size());
      for (std::size_t ply = 0; ply < old.open_games[i].plies.size(); ++ply)
        CHECK(again.open_games[i].plies[ply].policy == old.open_games[i].plies[ply].policy);
    }
  }
}
