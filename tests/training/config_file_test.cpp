#include "training/cli/config_file.hpp"

#include <fstream>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "training/cli/options.hpp"

namespace env = awale::env;
using awale::ErrorKind;
using awale::InputError;
using awale::test::contains;
using awale::test::error_of;

namespace {

// A command with the settings that these tests need, as a subcommand has them.
struct Command {
  Command() {
    awale::training::add_config_file(app);
    awale::training::add_seed(app, seed);
    awale::training::add_rules(app, rules);
    awale::training::add_simulations(app, search);
    awale::training::add_player_search(app, search);
    awale::training::add_noise(app, search);
    awale::training::add_field(app, "--names", names, "not a config key");
    awale::training::add_field(app, "--lists.names", list, "several")->expected(1, 9);
    awale::training::add_field(app, "--lists.file", file_name, "");
  }

  void parse(const std::string& arguments) { app.parse(arguments); }

  // Parses `--config FILE` with a file of this content, and `arguments`.
  void parse_file(const std::string& content, const std::string& arguments = "") {
    const auto file = directory / "c.toml";
    std::ofstream(file) << content;
    parse("--config " + file.string() + " " + arguments);
  }

  std::string usage_error(const std::string& content) {
    return error_of(ErrorKind::kUsage, [&] { parse_file(content); });
  }

  awale::tests::TempDir directory;
  CLI::App app;
  std::uint64_t seed = 1;
  env::RuleSet rules;
  awale::mcts::SearchConfig search;
  std::string names = "none";
  std::vector<std::string> list = {"random", "minimax:4"};
  std::string file_name;
};

// The message for a file with this content, which says where the file is wrong, on one line.
std::string refusal(const std::string& content) {
  Command command;
  const auto error = command.usage_error(content);
  CHECK(contains(error, "c.toml: line "));
  CHECK_FALSE(contains(error, "\n"));
  return error;
}

// The config that a command with these lists writes, as it reads it back.
std::vector<std::string> read_back(std::vector<std::string> list) {
  CLI::App app;
  awale::training::add_field(app, "--lists.names", list, "")->expected(1, 9);
  awale::training::add_field(app, "--lists.file", list.front(), "");
  Command command;
  command.parse_file(awale::training::defaults_as_toml(app));
  CHECK(command.file_name == list.front());
  return command.list;
}

}  // namespace

TEST_CASE("A config file sets the options of its sections") {
  Command command;
  command.parse_file(
      "# a comment\n"
      "[run]\n"
      "seed = 18446744073709551615\n"
      "\n"
      "[search]\n"
      "simulations = 128   # a comment behind a value\n"
      "c_puct = 1.25\n"
      "[lists]\n"
      "names = [\"a:1\", \"b c\"]\n");
  CHECK(command.seed == 18446744073709551615ULL);
  CHECK(command.search.simulations == 128);
  CHECK(command.search.c_puct == 1.25F);
  CHECK(command.search.fpu_reduction == awale::mcts::SearchConfig{}.fpu_reduction);
  CHECK(command.list == std::vector<std::string>{"a:1", "b c"});
}

TEST_CASE("A list may go on over several lines") {
  Command command;
  command.parse_file("[lists]\nnames = [\"a\",\n  \"b\"]\n[search]\nsimulations = 9\n");
  CHECK(command.list == std::vector<std::string>{"a", "b"});
  CHECK(command.search.simulations == 9);
}

TEST_CASE("The command line wins over the file, the file over defaults") {
  Command command;
  command.parse_file("[search]\nsimulations = 128\nc_puct = 2\n", "--simulations 7");
  CHECK(command.search.simulations == 7);
  CHECK(command.search.c_puct == 2.0F);
}

