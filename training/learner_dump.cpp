#include "training/learner_dump.hpp"

#include <string>

#include "nn/hdf5_rules.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

// Writes datasets below `rows`, each a field of all rows.
class RowWriter {
 public:
  RowWriter(nn::Hdf5Writer& file, std::span<const TrainingRow* const> rows)
      : file_(file), rows_(rows) {}

  // value(row) -> T
  template <typename T, typename Value>
  void number(const std::string& name, const std::string& description, const Value& value) {
    write<T>(name, description, 0,
             [&](const TrainingRow& row, std::vector<T>& to) { to.push_back(value(row)); });
  }

  // values(row) -> an array of `columns` of T
  template <typename T, typename Values>
  void numbers(const std::string& name, const std::string& description, std::size_t columns,
               const Values& values) {
    write<T>(name, description, columns, [&](const TrainingRow& row, std::vector<T>& to) {
      const auto& all = values(row);
      to.insert(to.end(), all.begin(), all.end());
    });
  }

 private:
  template <typename T, typename Append>
  void write(const std::string& name, const std::string& description, std::size_t columns,
             const Append& append) {
    std::vector<T> values;
    for (const TrainingRow* row : rows_)
      append(*row, values);
    std::vector<std::size_t> shape = {rows_.size()};
    if (columns > 0) shape.push_back(columns);
    const std::string path = "rows/" + name;
    file_.dataset<T>(path, values, shape);
    file_.attribute(path, "description", description);
  }

  nn::Hdf5Writer& file_;
  std::span<const TrainingRow* const> rows_;
};

std::array<std::uint8_t, env::kPits + 2> board_of(const TrainingRow& row) {
  std::array<std::uint8_t, env::kPits + 2> board = {};
  std::copy(row.position.board.pits.begin(), row.position.board.pits.end(), board.begin());
  board[env::kPits] = row.position.board.store_to_move;
  board[env::kPits + 1] = row.position.board.store_opponent;
  return board;
}

void write_positions(RowWriter& rows) {
  rows.numbers<std::uint8_t>(
      "board",
      "seeds: the mover's pits 0..5 in sowing direction, the opponent's 6 pits, the mover's store, "
      "the opponent's store",
      env::kPits + 2, board_of);
  rows.number<std::uint8_t>("to_move", "the mover: 0 South, 1 North", [](const TrainingRow& row) {
    return static_cast<std::uint8_t>(row.position.board.to_move);
  });
  rows.number<std::uint16_t>("ply", "moves played in the game before",
                             [](const TrainingRow& row) { return row.position.ply; });
  rows.number<std::uint16_t>("quiet_plies", "moves played since the last capture",
                             [](const TrainingRow& row) { return row.position.quiet_plies; });
  rows.number<std::uint8_t>("repetitions", "earlier occurrences since the last capture",
                            [](const TrainingRow& row) { return row.position.repetitions; });
  rows.number<std::uint8_t>("legal", "bit i: the mover's pit i may be played",
                            [](const TrainingRow& row) { return row.legal; });
  rows.number<std::uint8_t>("rules", "the row's rules: their number below `rules`",
                            [](const TrainingRow& row) { return row.rules; });
}

void write_targets(RowWriter& rows) {
  rows.numbers<float>("policy", "target of each of the mover's pits, all 0: none", env::kMoves,
                      [](const TrainingRow& row) { return row.policy; });
  rows.numbers<float>("win_draw_loss", "target, of the mover", 3,
                      [](const TrainingRow& row) { return row.win_draw_loss; });
  rows.number<float>("margin_seeds", "target, the mover's final seeds minus the opponent's",
                     [](const TrainingRow& row) { return row.margin_seeds; });
  rows.number<std::int8_t>("final_margin_seeds", "of the game as it ended, likewise",
                           [](const TrainingRow& row) { return row.final_margin_seeds; });
  rows.number<std::uint16_t>("plies_left", "to the game's end, this one included; 0: unknown",
                             [](const TrainingRow& row) { return row.plies_left; });
}

}  // namespace

void write_batch(const std::filesystem::path& path, const std::vector<env::RuleSet>& rules,
                 std::span<const TrainingRow* const> batch) {
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string("batch"));
  nn::store_rule_sets(file, rules);
  RowWriter rows(file, batch);
  write_positions(rows);
  write_targets(rows);
  file.write(path);
}

}  // namespace awale::training
