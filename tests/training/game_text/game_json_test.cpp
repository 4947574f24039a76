// A page that knows no rules must come to the same boards: plies are replayed here seed by seed.
#include "training/game_text/game_json.hpp"

#include <algorithm>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::test {
namespace {

using Json = nlohmann::ordered_json;
using training::game_json;

// The letters of a game of random moves.
std::string random_moves(const env::RuleSet& rules, std::uint64_t id, int most_plies) {
  env::RandomStream stream(7, env::RandomPurpose::kTest, id, 0);
  std::string moves;
  env::Game game(rules);
  for (int ply = 0; ply < most_plies && !game.over(); ++ply) {
    const env::Move move = env::random_move(game.legal(), stream);
    moves += env::move_letter(game.board().to_move, move);
    game.play(move);
  }
  return moves;
}

// What a page makes of a ply: the seeds of a hole go one by one where the path says, captures to
// the store of the mover.
Json shown_after(Json board, const Json& ply) {
  const std::string mover = board["to_move"];
  const int seeds = board["pits"][ply["hole"].get<int>()];
  CHECK(ply["path"].size() == static_cast<std::size_t>(seeds));
  board["pits"][ply["hole"].get<int>()] = 0;
  for (const int hole : ply["path"])
    board["pits"][hole] = board["pits"][hole].get<int>() + 1;
  for (const Json& capture : ply["captures"]) {
    const int hole = capture["hole"];
    board["pits"][hole] = board["pits"][hole].get<int>() - capture["seeds"].get<int>();
    board["stores"][mover] = board["stores"][mover].get<int>() + capture["seeds"].get<int>();
  }
  board["to_move"] = mover == "South" ? "North" : "South";
  board.erase("position");
  return board;
}

Json without_position(Json board) {
  board.erase("position");
  return board;
}

TEST_CASE("a page that follows the plies of a game comes to its boards, under every preset") {
  for (const auto& name : env::preset_names()) {
    const env::RuleSet rules = env::preset(name);
    for (std::uint64_t id = 0; id < 20; ++id) {
      const std::string moves = random_moves(rules, id, 400);
      INFO(name << " " << moves);
      const Json json = game_json(rules, env::initial_board(), moves);
      REQUIRE(json["plies"].size() == moves.size());
      Json board = json["start"];
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const Json& ply = json["plies"][i];
        REQUIRE(ply["move"] == std::string(1, moves[i]));
        const Json after = shown_after(board, ply);
        REQUIRE(after == without_position(ply["after"]));
        board = ply["after"];
      }
      CHECK(board == json["board"]);
      CHECK(json["board"]["position"] ==
            env::to_text(env::replay(rules, env::initial_board(), moves).board()));
    }
  }
}

TEST_CASE("legal moves and those that are not, with the reason, are all pits of the mover") {
  const env::RuleSet rules = env::preset("abapa");
  for (std::uint64_t id = 0; id < 50; ++id) {
    const Json found = game_json(rules, env::initial_board(), random_moves(rules, id, 60));
    if (!found["over"].is_null()) continue;
    std::string letters;
    for (const char* list : {"legal", "illegal"}) {
      for (const Json& entry : found[list])
        letters += entry["move"].get<std::string>();
    }
    std::sort(letters.begin(), letters.end());
    const bool south = found["board"]["to_move"] == "South";
    CHECK(letters == (south ? "ABCDEF" : "abcdef"));
    for (const Json& ply : found["legal"])
      CHECK(shown_after(found["board"], ply) == without_position(ply["after"]));
  }
}

TEST_CASE("the end of a game is told: why, who, with how many seeds") {
  for (const auto& name : env::preset_names()) {
    const env::RuleSet rules = env::preset(name);
    const std::string moves = random_moves(rules, 3, 5000);
    const Json found = game_json(rules, env::initial_board(), moves);
    const env::Outcome outcome = env::replay(rules, env::initial_board(), moves).outcome();
    const Json& over = found["over"];
    CHECK(found["legal"].empty());
    CHECK(found["illegal"].empty());
    CHECK(over["reason"] == env::to_string(outcome.reason));
    const double south = over["final"]["South"];
    const double north = over["final"]["North"];
    CHECK(south - north == outcome.margin_south_seeds);
    CHECK(over["winner"] == (south > north   ? Json("South")
                             : south < north ? Json("North")
                                             : Json()));
  }
  CHECK(game_json({}, env::initial_board(), "Ff")["over"].is_null());
}

TEST_CASE("thirteen seeds pass their origin, captures are told backwards, a grand slam is void") {
  const auto ply = [](const char* position, env::Move move) {
    return training::ply_json({}, env::parse_board(position), move);
  };
  const Json round = ply("0-0-0-0-0-13-0-0-0-0-0-2-16-17-S", 5);
  CHECK(round["path"] == Json({6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 6, 7}));
  const Json captures = ply("0-0-0-0-0-3-1-2-1-5-0-0-18-18-S", 5);
  CHECK(captures["captures"] == Json::array({{{"hole", 8}, {"seeds", 2}},
                                             {{"hole", 7}, {"seeds", 3}},
                                             {{"hole", 6}, {"seeds", 2}}}));
  CHECK(captures["after"]["stores"]["South"] == 25);
  const Json slam = ply("5-0-0-0-0-2-1-1-0-0-0-0-20-19-S", 5);
  CHECK(slam["void_capture"] == true);
  CHECK(slam["captures"].empty());
  // North's holes are 6..11.
  CHECK(ply("4-4-4-4-4-4-4-4-4-4-4-4-0-0-N", 5)["path"] == Json({0, 1, 2, 3}));
}

TEST_CASE("a move that is none is an error that names its ply") {
  CHECK(
      contains(error_of(ErrorKind::kPosition, [] { game_json({}, env::initial_board(), "FfFx"); }),
               "ply 3"));
}

}  // namespace
}  // namespace awale::test