TEST_CASE("A config file is refused by name") {
  SECTION("a misspelt key in a section") {
    const auto error = refusal("[search]\nsimulation = 5\n");
    CHECK(contains(error, "unknown key 'search.simulation'; did you mean 'search.simulations'?"));
  }
  SECTION("a key of another section") {
    CHECK(contains(refusal("[run]\nc_puct = 1\n"), "unknown key 'run.c_puct'"));
  }
  SECTION("an unknown section, empty or not") {
    CHECK(contains(refusal("[serach]\nsimulations = 5\n"), "unknown section [serach]"));
    CHECK(contains(refusal("[learner]\n"), "unknown section [learner]"));
  }
  SECTION("a key outside all sections, also if an option has that name") {
    CHECK(contains(refusal("simulations = 5\n"), "unknown key 'simulations'"));
    CHECK(contains(refusal("names = \"x\"\n"), "unknown key 'names'"));
  }
  SECTION("values of the wrong type") {
    CHECK(contains(refusal("[search]\nsimulations = \"many\"\n"), "search.simulations: "));
    CHECK(contains(refusal("[search]\nsimulations = 1.5\n"), "search.simulations: "));
    CHECK(contains(refusal("[search]\nsimulations = [1, 2]\n"), "search.simulations: "));
    CHECK(contains(refusal("[search]\nsimulations = true\n"), "search.simulations: "));
    CHECK(contains(refusal("[search]\nc_puct = nan\n"), "search.c_puct: "));
    CHECK(contains(refusal("[search]\nsimulations = 16.0\n"), "found '16.0'"));
    CHECK(contains(refusal("[search]\nsimulations =\n"), "simulations ="));
    CHECK(contains(refusal("[search]\nsimulations = \"\"\n"),
                   "search.simulations: expected a value"));
  }
  SECTION("lines that are neither section nor key") {
    CHECK(contains(refusal("[search]\nsimulations\n"), "line 2: "));
    CHECK(contains(refusal("[search]\nx\n"), "line 2: "));
  }
  SECTION("a key or a section given twice, one line after the other or not") {
    const auto error = refusal("[search]\nsimulations = 1\nc_puct = 1\nsimulations = 2\n");
    CHECK(contains(error, "line 4: "));
    CHECK(contains(error, "simulations = 2"));
    CHECK(contains(refusal("[search]\n[run]\n[search]\n"), "line 3: "));
    CHECK(contains(refusal("search.simulations = 1\n[search]\nsimulations = 2\n"), "line 2: "));
  }
  SECTION("unknown rules") {
    CHECK(contains(refusal("[rules]\npreset = \"abapo\"\n"), "no preset 'abapo'"));
    CHECK(contains(refusal("[rules]\ngrand_slam = \"maybe\"\n"), "rules.grand_slam: expected one"));
  }
}

TEST_CASE("A config file that cannot be read is a file error") {
  Command command;
  CHECK(contains(error_of(ErrorKind::kFile, [&] { command.parse("--config no/such.toml"); }),
                 "no/such.toml"));
  CHECK(contains(error_of(ErrorKind::kFile,
                          [&] { command.parse("--config " + command.directory.path().string()); }),
                 command.directory.path().string()));
}

TEST_CASE("Rules are a preset with changes, whatever the order") {
  for (const char* arguments :
       {"--rules awari --rules.ply_limit 300", "--rules.ply_limit 300 --rules awari"}) {
    Command command;
    command.parse(arguments);
    env::RuleSet expected = env::preset("awari");
    expected.ply_limit = 300;
    CHECK(command.rules.same_game(expected));
    CHECK(command.rules.name == "custom");
    CHECK(awale::training::rules_given(command.app));
  }
  SECTION("from file and command line together") {
    Command command;
    command.parse_file("[rules]\nply_limit = 300\ncapture_counts = \"1,2\"\n", "--rules auale");
    CHECK(command.rules.ply_limit == 300);
    CHECK(command.rules.capture_counts == env::CaptureCounts::kOneTwo);
    CHECK(command.rules.target_seeds == 0);
  }
  SECTION("a preset replaces that of a file, with what the file says of single rules") {
    Command command;
    command.parse_file("[rules]\npreset = \"auale\"\nply_limit = 300\n", "--rules awari");
    CHECK(command.rules.name == "awari");
    CHECK(command.rules.same_game(env::preset("awari")));
  }
  SECTION("a preset alone keeps its name") {
    Command command;
    command.parse("--rules codingame");
    CHECK(command.rules.name == "codingame");
    CHECK(command.rules.same_game(env::preset("codingame")));
  }
  SECTION("nothing said") {
    Command command;
    command.parse("--seed 4");
    CHECK(command.rules.name == "abapa");
    CHECK_FALSE(awale::training::rules_given(command.app));
  }
}

TEST_CASE("An array that does not end is refused where it stops") {
  CHECK(contains(refusal("[lists]\nnames = [\"ab\"\n[search]\nsimulations = 9\n"), "line 3: "));
  CHECK(contains(refusal("[lists]\nnames = [\"a\", \"b\""), "line 2: "));
}

TEST_CASE("A header that does not end names its line") {
  CHECK(contains(refusal("[run]\nseed = 1\n[search\nsimulations = 9\n"), "line 3: "));
}

