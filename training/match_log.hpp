// The games of matches as a file that grows while they are played, and from which a stopped or
// killed match goes on: CSV, a line a game, written as the game ends.
//
// Line 1 is a comment that says which match this is, as JSON ("# {...}"): whoever opens the file
// for another one is refused. Line 2 names the columns. In Python:
// pandas.read_csv(FILE, skiprows=1).
//
// A line is appended with one write; a process that dies in the middle of one leaves an incomplete
// last line, which the next one cuts off. Every other line is checked as it is read: the game is
// replayed by its rules. Two processes cannot have one file open.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "training/arena.hpp"

namespace awale::training {

// Who plays whom, by names.
using Pairing = std::pair<std::string, std::string>;

class MatchLog {
 public:
  // Opens `path` or creates it. `identity` is all that the games depend on. Throws InputError:
  // kWrite if the file cannot be opened, is in use or is no regular file; kMismatch, naming what
  // differs, if it holds another match; kFile, naming the line, if it is damaged or no such log.
  MatchLog(const std::string& path, const nlohmann::ordered_json& identity,
           const env::RuleSet& rules, std::vector<Pairing> pairings);
  ~MatchLog();
  MatchLog(const MatchLog&) = delete;
  MatchLog& operator=(const MatchLog&) = delete;

  const std::string& path() const { return path_; }

  // The games that the file held when it was opened, in the order of the file.
  const std::vector<MatchGame>& games(int pairing) const {
    return games_.at(static_cast<std::size_t>(pairing));
  }
  std::size_t game_count() const;

  // Adds a finished game. One thread at a time. Throws InputError(kWrite); then the file holds what
  // it held before.
  void append(int pairing, const MatchGame& game);

  // Waits until all is on the disk. Throws InputError(kWrite).
  void sync();

 private:
  void read(const std::string& text, const nlohmann::ordered_json& identity);
  void read_game(const std::string& line, std::size_t number);
  void write(const std::string& text);
  [[noreturn]] void fail(const std::string& doing, int error) const;

  std::string path_;
  env::RuleSet rules_;
  std::vector<Pairing> pairings_;
  std::vector<std::vector<MatchGame>> games_;  // by pairing
  int fd_ = -1;
  std::size_t bytes_ = 0;  // of the file
  std::chrono::steady_clock::time_point last_sync_;
};

// The identity in line 1 of the file; null where there is no such file or line.
nlohmann::ordered_json logged_identity(const std::string& path);

}  // namespace awale::training
