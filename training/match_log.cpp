#include "training/match_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

#include "env/error.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

// After a crash of the machine no more than this is lost.
constexpr std::chrono::seconds kSyncInterval{1};

constexpr std::array<const char*, 15> kColumns = {
    "first",  "second", "game",   "pair",     "first_side", "opening",     "moves",       "plies",
    "reason", "margin", "points", "first_ms", "second_ms",  "first_moves", "second_moves"};

std::string column_line() {
  std::string line;
  for (const char* column : kColumns)
    line.append(line.empty() ? "" : ",").append(column);
  return line + "\n";
}

// RFC 4180: quotes where they are needed, doubled inside.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char letter : text)
    result.append(letter == '"' ? 2 : 1, letter);
  return result + "\"";
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (letter == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (letter == '"') {
      inside = !inside;
    } else if (letter == ',' && !inside) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return fields;
}

std::string game_line(const Pairing& pairing, const MatchGame& game) {
  std::string line = quoted(pairing.first);
  line.append(",").append(quoted(pairing.second));
  line.append(",").append(std::to_string(game.id));
  line.append(",").append(std::to_string(game.id / 2));
  line.append(game.first_side == env::Side::kSouth ? ",South," : ",North,");
  line.append(game.moves, 0, static_cast<std::size_t>(game.opening_plies));
  line.append(",").append(game.moves);
  line.append(",").append(std::to_string(game.moves.size()));
  line.append(",").append(env::to_string(game.outcome.reason));
  line.append(format_text(",%d,%.1f,%.3f,%.3f,%llu,%llu\n", game.margin_first_seeds(),
                          game.first_half_points() / 2.0, 1000 * game.first_time.seconds,
                          1000 * game.second_time.seconds,
                          static_cast<unsigned long long>(game.first_time.moves),
                          static_cast<unsigned long long>(game.second_time.moves)));
  return line;
}

// Of a field of a line; `problem` collects what is wrong.
template <typename Number>
Number number_of(const std::string& field, const char* column, std::string& problem) {
  Number value = {};
  const char* end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  if ((error != std::errc() || rest != end) && problem.empty()) {
    problem.append(column).append(": expected a number, found '").append(field).append("'");
  }
  return value;
}

// A game of a line, checked by replaying it; what does not fit goes to `problem`.
MatchGame parse_game(const std::vector<std::string>& fields, const env::RuleSet& rules,
                     std::string& problem) {
  MatchGame game;
  game.id = number_of<std::uint64_t>(fields[2], "game", problem);
  game.first_side = fields[4] == "South" ? env::Side::kSouth : env::Side::kNorth;
  game.opening_plies = static_cast<int>(fields[5].size());
  game.moves = fields[6];
  game.first_time = {number_of<std::uint64_t>(fields[13], "first_moves", problem),
                     number_of<double>(fields[11], "first_ms", problem) / 1000};
  game.second_time = {number_of<std::uint64_t>(fields[14], "second_moves", problem),
                      number_of<double>(fields[12], "second_ms", problem) / 1000};
  if (!problem.empty()) return game;
  try {
    const env::Game replayed = env::replay(rules, env::initial_board(), game.moves);
    if (!replayed.over()) {
      problem = "moves: the game is not over";
      return game;
    }
    game.outcome = replayed.outcome();
  } catch (const InputError& error) {
    problem.append("moves: ").append(error.what());
  }
  return game;
}

// What differs between two identities, the first difference only.
std::string difference(const nlohmann::ordered_json& expected,
                       const nlohmann::ordered_json& found) {
  const auto text = [](const nlohmann::ordered_json& object, const std::string& key) {
    return object.contains(key) ? object.at(key).dump() : std::string("nothing");
  };
  std::string differs;
  const auto compare = [&](const std::string& key) {
    if (!differs.empty() || text(expected, key) == text(found, key)) return;
    differs.append(key).append(": expected ").append(text(expected, key));
    differs.append(", found ").append(text(found, key));
  };
  for (const auto& item : expected.items())
    compare(item.key());
  for (const auto& item : found.items())
    compare(item.key());
  return differs;
}

// Null for anything but a comment with an object.
nlohmann::ordered_json parse_identity(const std::string& line) {
  if (line.rfind("# {", 0) != 0) return {};
  const auto json = nlohmann::ordered_json::parse(line.substr(2), nullptr, false);
  return json.is_object() ? json : nlohmann::ordered_json{};
}

}  // namespace