TEST_CASE("Arrays and tables are refused where a single value is expected") {
  CHECK(contains(refusal("[run]\nseed = [2]\n"),
                 "line 2: run.seed: expected a single value, found an array"));
  CHECK(contains(refusal("[[run]]\nseed = 2\n"),
                 "line 1: run: expected one table or value, found an array of tables"));
  CHECK(contains(refusal("[run]\nseed = {a = 2}\n"), "run.seed: expected a value, found a table"));
  CHECK(contains(refusal("[run.seed]\na = 2\n"), "run.seed: expected a value, found a table"));
}

TEST_CASE("Dates and arrays of arrays are refused by key") {
  CHECK(contains(refusal("[run]\nseed = 2020-01-01\n"), "run.seed: expected a number"));
  CHECK(contains(refusal("[lists]\nnames = [\"a\",\n 12:00:00]\n"), "line 3: lists.names: "));
  CHECK(contains(refusal("[lists]\nnames = [[\"a\"]]\n"), "lists.names: expected"));
}

TEST_CASE("A list needs a value, and one value may stand without brackets") {
  CHECK(contains(refusal("[lists]\nnames = []\n"), "lists.names: expected one value or more"));
  Command command;
  command.parse_file("[lists]\nnames = \"a\"\n");
  CHECK(command.list == std::vector<std::string>{"a"});
}

TEST_CASE("Keys are as deep as options, however they are written") {
  for (const char* content : {"search.simulations = 9\n", "search = {simulations = 9}\n",
                              "[search]\n\"simulations\" = 0x9\n"}) {
    Command command;
    command.parse_file(content);
    CHECK(command.search.simulations == 9);
  }
  CHECK(contains(refusal("\"search.simulations\" = 9\n"), "unknown key"));
  CHECK(contains(refusal("[search.deep.deeper]\nx = 9\n"), "unknown section [search.deep]"));
  CHECK(contains(refusal("[serach]\n"), "unknown section [serach]; did you mean 'search'?"));
}

TEST_CASE("A byte order mark and ends of lines of Windows are no part of a config") {
  Command command;
  command.parse_file("\xEF\xBB\xBF[search]\r\nsimulations = 9\r\n");
  CHECK(command.search.simulations == 9);
}

TEST_CASE("Seeds beyond TOML's integers are read, quoted or as earlier versions wrote them") {
  for (const char* value :
       {"\"18446744073709551615\"", "18446744073709551615", " 18446744073709551615\t# largest\r"}) {
    Command command;
    command.parse_file("[run]\nseed = " + std::string(value) + "\n");
    CHECK(command.seed == 18446744073709551615ULL);
  }
  CHECK(contains(refusal("[run]\nseed = 18446744073709551616\n"),
                 "line 2: run.seed: expected a whole number, 0 or more, at most "));
  CHECK(contains(refusal("[run]\nseed = 18446744073709551615.5\n"), "run.seed: "));
}

TEST_CASE("Numbers reach their options as they were written") {
  Command command;
  command.parse_file("[run]\nseed = 1_000\n[search]\nc_puct = 0.1\nc_scale = 3\nc_visit = 1e1\n");
  CHECK(command.seed == 1000);
  CHECK(command.search.c_puct == 0.1F);
  CHECK(command.search.c_scale == 3.0F);
  CHECK(command.search.c_visit == 10.0F);
}

TEST_CASE("Values of any letters are written so that they read back") {
  for (const std::string value :
       {"a#b.eg", "a\"b", "a\\b", "a, b", "a,b", "a\tb\nc", "\x01\x7f", "é", "[a", "true", "1e5",
        "007", "-0", "nan", "1.50", "18446744073709551615"}) {
    INFO(value);
    CHECK(read_back({value}) == std::vector<std::string>{value});
    CHECK(read_back({value, "x"}) == std::vector<std::string>{value, "x"});
  }
}

TEST_CASE("What TOML cannot hold is refused by key when it is written") {
  CLI::App app;
  std::string table = "a\xff.eg";
  awale::training::add_field(app, "--adjudication.table", table, "");
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { awale::training::defaults_as_toml(app); }),
                 "adjudication.table: expected text in UTF-8"));
}

TEST_CASE("Bytes that are no text are refused on one line") {
  CHECK(contains(refusal("[run]\nseed = \"\xff\"\n"), "line 2: "));
  CHECK(contains(refusal(std::string("[run]\nseed = \0\n", 14)), "line 2: "));
  CHECK(contains(refusal("[run]\nseed = \"a\\nb\"\n"), "found 'a\\x0ab'"));
}

