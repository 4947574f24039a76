// A session of the protocol: reads commands, searches on a thread of its own, answers.
//
// Malformed input never ends a session and never leaves a "go" without its "bestmove" but one
// during a search, which is refused: what is wrong is told as "info string error: ...". A
// "position" that cannot be read leaves no position, for which the answer to "go" is "bestmove
// 0000", as when the game is over. Depth d means 2^d simulations; a score of 100 is one seed of the
// expected final margin, of the player to move.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "env/game.hpp"
#include "mcts/anytime_search.hpp"
#include "mcts/stop_signal.hpp"
#include "training/uci/uci_command.hpp"

namespace awale::training {

// What "setoption" sets.
struct UciOptions {
  std::optional<env::RuleSet> rules;  // the network's own if none
  std::string checkpoint;
  std::string table;  // "" for none
  int threads = 1;
  int hash_mib = 16;  // known positions; 0 for none
};

inline constexpr int kMostUciThreads = mcts::SplitSearch::kMostThreads;
inline constexpr int kMostHashMib = 4096;

struct UciSearch {
  env::RuleSet rules;
  std::unique_ptr<mcts::AnytimeSearch> search;
  int most_simulations = 0;
};

// Makes the search that the options ask for; it ends when the signal says so. Throws InputError for
// options that do not go together and files that cannot be read.
using MakeUciSearch = std::function<UciSearch(const UciOptions&, const mcts::StopSignal&)>;

class UciEngine {
 public:
  // Nobody else may write to `output` while this lives. Throws what `make_search` throws.
  UciEngine(UciOptions options, MakeUciSearch make_search, std::ostream& output);
  // Stops the search and answers for it.
  ~UciEngine();

  // Until "quit", which stops the search, or the end of the input, at which a search that ends by
  // itself is waited for.
  void run(std::istream& input);

 private:
  void handle(const std::string& command, const std::vector<std::string>& words);
  void identify();
  void set_debug(const std::vector<std::string>& words);
  void set_option(const std::vector<std::string>& words);
  void set_position(const std::vector<std::string>& words);
  void go(const std::vector<std::string>& words);
  void ponder_hit();
  void stop();

  bool thinking() const { return thinking_; }
  void think(int most_simulations);
  void report(const mcts::AnytimeReport& report);
  void let_answer();
  void wait();
  void say(const std::string& line);
  void say_error(const std::string& message);

  UciOptions options_;
  MakeUciSearch make_search_;
  std::ostream& output_;
  std::mutex output_mutex_;
  bool debug_ = false;

  mcts::StopSignal stop_signal_;
  UciSearch search_;
  std::optional<env::Game> game_;  // none after a position that could not be read

  // The search in progress. `game_` and `search_` are its thread's while it thinks.
  std::thread thinker_;
  std::atomic<bool> thinking_ = false;
  std::optional<env::Game> searched_;
  std::chrono::milliseconds time_ = {};  // from ponderhit on; 0: as long as it takes
  std::mutex answer_mutex_;
  std::condition_variable answer_;
  bool may_answer_ = true;  // false: the answer waits for "stop" or "ponderhit"
  bool ponders_ = false;    // since the last "go"; no "ponderhit" yet
};

}  // namespace awale::training
