// Grades the checkpoints that a run keeps, beside the training, on a thread of its own: matches
// against fixed opponents, and moves against the truth (truth/quick_grade.hpp). So a run shows
// while it goes whether it gets stronger, and by what it is still wrong.
//
// Grades read checkpoints and change nothing that the training reads, so it stays reproducible. The
// same checkpoint gets the same grade.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "training/config.hpp"

namespace awale::training {

class QuickGrader;

class CheckpointGrader {
 public:
  // Starts the thread, which builds an endgame table before its first grade.
  explicit CheckpointGrader(const TrainingConfig& config);
  // Leaves what is not graded yet.
  ~CheckpointGrader();
  CheckpointGrader(const CheckpointGrader&) = delete;
  CheckpointGrader& operator=(const CheckpointGrader&) = delete;

  // Queues the checkpoint in `path`, which must stay there. Nothing happens if the config asks for
  // no grades.
  void add(std::uint32_t iteration, const std::filesystem::path& path);

  // The grades finished since the last call, in the order of add(). Keys: iteration, matches (a
  // list of opponent, points_percent, elo and their _low and _high), truth (QuickGrade's keys),
  // seconds. What a user can cause (an opponent's file that has gone) does not end a run: such a
  // grade has the key error instead.
  std::vector<nlohmann::ordered_json> take_finished();

  // Waits until everything is graded, or until `give_up`, which is asked now and then.
  void wait(const std::function<bool()>& give_up);

 private:
  struct Job {
    std::uint32_t iteration;
    std::filesystem::path path;
  };

  void work();
  nlohmann::ordered_json grade(const Job& job);
  nlohmann::ordered_json play(const Job& job) const;

  TrainingConfig config_;
  std::unique_ptr<QuickGrader> truth_;  // of the thread

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;  // the first one is being graded while busy_
  bool busy_ = false;
  std::atomic<bool> stop_ = false;  // asked in the middle of a grade, too
  std::vector<nlohmann::ordered_json> finished_;
  std::exception_ptr failure_;
  std::thread thread_;  // last: it uses the others
};

// "checkpoint 20: 91.5 % against minimax:8; with 64 simulations 1.2 % of results lost, ..."
std::string grade_line(const nlohmann::ordered_json& grade);

}  // namespace awale::training
