#include "env/reference_data.hpp"

#include <algorithm>
#include <charconv>
#include <istream>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "env/printable.hpp"

namespace awale::env {
namespace {

constexpr std::size_t kLongestLine = 100000;
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void reject(const std::string& message) {
  throw InputError(ErrorKind::kFile, message);
}

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t begin = line.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return fields;
}

std::vector<std::string_view> split_four(std::string_view line, const char* names) {
  auto fields = split_fields(line);
  if (fields.size() != 4) {
    reject("expected 4 fields (" + std::string(names) + "), found " +
           std::to_string(fields.size()));
  }
  return fields;
}

// Reads digits from the front of `text` and removes them.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const char* end = text.data() + text.size();
  const bool digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return digit && error == std::errc();
}

bool take(std::string_view& text, std::string_view expected) {
  if (text.substr(0, expected.size()) != expected) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool take_half_seeds(std::string_view& text, int& half_seeds) {
  int seeds = 0;
  if (!take_number(text, seeds) || seeds > kSeeds) return false;
  half_seeds = 2 * seeds + (take(text, ".5") ? 1 : 0);
  return true;
}

FinalScore parse_score(std::string_view field, const char* name) {
  FinalScore score;
  std::string_view text = field;
  if (!take_half_seeds(text, score.south_half_seeds) || !take(text, "-") ||
      !take_half_seeds(text, score.north_half_seeds) || !text.empty() ||
      score.south_half_seeds + score.north_half_seeds > 2 * kSeeds) {
    reject(std::string(name) + ": expected South-North of together at most 48 seeds, found '" +
           std::string(field) + "'");
  }
  return score;
}

LegalMask parse_legal(std::string_view field) {
  int mask = 0;
  std::string_view text = field;
  if (!take_number(text, mask) || !text.empty() || mask >= 1 << kMoves) {
    reject("legal moves: expected a number 0..63, found '" + std::string(field) + "'");
  }
  return static_cast<LegalMask>(mask);
}

Move parse_letter(std::string_view field, Side side) {
  const int move = field.front() - move_letter(side, 0);
  if (field.size() != 1 || move < 0 || move >= kMoves) {
    reject("move: expected one of " + moves_text(side, (1 << kMoves) - 1) + ", found '" +
           std::string(field) + "'");
  }
  return static_cast<Move>(move);
}

EndReason parse_end(std::string_view field) {
  if (field == "majority") return EndReason::kTarget;
  if (field == "cannot_feed") return EndReason::kNoMoves;
  std::string names;
  for (const EndReason reason : {EndReason::kTarget, EndReason::kNoMoves, EndReason::kRepetition,
                                 EndReason::kPlyLimit, EndReason::kNone}) {
    if (field == to_string(reason)) return reason;
    names += std::string(to_string(reason)) + ", ";
  }
  reject("how it ended: expected one of " + names + "majority, cannot_feed, found '" +
         std::string(field) + "'");
}

PerftCount parse_count(std::string_view field, std::size_t depth) {
  PerftCount count;
  std::string_view text = field;
  if (!take_number(text, count.leaves) || !take(text, "/") ||
      !take_number(text, count.ended_here) || !take(text, "/") ||
      !take_number(text, count.ended_earlier) || !text.empty()) {
    reject("depth " + std::to_string(depth) +
           ": expected leaves/ended here/ended earlier, found '" + std::string(field) + "'");
  }
  return count;
}

bool is_record(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  return first != std::string_view::npos && line[first] != '#';
}

}  // namespace

RecordedPly parse_ply(std::string_view line) {
  const auto fields = split_four(line, "position, legal moves, move, next position");
  RecordedPly ply;
  ply.board = parse_board(fields[0], SeedCount::kStudy);
  ply.legal = parse_legal(fields[1]);
  ply.move = parse_letter(fields[2], ply.board.to_move);
  ply.next = parse_board(fields[3], SeedCount::kStudy);
  return ply;
}

RecordedGame parse_game(std::string_view line) {
  const auto fields = split_four(line, "moves, how it ended, captured, final score");
  RecordedGame game;
  game.moves = fields[0];
  Side side = Side::kSouth;
  for (std::size_t i = 0; i < game.moves.size(); ++i, side = opponent(side)) {
    parse_move(game.moves[i], side, static_cast<int>(i) + 1);
  }
  game.end = parse_end(fields[1]);
  game.captured = parse_score(fields[2], "captured");
  game.score = parse_score(fields[3], "final score");
  return game;
}

RecordedPerft parse_perft(std::string_view line) {
  const auto fields = split_fields(line);
  RecordedPerft perft;
  perft.board = parse_board(fields.front(), SeedCount::kStudy);
  if (fields.size() < 2) reject("expected a position and the counts of at least one depth");
  for (std::size_t depth = 1; depth < fields.size(); ++depth) {
    perft.counts.push_back(parse_count(fields[depth], depth));
  }
  return perft;
}

void for_each_record(std::istream& stream, const std::string& name,
                     const std::function<void(std::string_view, std::uint64_t)>& use) {
  std::vector<char> buffer(kLongestLine + 1);  // and a 0
  std::uint64_t records = 0;
  std::uint64_t number = 1;
  const auto place = [&] { return name + ":" + std::to_string(number) + ": "; };
  for (; stream.getline(buffer.data(), static_cast<std::streamsize>(buffer.size())); ++number) {
    const auto read = static_cast<std::size_t>(stream.gcount()) - (stream.eof() ? 0 : 1);
    std::string_view line(buffer.data(), read);
    if (number == 1) take(line, kByteOrderMark);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!is_record(line)) continue;
    if (line.find('\0') != std::string_view::npos)
      reject(place() + "expected text, found a 0 byte");
    ++records;
    try {
      use(line, number);
    } catch (const InputError& error) {
      reject(place() + printable(error.what()));
    }
  }
  if (stream.bad()) reject(name + ": cannot be read");
  if (!stream.eof()) {
    reject(place() + "expected at most " + std::to_string(kLongestLine) + " characters a line");
  }
  if (records == 0) reject(name + ": expected a record a line, found none");
}

}  // namespace awale::env
