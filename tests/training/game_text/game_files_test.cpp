#include "training/game_text/game_files.hpp"

#include <algorithm>

#include "env/final_score.hpp"
#include "env/notation.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "training/game_text/game_records.hpp"
#include "training/targets.hpp"
#include "training/trajectory_check.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;
using awale::tests::read_bytes;
using awale::tests::TempDir;
using awale::tests::write_bytes;

namespace {

Shard searched_shard(const env::RuleSet& rules = {}) {
  return {{{rules}, 7, "000003.h5", 4, "0123abc"}, tests::random_games(rules, 20)};
}

void write(const std::filesystem::path& path, const Shard& shard) {
  write_shard(path, shard.provenance, shard.games);
}

PlayedGame unfinished_game() {
  return parse_games("FfBe", "text", GameFormat::kMoveStrings, std::nullopt).games.front();
}

}  // namespace

TEST_CASE("the extension tells the format") {
  CHECK(format_of("a/b.txt") == GameFormat::kMoveStrings);
  CHECK(format_of("b.ogn") == GameFormat::kOgn);
  CHECK(format_of("b.h5") == GameFormat::kHdf5);
  CHECK_FALSE(format_of("b"));
  CHECK_FALSE(format_of("ogn"));
}

TEST_CASE("shard, OGN, shard, move strings: the same games") {
  const TempDir dir;
  for (const char* name : {"abapa", "awari", "codingame"}) {
    const auto rules = env::preset(name);
    write(dir / "one.h5", searched_shard(rules));
    const auto games = read_games(dir / "one.h5", GameFormat::kHdf5, rules).games;
    write_games(dir / "one.ogn", games, GameFormat::kOgn);
    write_games(dir / "two.h5", read_games(dir / "one.ogn", GameFormat::kOgn, {}).games,
                GameFormat::kHdf5);
    const auto again = read_games(dir / "two.h5", GameFormat::kHdf5, {}).games;
    write_games(dir / "one.txt", games, GameFormat::kMoveStrings);
    write_games(dir / "two.txt", again, GameFormat::kMoveStrings);
    CHECK(read_bytes(dir / "one.txt") == read_bytes(dir / "two.txt"));
    REQUIRE(again.size() == games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
      CHECK(again[i].outcome.margin_south_seeds == games[i].outcome.margin_south_seeds);
      CHECK(again[i].rules.name == name);
    }
  }
}

TEST_CASE("a game that a table ended becomes one whose result the players agreed on") {
  const TempDir dir;
  const auto rules = env::preset("auale");
  Shard shard = searched_shard(rules);
  shard.games.resize(1);
  GameRecord& record = shard.games[0];
  while (record.plies.back().position.quiet_plies > 0)
    record.plies.pop_back();
  const env::Board board = record.plies.back().position.board;
  record.plies.pop_back();  // what is left ends right after a capture
  const int lead = board.store_to_move - board.store_opponent;
  record.outcome = {env::EndReason::kNone, board.to_move == env::Side::kSouth ? lead : -lead};
  record.adjudicated = true;
  write(dir / "one.h5", shard);
  const auto games = read_games(dir / "one.h5", GameFormat::kHdf5, {}).games;
  REQUIRE(games.size() == 1);
  CHECK(!finished(games[0]));
  write_games(dir / "one.ogn", games, GameFormat::kOgn);
  const auto again = read_games(dir / "one.ogn", GameFormat::kOgn, {}).games;
  CHECK(again.at(0).moves == games[0].moves);
  const std::string result = env::half_seeds_text(48 + record.outcome.margin_south_seeds) + "-" +
                             env::half_seeds_text(48 - record.outcome.margin_south_seeds);
  const auto& tags = again[0].tags;
  CHECK(std::find(tags.begin(), tags.end(), Tag{"Result", result}) != tags.end());
}

TEST_CASE("a shard made from text holds games but nothing to learn a policy from") {
  const TempDir dir;
  write(dir / "one.h5", searched_shard());
  const auto games = read_games(dir / "one.h5", GameFormat::kHdf5, {}).games;
  write_games(dir / "two.h5", games, GameFormat::kHdf5);
  const Shard shard = read_shard(dir / "two.h5");
  CHECK(shard.provenance.checkpoint.empty());
  REQUIRE(shard.games.size() == 20);
  CHECK(count_rows(shard.games) == 0);
  for (const auto& record : shard.games) {
    CHECK_FALSE(find_inconsistency({}, record));
    CHECK(training_rows(record, {}).empty());
  }
}

