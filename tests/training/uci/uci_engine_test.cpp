// Sessions of the engine protocol with a real search; the network is a hash.
#include "training/uci/uci_engine.hpp"

#include <algorithm>
#include <memory>

#include "env/notation.hpp"
#include "env/rules.hpp"
#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/uci/scripted_session.hpp"

namespace awale::test {
namespace {

using training::UciEngine;
using training::UciOptions;
using training::UciSearch;
using Lines = std::vector<std::string>;

constexpr int kMostSimulations = 4096;

mcts::SearchConfig config_of_tests() {
  mcts::SearchConfig config;
  config.simulations = kMostSimulations;
  return config;
}

UciSearch make_search(const UciOptions& options, const mcts::StopSignal& stop) {
  if (options.checkpoint != "net") {
    throw InputError(ErrorKind::kFile, "cannot read '" + options.checkpoint + "'");
  }
  UciSearch made;
  made.rules = options.rules.value_or(env::preset("abapa"));
  made.most_simulations = kMostSimulations;
  made.search = std::make_unique<mcts::AnytimeSearch>(
      made.rules, config_of_tests(), options.threads,
      [](int) { return std::make_unique<nn::HashEvaluator>(); }, stop);
  return made;
}

UciOptions options_of_tests() {
  UciOptions options;
  options.checkpoint = "net";
  return options;
}

Lines answers(const Lines& script) {
  Transcript transcript;
  Script typed(script, transcript);
  std::istream input(&typed);
  std::ostream output(&transcript);
  UciEngine(options_of_tests(), make_search, output).run(input);
  return transcript.lines();
}

Lines starting_with(const Lines& lines, const std::string& start) {
  Lines found;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
               [&](const std::string& line) { return line.rfind(start, 0) == 0; });
  return found;
}

// The last of them, "" if there is none.
std::string last(const Lines& lines, const std::string& start) {
  const auto found = starting_with(lines, start);
  return found.empty() ? "" : found.back();
}

// What the engine must answer to "go nodes `simulations`".
std::string searched_line(const std::string& moves, int simulations,
                          const std::string& rules = "abapa") {
  const env::Game game = env::replay(env::preset(rules), env::initial_board(), moves);
  nn::HashEvaluator evaluator;
  auto config = config_of_tests();
  config.simulations = simulations;
  mcts::BatchedSearch search(game.rules(), config, 1);
  const mcts::SearchRoot root{game.position(), game.history()};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  return env::line_text(game, search.principal_variation(0, 20));
}

TEST_CASE("the engine introduces itself and its options") {
  const auto lines = answers({"uci", "isready", "quit"});
  CHECK(contains(lines.front(), "id name Awale "));
  CHECK(contains(last(lines, "option name Rules"), "type combo default own var own var abapa "));
  CHECK(last(lines, "option name Checkpoint") == "option name Checkpoint type string default net");
  CHECK(last(lines, "option name Table") == "option name Table type string default <empty>");
  CHECK(last(lines, "option name Threads") ==
        "option name Threads type spin default 1 min 1 max 6");
  CHECK(lines[lines.size() - 2] == "uciok");
  CHECK(lines.back() == "readyok");
}

TEST_CASE("the engine answers with the move and the line that a search finds") {
  const auto lines = answers({"position startpos moves FfBe", "go nodes 100"});
  const std::string line = searched_line("FfBe", 100);
  CHECK(lines.back() == "bestmove " + line.substr(0, 1) + " ponder " + line.substr(1, 1));
  const auto info = last(lines, "info depth 6 nodes 100 ");
  CHECK(contains(info, " score cp "));
  CHECK(contains(info, " pv " + line));
  CHECK(starting_with(lines, "info depth ").size() == 7);
  CHECK(starting_with(lines, "bestmove").size() == 1);
}

TEST_CASE("depth d is 2^d simulations") {
  const auto lines = answers({"go depth 5"});
  CHECK(contains(last(lines, "info depth 5 nodes 32 "), " pv " + searched_line("", 32)));
}

TEST_CASE("a position may be a board, and its moves may stand apart") {
  const std::string start = env::to_text(env::initial_board());
  const auto expected = answers({"position startpos moves FfBe", "go depth 4"}).back();
  CHECK(answers({"position fen " + start + " moves FfBe", "go depth 4"}).back() == expected);
  CHECK(answers({"position startpos moves Ff Be", "go depth 4"}).back() == expected);
  CHECK(answers({"position moves FfBe", "go depth 4"}).back() == expected);
  const auto board = answers({"position fen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "go depth 4"}).back();
  CHECK(contains("abcdef", board.substr(9, 1)));
}

TEST_CASE("the answer to go is bestmove 0000 where the game is over") {
  const std::string over = "position fen 1-0-0-0-0-0-0-0-0-0-0-0-25-22-S";
  CHECK(answers({over, "go depth 4"}) == Lines{"bestmove 0000"});
  CHECK(answers({over, "go infinite", "stop"}) == Lines{"bestmove 0000"});
}

TEST_CASE("an infinite search answers when it is stopped, and not before") {
  const auto lines =
      answers({"go infinite", "< info depth 12 ", "isready", "< readyok", "stop", "isready"});
  const auto first_ready = std::find(lines.begin(), lines.end(), "readyok");
  CHECK(std::find_if(lines.begin(), first_ready, [](const std::string& line) {
          return line.rfind("bestmove", 0) == 0;
        }) == first_ready);
  CHECK(contains(lines[lines.size() - 2], "bestmove "));
  CHECK(lines.back() == "readyok");
}

TEST_CASE("a search is stopped by the end of the input where it would not end by itself") {
  CHECK(starting_with(answers({"go infinite"}), "bestmove ").size() == 1);
  CHECK(starting_with(answers({"go ponder"}), "bestmove ").size() == 1);
  CHECK(starting_with(answers({"go infinite", "quit"}), "bestmove ").size() == 1);
}

TEST_CASE("a search ends with its time") {
  const auto lines = answers({"go movetime 1"});
  CHECK(starting_with(lines, "bestmove ").size() == 1);
}

TEST_CASE("pondering goes on until ponderhit, then as long as was asked") {
  const auto lines = answers({"go ponder depth 3", "< info depth 3", "isready", "< readyok",
                              "ponderhit", "< bestmove", "go depth 3"});
  CHECK(starting_with(lines, "bestmove ").size() == 2);
  const auto ready = std::find(lines.begin(), lines.end(), "readyok");
  CHECK(starting_with({lines.begin(), ready}, "bestmove").empty());
  CHECK(starting_with(answers({"go ponder movetime 1", "ponderhit"}), "bestmove ").size() == 1);
}

TEST_CASE("a second go is refused while a search goes on") {
  const auto lines = answers({"go infinite", "go depth 2", "setoption name Threads value 2",
                              "< info string error: setoption", "stop", "go depth 2"});
  CHECK(contains(last(lines, "info string error: go"), "stop the search in progress first"));
  CHECK(contains(last(lines, "info string error: setoption"), "Threads: stop the search first"));
  CHECK(starting_with(lines, "bestmove ").size() == 2);
}

TEST_CASE("options change the search, and bad ones leave it as it was") {
  const auto lines =
      answers({"setoption name rules value awari", "setoption name Threads value 2",
               "setoption name Hash value 1", "setoption name Ponder value false", "go nodes 50"});
  const std::string line = searched_line("", 50, "awari");
  CHECK(contains(last(lines, "info depth"), " pv " + line));
  CHECK(starting_with(lines, "info string").empty());
  for (const std::string bad :
       {"setoption name Threads value 7", "setoption name Threads value two",
        "setoption name Threads", "setoption name Hash value -1",
        "setoption name Rules value chess", "setoption name Checkpoint value nowhere",
        "setoption name Speed value 9", "setoption", "setoption value 3"}) {
    INFO(bad);
    const auto refused = answers({bad, "go nodes 50"});
    CHECK(starting_with(refused, "info string error: ").size() == 1);
    CHECK(contains(last(refused, "info depth"), " pv " + searched_line("", 50)));
  }
}

TEST_CASE("after a position that cannot be read there is none") {
  for (const std::string bad :
       {"position startpos moves FfBeBx", "position startpos moves FF", "position fen",
        "position fen 4-4", "position fen 5-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "position middle",
        "position startpos FfBe"}) {
    INFO(bad);
    const auto lines = answers({bad, "go depth 4", "position startpos", "go depth 4"});
    CHECK(starting_with(lines, "info string error: ").size() == 2);
    CHECK(starting_with(lines, "bestmove ").front() == "bestmove 0000");
    CHECK(contains(lines.back(), "bestmove " + searched_line("", 16).substr(0, 1)));
  }
}

TEST_CASE("what is wrong in go is told, and the rest is done") {
  const auto lines = answers({"go depth four nodes 8 often movetime"});
  CHECK(starting_with(lines, "info string error: go").size() == 3);
  CHECK(contains(last(lines, "info depth"), "nodes 8 "));
  CHECK(starting_with(lines, "bestmove ").size() == 1);
}

TEST_CASE("unknown commands are told in one line, whatever they hold") {
  const auto lines =
      answers({"", "   ", "hello\tworld", std::string("\x01\x02"), std::string(100000, 'x'),
               "ponderhit", "stop", "ucinewgame", "isready"});
  CHECK(starting_with(lines, "info string error: ").size() == 4);
  CHECK(contains(lines[1], "found '\?\?'"));
  CHECK(lines[2].size() < 300);
  CHECK(lines.back() == "readyok");
}

TEST_CASE("debug tells what was received") {
  const auto lines = answers({"debug on", "isready", "debug off", "isready"});
  CHECK(lines == Lines{"info string received isready", "readyok", "info string received debug off",
                       "readyok"});
}

}  // namespace
}  // namespace awale::test
