#include "training/cli/training_options.hpp"

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "training/cli/config_file.hpp"

using awale::test::contains;
using awale::training::reproducible_toml;
using awale::training::to_toml;
using awale::training::TrainingConfig;

namespace {

TrainingConfig read_config(const std::filesystem::path& file) {
  TrainingConfig config;
  CLI::App app;
  awale::training::add_config_file(app);
  awale::training::add_training_config(app, config);
  app.parse("--config " + file.string());
  return config;
}

// `text` with a 1 put before every number.
std::string with_other_numbers(std::string text) {
  for (auto at = text.find("= "); at != std::string::npos; at = text.find("= ", at + 2)) {
    if (std::isdigit(static_cast<unsigned char>(text[at + 2])) != 0) text.insert(at + 2, "1");
  }
  return text;
}

}  // namespace

TEST_CASE("A training config written as TOML reads back as the same config, every number of it") {
  const awale::tests::TempDir directory;
  const auto read_back = [&](const std::string& text) {
    std::ofstream(directory / "config.toml") << text;
    return to_toml(read_config(directory / "config.toml"));
  };
  const std::string defaults = to_toml(TrainingConfig());
  CHECK(read_back(defaults) == defaults);
  const std::string others = read_back(with_other_numbers(defaults));
  CHECK(read_back(others) == others);
  std::istringstream default_lines(defaults);
  std::istringstream other_lines(others);
  std::string before;
  for (std::string after; std::getline(other_lines, after);) {
    std::getline(default_lines, before);
    if (with_other_numbers(before) != before) CHECK(after != before);
  }
}

TEST_CASE("Every config that comes with the project is accepted") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(AWALE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    CHECK_NOTHROW(read_config(entry.path()).validate());
    ++files;
  }
  CHECK(files > 0);
}

TEST_CASE("What does not change a run's files is left out of its reproducible config") {
  TrainingConfig config;
  const std::string before = reproducible_toml(config);
  config.run.threads += 1;
  config.run.iterations += 1;
  config.evaluation.games += 2;
  config.evaluation.opponents = {"random"};
  config.evaluator.device = awale::nn::Device::kCpu;
  config.evaluator.cache_positions = 4096;
  CHECK(reproducible_toml(config) == before);
  config.run.seed += 1;
  CHECK(reproducible_toml(config) != before);
  CHECK(contains(before, "[run]\nseed = 1\n"));
}

TEST_CASE("A run without a table is one of before there were any, and a table may be moved") {
  TrainingConfig config;
  CHECK(!contains(reproducible_toml(config), "adjudication"));
  config.adjudication.play_out_share = 0.5;
  const std::string without = reproducible_toml(config);
  CHECK(without == reproducible_toml(TrainingConfig()));
  config.adjudication.table = "here.eg";
  const std::string with = reproducible_toml(config);
  CHECK(with != without);
  CHECK(contains(with, "[adjudication]\nplay_out_share = 0.5\n"));
  config.adjudication.table = "there.eg";
  CHECK(reproducible_toml(config) == with);
  config.adjudication.play_out_share = 0.4;
  CHECK(reproducible_toml(config) != with);
}

TEST_CASE("Each setting that changes what is learnt is in the reproducible config") {
  const std::string before = reproducible_toml(TrainingConfig());
  TrainingConfig config;
  SECTION("rules") {
    config.rules.ply_limit = 7;
  }
  SECTION("network") {
    config.network.width += 1;
  }
  SECTION("search") {
    config.search.noise_weight += 0.01F;
  }
  SECTION("evaluator") {
    config.evaluator.kind = awale::nn::EvaluatorKind::kEigen;
  }
  SECTION("self-play") {
    config.self_play.temperature += 0.01;
  }
  SECTION("targets") {
    config.targets.lambda = 0.123F;
  }
  SECTION("learner") {
    config.learner.ema_decay = 0.5;
  }
  CHECK(reproducible_toml(config) != before);
}

TEST_CASE("Evaluator and device are named and nothing else is taken for one") {
  TrainingConfig config;
  CLI::App app;
  awale::training::add_evaluator(app, config.evaluator);
  app.parse("--device cpu --evaluator torch-bf16 --evaluator.cache 0");
  CHECK(config.evaluator.device == awale::nn::Device::kCpu);
  CHECK(config.evaluator.kind == awale::nn::EvaluatorKind::kTorchBf16);
  app.parse("--evaluator.kind cpu-fp32 --evaluator.device auto --evaluator.cache 512");
  CHECK(config.evaluator.device == awale::nn::Device::kAuto);
  CHECK(config.evaluator.kind == awale::nn::EvaluatorKind::kCpuFp32);
  CHECK(config.evaluator.cache_positions == 512);
  CHECK_THROWS_AS(app.parse("--device gpu"), CLI::ParseError);
  CHECK_THROWS_WITH(
      app.parse("--evaluator fast"),
      awale::tests::contains("auto, torch, torch-bf16, eigen, cpu-fp32, cpu-bf16, cpu-int8"));
}

TEST_CASE("A setting out of range is refused by its own key, with all of its range") {
  const auto refusal = [](const std::string& content) {
    const awale::tests::TempDir directory;
    std::ofstream(directory / "c.toml") << content;
    return awale::test::error_of(awale::ErrorKind::kUsage,
                                 [&] { read_config(directory / "c.toml").validate(); });
  };
  CHECK(contains(refusal("[self_play]\ngames = 64\ngroup_games = 100\n"),
                 "self_play.games: expected a multiple of self_play.group_games (100)"));
  CHECK(contains(refusal("[self_play]\npresets = [\"nix\"]\n"), "self_play.presets: expected own"));
  CHECK(contains(refusal("[self_play]\npresets = [\"all\"]\ngames = 256\n"),
                 "self_play.presets: expected no more"));
  CHECK(contains(refusal("[learner]\nlearning_rate = 1e10\n"), "above 0 and below 1e9"));
  CHECK(contains(refusal("[run]\nminutes = 1e9\n"), "run.minutes: expected 0 (no limit)..1000000"));
  CHECK(contains(refusal("[run]\ncore_minutes = 1e9\n"), "(no limit)..1000000"));
  CHECK(contains(refusal("[evaluation]\ngames = 2000000\n"), "up to 1000000"));
  CHECK(contains(refusal("[evaluator]\ncache = 3000000000\n"),
                 "line 2: evaluator.cache: expected a whole number 0..100000000"));
  for (const std::string key : {"policy", "wdl", "margin", "margin_distribution", "plies_left"}) {
    CHECK(contains(refusal("[learner]\n" + key + "_weight = -2\n"),
                   "learner." + key + "_weight: expected 0 or more, found -2"));
  }
}