TEST_CASE("games of a network name it and their place in its run") {
  const auto shard = searched_shard();
  const auto game = to_played_game(shard.games[3], shard.provenance);
  CHECK(game.tags == std::vector<Tag>{{"Event", "awale self-play, seed 7"},
                                      {"Round", "3"},
                                      {"South", "awale 000003.h5"},
                                      {"North", "awale 000003.h5"}});
}

TEST_CASE("games of different rules are refused where their rules would be lost") {
  const TempDir dir;
  const auto games =
      read_games(AWALE_SOURCE_DIR "/tests/golden/games.ogn", GameFormat::kOgn, {}).games;
  const auto write = [&] { write_games(dir / "a.txt", games, GameFormat::kMoveStrings); };
  const auto refusal = error_of(ErrorKind::kMismatch, write);
  CHECK(contains(refusal, "a.txt': game 2 has the rules awari"));
  CHECK(contains(refusal, "a file of move strings holds games of one rule set"));
  CHECK(std::filesystem::is_empty(dir.path()));
}

TEST_CASE("a byte order mark before the text is stepped over") {
  const std::string mark = "\xEF\xBB\xBF";
  const auto moves_of = [](const std::string& text, GameFormat format) {
    return parse_games(text, "text", format, std::nullopt).games.at(0).moves;
  };
  CHECK(moves_of(mark + "FfBe\r\n", GameFormat::kMoveStrings) == "FfBe");
  CHECK(moves_of(mark + "1. F f *", GameFormat::kOgn) == "Ff");
}

TEST_CASE("a shard holds games of different rules") {
  const TempDir dir;
  auto games = read_games(AWALE_SOURCE_DIR "/tests/golden/games.ogn", GameFormat::kOgn, {}).games;
  std::erase_if(games, [](const PlayedGame& game) { return !finished(game); });
  write_games(dir / "a.h5", games, GameFormat::kHdf5);
  const auto again = read_games(dir / "a.h5", GameFormat::kHdf5, {}).games;
  REQUIRE(again.size() == games.size());
  REQUIRE(read_shard(dir / "a.h5").provenance.rules.size() > 1);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(again[i].rules.same_game(games[i].rules));
    CHECK(again[i].moves == games[i].moves);
  }
  CHECK(contains(error_of(ErrorKind::kMismatch,
                          [&] { read_games(dir / "a.h5", GameFormat::kHdf5, games[0].rules); }),
                 "a.h5': played by the rules awari"));
}

TEST_CASE("what does not fit into a shard is refused, and nothing is written") {
  const TempDir dir;
  auto games = read_games(AWALE_SOURCE_DIR "/tests/golden/games.ogn", GameFormat::kOgn, {}).games;
  games = {games[0], unfinished_game()};
  CHECK(contains(
      error_of(ErrorKind::kMismatch, [&] { write_games(dir / "a.h5", games, GameFormat::kHdf5); }),
      "a.h5': game 2 has not ended by the rules abapa"));
  CHECK(std::filesystem::is_empty(dir.path()));
}

TEST_CASE("a shard's rules must be those that are asked for") {
  const TempDir dir;
  write(dir / "one.h5", searched_shard(env::preset("awari")));
  CHECK(contains(
      error_of(ErrorKind::kMismatch,
               [&] { read_games(dir / "one.h5", GameFormat::kHdf5, env::preset("abapa")); }),
      "one.h5': played by the rules awari"));
}

TEST_CASE("what is stepped over in OGN is said") {
  const auto read = parse_games("{c} F (A) f! {d} 27-21", "text", GameFormat::kOgn, std::nullopt);
  CHECK(read.notes == std::vector<std::string>{"text: skipped 2 comments",
                                               "text: skipped 1 variation",
                                               "text: skipped 1 annotation"});
  const auto other = parse_games("[FEN \"0-0-0-0-0-6-1-1-5-1-2-1-20-11-S\"] F 27-11", "text",
                                 GameFormat::kOgn, std::nullopt);
  REQUIRE(other.notes.size() == 1);
  CHECK(contains(other.notes[0], "other seeds than by the rules in 1 game, "));
}

TEST_CASE("files that are no text are refused by name") {
  const TempDir dir;
  write_bytes(dir / "games.ogn", "\x89HDF\r\n\x1A\n\xFF");
  CHECK(contains(
      error_of(ErrorKind::kFile, [&] { read_games(dir / "games.ogn", GameFormat::kOgn, {}); }),
      "games.ogn': expected text in UTF-8"));
  CHECK(contains(error_of(ErrorKind::kFile,
                          [&] { read_games(dir / "missing.txt", GameFormat::kMoveStrings, {}); }),
                 "missing.txt"));
}