MatchLog::MatchLog(const std::string& path, const nlohmann::ordered_json& identity,
                   const env::RuleSet& rules, std::vector<Pairing> pairings)
    : path_(path),
      rules_(rules),
      pairings_(std::move(pairings)),
      games_(pairings_.size()),
      last_sync_(std::chrono::steady_clock::now()) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail("opening it", errno);
  try {
    struct stat status = {};
    if (::fstat(fd_, &status) != 0) fail("looking at it", errno);
    if (!S_ISREG(status.st_mode)) {
      throw InputError(ErrorKind::kWrite, "cannot write '" + path + "': no regular file");
    }
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      throw InputError(ErrorKind::kWrite,
                       "cannot write '" + path + "': another process has it open");
    }
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    if (::pread(fd_, text.data(), text.size(), 0) != status.st_size) fail("reading it", errno);
    read(text, identity);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

MatchLog::~MatchLog() {
  ::close(fd_);
}

std::size_t MatchLog::game_count() const {
  std::size_t count = 0;
  for (const auto& games : games_)
    count += games.size();
  return count;
}

void MatchLog::append(int pairing, const MatchGame& game) {
  write(game_line(pairings_.at(static_cast<std::size_t>(pairing)), game));
  if (std::chrono::steady_clock::now() - last_sync_ > kSyncInterval) sync();
}

void MatchLog::sync() {
  if (::fdatasync(fd_) != 0) fail("writing it to the disk", errno);
  last_sync_ = std::chrono::steady_clock::now();
}

void MatchLog::read(const std::string& text, const nlohmann::ordered_json& identity) {
  const std::string head = "# " + identity.dump() + "\n" + column_line();
  const std::size_t complete = text.rfind('\n') + 1;  // 0 without a line
  if (text.size() < head.size() && head.rfind(text, 0) == 0) {
    if (::ftruncate(fd_, 0) != 0) fail("emptying it", errno);
    write(head);
    return;
  }
  const auto found = parse_identity(text.substr(0, text.find('\n')));
  if (found.is_null()) {
    throw InputError(ErrorKind::kFile, "'" + path_ +
                                           "' is no log of a match: line 1: expected '# {"
                                           "...}'; choose another name");
  }
  const std::string differs = difference(identity, found);
  if (!differs.empty()) {
    throw InputError(ErrorKind::kMismatch,
                     "'" + path_ + "' holds another match: " + differs + "; choose another name");
  }
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < complete; ++number) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    if (number == 2 && line + "\n" != column_line()) {
      throw InputError(ErrorKind::kFile, "'" + path_ + "', line 2: expected the columns " +
                                             column_line().substr(0, column_line().size() - 1));
    }
    if (number > 2) read_game(line, number);
    begin = end + 1;
  }
  bytes_ = complete;
  if (complete < text.size() && ::ftruncate(fd_, static_cast<off_t>(complete)) != 0) {
    fail("cutting off its incomplete last line", errno);
  }
}

void MatchLog::read_game(const std::string& line, std::size_t number) {
  std::string problem;
  const auto fields = fields_of(line);
  MatchGame game;
  std::size_t pairing = 0;
  if (fields.size() != kColumns.size()) {
    problem = format_text("expected %zu columns, found %zu", kColumns.size(), fields.size());
  } else {
    const auto where = std::find(pairings_.begin(), pairings_.end(), Pairing(fields[0], fields[1]));
    pairing = static_cast<std::size_t>(where - pairings_.begin());
    if (where == pairings_.end()) problem = "players that do not meet in this match";
    game = parse_game(fields, rules_, problem);
  }
  if (problem.empty() && game_line(pairings_[pairing], game) != line + "\n") {
    problem = "the columns contradict each other";
  }
  if (!problem.empty()) {
    throw InputError(ErrorKind::kFile,
                     "'" + path_ + "', line " + std::to_string(number) + ": " + problem);
  }
  games_[pairing].push_back(std::move(game));
}

void MatchLog::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // What cannot be taken back is cut off when the file is opened again.
      [[maybe_unused]] const int cut = ::ftruncate(fd_, static_cast<off_t>(bytes_));
      fail("writing it", error);
    }
    done += static_cast<std::size_t>(written);
  }
  bytes_ += text.size();
}

void MatchLog::fail(const std::string& doing, int error) const {
  throw InputError(ErrorKind::kWrite,
                   "cannot write '" + path_ + "': " + doing + ": " + std::strerror(error));
}

nlohmann::ordered_json logged_identity(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return parse_identity(line);
}

}  // namespace awale::training
