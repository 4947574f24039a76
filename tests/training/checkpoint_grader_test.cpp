#include "training/checkpoint_grader.hpp"

#include <set>

#include "nn/weights.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "training/checkpoint.hpp"
#include "training/metrics.hpp"

namespace awale::test {
namespace {

using training::CheckpointGrader;

training::TrainingConfig small_config() {
  training::TrainingConfig config;
  config.network.blocks = 1;
  config.network.width = 16;
  config.grading.games = 4;
  config.grading.opponents = {"random", "minimax:2"};
  config.grading.positions = 100;
  config.grading.simulations = 4;
  return config;
}

std::filesystem::path checkpoint(const training::TrainingConfig& config,
                                 const tests::TempDir& directory, std::uint32_t iteration) {
  training::Checkpoint checkpoint;
  checkpoint.rules = {config.rules};
  checkpoint.iteration = iteration;
  checkpoint.learner = training::initial_learner_state(config.network, iteration + 1);
  const auto path = directory / (std::to_string(iteration) + ".h5");
  training::write_checkpoint(path, checkpoint);
  return path;
}

std::vector<nlohmann::ordered_json> grades_of(const training::TrainingConfig& config,
                                              const tests::TempDir& directory, int checkpoints) {
  CheckpointGrader grader(config);
  for (int i = 0; i < checkpoints; ++i) {
    const auto iteration = static_cast<std::uint32_t>(i);
    grader.add(iteration, checkpoint(config, directory, iteration));
  }
  grader.wait([] { return false; });
  auto grades = grader.take_finished();
  CHECK(grader.take_finished().empty());
  for (auto& grade : grades)
    grade.erase("seconds");
  return grades;
}

}  // namespace

TEST_CASE("checkpoints are graded in order, by matches and by the truth, and always alike") {
  const tests::TempDir directory;
  const auto grades = grades_of(small_config(), directory, 2);
  REQUIRE(grades.size() == 2);
  for (std::size_t i = 0; i < grades.size(); ++i) {
    CHECK(grades[i]["iteration"] == i);
    REQUIRE(grades[i]["matches"].size() == 2);
    CHECK(grades[i]["matches"][1]["opponent"] == "minimax:2");
    CHECK(grades[i]["matches"][1]["games"] == 4);
    CHECK(grades[i]["truth"].contains("network_lost"));
    CHECK(grades[i]["truth"]["search_4_best"] > 0.1);
  }
  CHECK(grades[0] != grades[1]);
  CHECK(grades_of(small_config(), directory, 2) == grades);
  const std::string line = training::grade_line(grades[0]);
  CHECK_THAT(line, tests::contains("checkpoint 0: "));
  CHECK_THAT(line, tests::contains("% against minimax:2, "));
  CHECK_THAT(line, tests::contains("4 simulations lose "));
}

TEST_CASE("who gives up waiting leaves a grade in its middle, and nothing of it is told") {
  const tests::TempDir directory;
  auto config = small_config();
  config.grading.games = 50'000;
  const auto path = checkpoint(config, directory, 0);
  CheckpointGrader grader(config);
  grader.add(0, path);
  grader.wait([] { return true; });
  CHECK(grader.take_finished().empty());
}

TEST_CASE("a part of a grade can be left out, or all of it") {
  const tests::TempDir directory;
  auto config = small_config();
  config.grading.positions = 0;
  CHECK_FALSE(grades_of(config, directory, 1).front().contains("truth"));
  config.grading.games = 0;
  CHECK(grades_of(config, directory, 1).empty());
  config.grading.positions = 100;
  CHECK(grades_of(config, directory, 1).front()["matches"].empty());
  config.rules.ply_limit = 40;  // over before a graded position would be
  CHECK(grades_of(config, directory, 1).empty());
}

TEST_CASE("an opponent that cannot be loaded is reported and does not end the run") {
  const tests::TempDir directory;
  auto config = small_config();
  config.grading.opponents = {(directory / "absent.h5").string()};
  const auto grades = grades_of(config, directory, 2);
  REQUIRE(grades.size() == 2);
  CHECK(grades[0].contains("error"));
  CHECK_THAT(training::grade_line(grades[0]), tests::contains("checkpoint 0: not graded: "));
}

TEST_CASE("grades of iterations that will be repeated are dropped, the others are known") {
  const tests::TempDir directory;
  const auto file = directory / "grades.jsonl";
  CHECK(training::graded_iterations(file, 20).empty());
  for (const int iteration : {0, 10, 20, 30})
    training::append_metrics(file, {{"iteration", iteration}, {"matches", nullptr}});
  training::append_metrics(file, {{"iteration", 15}, {"error", "the opponent is gone"}});
  CHECK(training::graded_iterations(file, 20) == std::set<std::uint32_t>{0, 10, 20});
  CHECK(training::graded_iterations(file, 99) == std::set<std::uint32_t>{0, 10, 20});
}

}  // namespace awale::test
