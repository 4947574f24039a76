// Plies, games and perft recorded from OpenSpiel's oware, replayed under the preset `openspiel` by
// the naive rules and by env.
#include <algorithm>
#include <fstream>

#include "env/notation.hpp"
#include "env/reference_check.hpp"
#include "tests/env/snapshot.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

constexpr std::uint64_t kMostPerftLeaves = 400000;

// Calls `use` for each line; returns how many there are.
int for_each_line(const std::string& name, const std::function<void(std::string_view)>& use) {
  const std::string path = std::string(AWALE_TEST_DATA) + "/" + name;
  std::ifstream file(path);
  int lines = 0;
  env::for_each_record(file, path, [&](std::string_view line, std::uint64_t number) {
    INFO(path << ":" << number << ": " << line);
    use(line);
    ++lines;
  });
  return lines;
}

template <typename Record>
void require_agreement(const env::RuleSet& rules, const Record& recorded) {
  for (const auto& [what, expected, found] : env::check(rules, recorded))
    FAIL(what << ": expected " << expected << ", found " << found);
}

}  // namespace

TEST_CASE("recorded plies have the same legal moves and results") {
  const env::RuleSet rules = env::preset("openspiel");
  const int lines = for_each_line("plies_openspiel.txt", [&](std::string_view line) {
    const env::RecordedPly recorded = env::parse_ply(line);
    require_agreement(rules, recorded);
    naive::Game game(rules, to_text(recorded.board));
    const env::Side side = recorded.board.to_move;
    REQUIRE(game.legal() == letters(side, recorded.legal));
    game.play(env::move_letter(side, recorded.move));
    REQUIRE(game.text() == to_text(recorded.next));
  });
  CHECK(lines == 12000);
}

TEST_CASE("recorded games end at the same ply, for the same reason, with the same score") {
  const env::RuleSet rules = env::preset("openspiel");
  const int lines = for_each_line("games_openspiel.txt", [&](std::string_view line) {
    const env::RecordedGame recorded = env::parse_game(line);
    require_agreement(rules, recorded);
    naive::Game naive_game(rules, to_text(env::initial_board()));
    for (const char letter : recorded.moves)
      naive_game.play(letter);
    REQUIRE(snapshot(naive_game) ==
            snapshot(env::replay(rules, env::initial_board(), recorded.moves)));
  });
  CHECK(lines == 900);
}

TEST_CASE("recorded perft counts are the same") {
  const env::RuleSet rules = env::preset("openspiel");
  const int lines = for_each_line("perft_openspiel.txt", [&](std::string_view line) {
    env::RecordedPerft recorded = env::parse_perft(line);
    auto& counts = recorded.counts;
    const auto too_slow = [](const env::PerftCount& count) {
      return count.leaves > kMostPerftLeaves;
    };
    counts.erase(std::find_if(counts.begin(), counts.end(), too_slow), counts.end());
    require_agreement(rules, recorded);
  });
  CHECK(lines == 22);
}

}  // namespace awale::test
