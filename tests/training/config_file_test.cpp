#include "training/cli/config_file.hpp"

#include <fstream>

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
};

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
  const auto error_with = [](const std::string& content) {
    Command command;
    const auto error = command.usage_error(content);
    CHECK(contains(error, "c.toml: "));
    CHECK_FALSE(contains(error, "\n"));
    return error;
  };
  SECTION("a misspelt key in a section") {
    const auto error = error_with("[search]\nsimulation = 5\n");
    CHECK(contains(error, "unknown key 'search.simulation'; did you mean 'search.simulations'?"));
  }
  SECTION("a key of another section") {
    CHECK(contains(error_with("[run]\nc_puct = 1\n"), "unknown key 'run.c_puct'"));
  }
  SECTION("an unknown section, empty or not") {
    CHECK(contains(error_with("[serach]\nsimulations = 5\n"), "unknown section [serach]"));
    CHECK(contains(error_with("[learner]\n"), "unknown section [learner]"));
  }
  SECTION("a key outside all sections, also if an option has that name") {
    CHECK(contains(error_with("simulations = 5\n"), "unknown key 'simulations'"));
    CHECK(contains(error_with("names = \"x\"\n"), "unknown key 'names'"));
  }
  SECTION("values of the wrong type") {
    CHECK(contains(error_with("[search]\nsimulations = \"many\"\n"), "search.simulations: "));
    CHECK(contains(error_with("[search]\nsimulations = 1.5\n"), "search.simulations: "));
    CHECK(contains(error_with("[search]\nsimulations = [1, 2]\n"), "search.simulations: "));
    CHECK(contains(error_with("[search]\nsimulations = true\n"), "search.simulations: "));
    CHECK(contains(error_with("[search]\nc_puct = nan\n"), "search.c_puct: "));
    CHECK(contains(error_with("[search]\nsimulations =\n"), "search.simulations: "));
  }
  SECTION("lines that are neither section nor key") {
    CHECK(contains(error_with("[search]\nsimulations\n"), "line 2: expected [section] or key"));
    CHECK(contains(error_with("[search]\nx\n"), "line 2: "));
  }
  SECTION("a key given twice, one line after the other or not") {
    CHECK(
        contains(error_with("[search]\nsimulations = 1\nsimulations = 2\n"), "search.simulations"));
    CHECK(contains(error_with("[search]\nsimulations = 1\nc_puct = 1\nsimulations = 2\n"),
                   "key 'search.simulations' is given twice"));
  }
  SECTION("unknown rules") {
    CHECK(contains(error_with("[rules]\npreset = \"abapo\"\n"), "no preset 'abapo'"));
    CHECK(contains(error_with("[rules]\ngrand_slam = \"maybe\"\n"),
                   "rules.grand_slam: expected one"));
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

TEST_CASE("Lists keep the commas of their values; what would not read back is refused") {
  CLI::App app;
  std::vector<std::string> players = {"minimax:2@evaluation=tuned,table=a.eg", "random"};
  awale::training::add_field(app, "--evaluation.opponents", players, "")->expected(1, 64);
  CHECK(awale::training::defaults_as_toml(app) ==
        "[evaluation]\nopponents = [\"minimax:2@evaluation=tuned,table=a.eg\", \"random\"]\n");
  CLI::App other;
  std::string table = "a#b.eg";
  awale::training::add_field(other, "--adjudication.table", table, "");
  CHECK_THROWS_AS(awale::training::defaults_as_toml(other), awale::InputError);
}

TEST_CASE("Numbers are decimal: a leading zero is refused") {
  CHECK(awale::training::check_number<int>("064") != "");
  CHECK(awale::training::check_number<int>("-07") != "");
  CHECK(awale::training::check_number<int>("0").empty());
  CHECK(awale::training::check_number<int>("-4").empty());
  CHECK(awale::training::check_number<double>("0.5").empty());
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
