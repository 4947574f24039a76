// Sessions of random words and bytes: every "go" has its "bestmove", every answer is one line of
// the protocol, and nothing crashes or hangs. Run under a sanitizer, in their hundred thousands:
//   build/asan/tests/training/awale_tests_uci "[.long]"
#include <sstream>

#include "env/random.hpp"
#include "env/rules.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "training/uci/uci_engine.hpp"

namespace awale::test {
namespace {

using training::UciEngine;
using training::UciOptions;
using training::UciSearch;

constexpr int kFewSimulations = 64;

UciSearch small_search(const UciOptions& options, const mcts::StopSignal& stop) {
  UciSearch made;
  made.rules = options.rules.value_or(env::preset("abapa"));
  made.most_simulations = kFewSimulations;
  mcts::SearchConfig config;
  config.simulations = kFewSimulations;
  made.search = std::make_unique<mcts::AnytimeSearch>(
      made.rules, config, 1, [](int) { return std::make_unique<nn::HashEvaluator>(); }, stop);
  return made;
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> all = {"uci",
                                               "isready",
                                               "ucinewgame",
                                               "debug",
                                               "on",
                                               "off",
                                               "setoption",
                                               "name",
                                               "value",
                                               "Rules",
                                               "Threads",
                                               "Hash",
                                               "Checkpoint",
                                               "Table",
                                               "Ponder",
                                               "own",
                                               "awari",
                                               "abapa",
                                               "position",
                                               "startpos",
                                               "fen",
                                               "moves",
                                               "FfBe",
                                               "A",
                                               "a",
                                               "BcFf",
                                               "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
                                               "1-0-0-0-0-0-0-0-0-0-0-0-25-22-S",
                                               "0-0-0-0-0-1-0-0-0-0-0-0-23-24-S",
                                               "-1-",
                                               "go",
                                               "depth",
                                               "movetime",
                                               "nodes",
                                               "infinite",
                                               "ponder",
                                               "ponderhit",
                                               "stop",
                                               "quit",
                                               "1",
                                               "2",
                                               "-3",
                                               "0",
                                               "99999999999999999999",
                                               "<empty>",
                                               "\xff\xfe",
                                               "%s%n",
                                               "\t",
                                               ""};
  return all;
}

std::string random_line(env::RandomStream& random) {
  std::string line;
  if (random.below(4) == 0) {
    for (std::uint32_t bytes = random.below(40); bytes > 0; --bytes)
      line += static_cast<char>(random.below(256));
    return line;
  }
  // Mostly sensible beginnings, or little would be reached.
  static const std::vector<std::string> begins = {"position startpos moves",
                                                  "position fen",
                                                  "go depth",
                                                  "go nodes",
                                                  "go movetime",
                                                  "go ponder",
                                                  "go infinite",
                                                  "go",
                                                  "setoption name",
                                                  "stop",
                                                  "ponderhit",
                                                  "position startpos"};
  if (random.below(2) == 0) line = begins[random.below(static_cast<std::uint32_t>(begins.size()))];
  for (std::uint32_t count = random.below(5); count > 0; --count)
    line += " " + words()[random.below(static_cast<std::uint32_t>(words().size()))];
  return line;
}

// The lines of text that a stream of these bytes holds, as the engine reads them.
int count_starting_with(const std::string& text, const std::string& start) {
  std::istringstream stream(text);
  int count = 0;
  for (std::string line; std::getline(stream, line);)
    count += line.rfind(start, 0) == 0 ? 1 : 0;
  return count;
}

int count_gos(const std::string& text) {
  std::istringstream stream(text);
  int count = 0;
  for (std::string line; std::getline(stream, line);) {
    const auto words = training::uci_words(line);
    if (words.empty()) continue;
    if (words.front() == "quit") break;
    count += words.front() == "go" ? 1 : 0;
  }
  return count;
}

void check_session(std::uint64_t number) {
  env::RandomStream random(77, env::RandomPurpose::kTest, number, 0);
  std::string typed;
  for (std::uint32_t lines = random.below(12); lines > 0; --lines)
    typed += random_line(random) + "\n";
  INFO("session " << number << ":\n" << typed);
  std::istringstream input(typed);
  std::ostringstream output;
  UciEngine(UciOptions{}, small_search, output).run(input);
  const std::string answered = output.str();
  const int refused =
      count_starting_with(answered, "info string error: go: stop the search in progress first");
  REQUIRE(count_starting_with(answered, "bestmove ") == count_gos(typed) - refused);
  int known = 0;
  for (const char* start : {"id ", "option ", "uciok", "readyok", "info ", "bestmove "})
    known += count_starting_with(answered, start);
  REQUIRE(known == count_starting_with(answered, ""));
}

TEST_CASE("sessions of random words and bytes answer every go, once") {
  for (std::uint64_t number = 0; number < 2000; ++number)
    check_session(number);
}

TEST_CASE("a hundred thousand random sessions", "[.long]") {
  for (std::uint64_t number = 2000; number < 102'000; ++number)
    check_session(number);
}

}  // namespace
}  // namespace awale::test