TEST_CASE("Files that are no config by their size are refused, also endless ones") {
  Command command;
  const auto parse = [&](const std::string& arguments) {
    return error_of(ErrorKind::kUsage, [&] { command.parse(arguments); });
  };
  CHECK(contains(parse("--config /dev/zero"), "/dev/zero: expected a config file of at most"));
  std::string key = "a";
  for (int i = 0; i < 20'000; ++i)
    key += ".a";
  CHECK(contains(command.usage_error(key + " = 1\n"), "4096 dots"));
  CHECK(command.usage_error(std::string(70'000, '\n')) != "");
  Command empty;
  CHECK_NOTHROW(empty.parse("--config /dev/null"));
}

TEST_CASE("A damaged config is read or refused on one line") {
  const std::string sound =
      "[run]\nseed = 7  # seed\n[search]\nc_puct = 1.5\nsolve = true\n[lists]\n"
      "names = [\"a\", 'b',\n \"\\u00e9\"]\nfile = \"\"\"c\"\"\"\n";
  std::mt19937 random(1);
  const std::string letters = "[]{}=\"'#.,\\\n\r\t 0e-_a\x01\x7f\xc3\xff";
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = sound;
    for (std::uint32_t faults = 1 + random() % 3; faults > 0; --faults)
      text[random() % text.size()] = letters[random() % letters.size()];
    Command command;
    std::ofstream(command.directory / "c.toml") << text;
    try {
      command.parse("--config " + (command.directory / "c.toml").string());
    } catch (const InputError& error) {
      ++refused;
      CHECK(error.kind() == ErrorKind::kUsage);
      CHECK_FALSE(contains(error.what(), "\n"));
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("Numbers are decimal: a leading zero is refused") {
  CHECK(awale::training::check_number<int>("064") != "");
  CHECK(awale::training::check_number<int>("-07") != "");
  CHECK(awale::training::check_number<int>("0").empty());
  CHECK(awale::training::check_number<int>("-4").empty());
  CHECK(awale::training::check_number<double>("0.5").empty());
  CHECK(awale::training::in_range(1, 9)("07") != "");
}

TEST_CASE("A number that does not fit is told the range") {
  CHECK(contains(awale::training::check_number<int>("3000000000"), "at most 2147483647"));
  CHECK(contains(awale::training::check_number<int>("-3000000000"), "at least -2147483648"));
}

TEST_CASE("Settings written as TOML read back to the same settings") {
  Command before;
  before.parse("--seed 77 --simulations 3 --search.c_puct 0.1 --rules.grand_slam capture");
  Command written;
  CLI::App scratch;
  awale::training::add_seed(scratch, before.seed);
  awale::training::add_rules(scratch, before.rules);
  awale::training::add_simulations(scratch, before.search);
  awale::training::add_player_search(scratch, before.search);
  awale::training::add_noise(scratch, before.search);
  awale::training::add_field(scratch, "--lists.names", before.list, "several")->expected(1, 9);
  written.parse_file(awale::training::defaults_as_toml(scratch));
  CHECK(written.seed == 77);
  CHECK(written.search.simulations == 3);
  CHECK(written.search.c_puct == 0.1F);
  CHECK(written.list == before.list);
  CHECK(env::to_key_values(written.rules) == env::to_key_values(before.rules));
}

TEST_CASE("Defaults as TOML are sections of keys that need no command line") {
  Command command;
  const std::string text = awale::training::defaults_as_toml(command.app);
  CHECK(contains(text, "[run]\nseed = 1\n\n[rules]\npreset = \"abapa\"\n"));
  CHECK(contains(text, "capture_counts = \"2,3\"\n"));
  CHECK(contains(text, "\n[lists]\nnames = [\"random\", \"minimax:4\"]\n"));
  CHECK_FALSE(contains(text, "none"));
}

TEST_CASE("Seeds that TOML's integers cannot hold are written quoted, others bare") {
  const auto written = [](std::uint64_t seed) {
    CLI::App app;
    awale::training::add_seed(app, seed);
    return awale::training::defaults_as_toml(app);
  };
  CHECK(written(9223372036854775807ULL) == "[run]\nseed = 9223372036854775807\n");
  CHECK(written(9223372036854775808ULL) == "[run]\nseed = \"9223372036854775808\"\n");
}
