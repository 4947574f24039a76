#include "env/notation.hpp"

#include <array>
#include <charconv>

#include "env/error.hpp"

namespace awale::env {
namespace {

constexpr int kNumbers = kPits + 2;
constexpr std::array<std::string_view, kNumbers + 1> kFieldNames = {
    "pit A", "pit B", "pit C", "pit D", "pit E",         "pit F",         "pit a",       "pit b",
    "pit c", "pit d", "pit e", "pit f", "South's store", "North's store", "side to move"};

[[noreturn]] void reject(std::string_view text, const std::string& problem) {
  throw InputError(ErrorKind::kPosition, "position '" + std::string(text) + "': " + problem);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> fields;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dash = text.find('-', begin);
    fields.push_back(text.substr(begin, dash - begin));
    if (dash == std::string_view::npos) return fields;
    begin = dash + 1;
  }
}

std::uint8_t parse_seeds(std::string_view text, std::string_view field, std::size_t index) {
  int seeds = -1;
  const auto* end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, seeds);
  if (field.empty() || error != std::errc() || rest != end || seeds < 0 || seeds > kSeeds) {
    reject(text, std::string(kFieldNames[index]) + ": expected a number 0..48, found '" +
                     std::string(field) + "'");
  }
  return static_cast<std::uint8_t>(seeds);
}

Side parse_side(std::string_view text, std::string_view field) {
  if (field == "S") return Side::kSouth;
  if (field == "N") return Side::kNorth;
  reject(text, "side to move: expected S or N, found '" + std::string(field) + "'");
}

void check_total(std::string_view text, const Board& board, SeedCount seeds) {
  const int total = total_seeds(board);
  if (seeds == SeedCount::kGame && total != kSeeds) {
    reject(text, "pits and stores hold " + std::to_string(total) + " seeds, expected 48");
  }
  if (total > kSeeds) {
    reject(text, "pits and stores hold " + std::to_string(total) + " seeds, expected at most 48");
  }
}

}  // namespace

std::string to_text(const Board& board) {
  const bool south = board.to_move == Side::kSouth;
  std::string text;
  for (int pit = 0; pit < kPits; ++pit) {
    text += std::to_string(board.pits[south ? pit : (pit + kPitsPerSide) % kPits]) + "-";
  }
  text += std::to_string(south ? board.store_to_move : board.store_opponent) + "-";
  text += std::to_string(south ? board.store_opponent : board.store_to_move) + "-";
  return text + (south ? "S" : "N");
}

Board parse_board(std::string_view text, SeedCount seeds) {
  const auto fields = split(text);
  const bool short_form = seeds == SeedCount::kStudy && fields.size() == kPits;
  if (fields.size() != kNumbers + 1 && !short_form) {
    reject(text, "expected 15 fields (12 pits, 2 stores, S or N) joined by '-', found " +
                     std::to_string(fields.size()));
  }
  std::array<std::uint8_t, kNumbers> numbers = {};
  for (std::size_t i = 0; i < numbers.size() && i < fields.size(); ++i) {
    numbers[i] = parse_seeds(text, fields[i], i);
  }
  Board board;
  board.to_move = short_form ? Side::kSouth : parse_side(text, fields.back());
  const bool south = board.to_move == Side::kSouth;
  for (int pit = 0; pit < kPits; ++pit) {
    board.pits[pit] = numbers[south ? pit : (pit + kPitsPerSide) % kPits];
  }
  board.store_to_move = numbers[south ? kPits : kPits + 1];
  board.store_opponent = numbers[south ? kPits + 1 : kPits];
  check_total(text, board, seeds);
  return board;
}

char move_letter(Side side, Move move) {
  return static_cast<char>((side == Side::kSouth ? 'A' : 'a') + move);
}

Move parse_move(char letter, Side side, int ply) {
  const char first = side == Side::kSouth ? 'A' : 'a';
  if (letter < first || letter >= first + kMoves) {
    throw InputError(ErrorKind::kPosition, "ply " + std::to_string(ply) + ": expected one of " +
                                               moves_text(side, (1 << kMoves) - 1) + ", found '" +
                                               letter + "'");
  }
  return static_cast<Move>(letter - first);
}

std::string moves_text(Side side, LegalMask moves) {
  std::string text;
  for (Move move = 0; move < kMoves; ++move) {
    if ((moves >> move & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    text += move_letter(side, move);
  }
  return text;
}

}  // namespace awale::env
