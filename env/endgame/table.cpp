#include "env/endgame/table.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "env/endgame/table_file.hpp"
#include "env/error.hpp"

namespace awale::env {

bool same_endgame(const RuleSet& left, const RuleSet& right) {
  return left.grand_slam == right.grand_slam && left.capture_counts == right.capture_counts &&
         left.must_feed == right.must_feed && cycle_score(left) == cycle_score(right);
}

EndgameTable EndgameTable::open(const std::filesystem::path& path) {
  const MappedFile file = map_file(path);
  const EndgameHeader header = parse_header({file.bytes.get(), file.size}, path);
  const std::uint64_t expected = header.layer_offset(header.seeds + 1);
  const auto reject = [&path](const std::string& problem) {
    throw InputError(ErrorKind::kFile, "endgame table '" + path.string() + "': " + problem);
  };
  if (file.size != expected) {
    reject("expected " + std::to_string(expected) + " bytes, found " + std::to_string(file.size));
  }
  if (const auto damaged = find_damaged_layer(header, file)) {
    reject("the boards with " + std::to_string(*damaged) +
           " seeds are damaged (their checksum differs)");
  }
  EndgameTable table;
  table.memory_ = file.bytes;
  table.boards_ = file.bytes.get() + kEndgameHeaderBytes;
  table.rules_ = header.rules;
  table.cycles_ = header.cycles;
  table.seeds_ = header.seeds;
  table.checksum_ = env::checksum({file.bytes.get(), kEndgameHeaderBytes - sizeof(std::uint64_t)});
  return table;
}

EndgameTable EndgameTable::open(const std::filesystem::path& path, const RuleSet& rules) {
  EndgameTable table = open(path);
  if (!same_endgame(table.rules(), rules)) {
    throw InputError(ErrorKind::kMismatch,
                     "endgame table '" + path.string() + "': expected a table for the rules " +
                         describe(rules) + ", found one for " + describe(table.rules()));
  }
  return table;
}

std::optional<Guarantees> EndgameTable::guarantees(const Board& board) const {
  const Rows rows = to_rows(board);
  if (row_seeds(rows.to_move) + row_seeds(rows.opponent) > seeds_) return std::nullopt;
  return array()[board_index(rows)];
}

std::optional<FutureMargin> EndgameTable::probe(const Board& board) const {
  const Rows rows = to_rows(board);
  const int seeds = row_seeds(rows.to_move) + row_seeds(rows.opponent);
  if (seeds > seeds_) return std::nullopt;
  return future_margin(cycles_, array()[board_index(rows)], seeds);
}

std::string describe(const EndgameTable& table) {
  char checksum[17];
  std::snprintf(checksum, sizeof(checksum), "%016" PRIx64, table.checksum());
  std::string text = table.rules().name;
  text.append(", up to ").append(std::to_string(table.seeds()));
  text.append(" seeds, checksum ").append(checksum);
  return text;
}

}  // namespace awale::env
