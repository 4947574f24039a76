// The `awale` command: subcommands, and the one place where errors become a line and an exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>

#include "env/error.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/version_text.hpp"
#include "training/interrupt.hpp"

namespace {

constexpr int kInternalError = 1;

constexpr const char* kFooter =
    "Exit codes:\n"
    "  0  done\n"
    "  1  internal error: please report it\n"
    "  2  command line or config: unknown option or key, value out of range\n"
    "  3  position, move or game that is malformed or illegal\n"
    "  4  file or directory that is missing, unreadable or damaged\n"
    "  5  sound file that does not fit: other rules, encoder or version;\n"
    "     `check` found differences, `data verify` contradictions\n"
    "  6  cannot write: no space, no permission\n"
    "  7  training diverged: loss or gradient is not a finite number\n"
    "  130  stopped by Ctrl-C or SIGTERM before it was done; what is there is whole\n"
    "\n"
    "`awale SUBCOMMAND --help` explains a subcommand. Results go to stdout, progress and errors\n"
    "to stderr.";

void add_subcommands(CLI::App& app) {
  app.require_subcommand(1);
  awale::training::add_train(app);
  awale::training::add_selfplay(app);
  awale::training::add_evaluate(app);
  awale::training::add_match(app);
  awale::training::add_gauntlet(app);
  awale::training::add_grade(app);
  awale::training::add_play(app);
  awale::training::add_analyze(app);
  awale::training::add_uci(app);
  awale::training::add_serve(app);
  awale::training::add_report(app);
  awale::training::add_convert(app);
  awale::training::add_export(app);
  awale::training::add_inspect(app);
  awale::training::add_perft(app);
  awale::training::add_tune(app);
  awale::training::add_bench(app);
  awale::training::add_rules_command(app);
  awale::training::add_show(app);
  awale::training::add_check(app);
  awale::training::add_endgame(app);
  awale::training::add_data(app);
  awale::training::add_completion(app);
  awale::training::add_manual(app);
}

// One line, whatever a library puts into a message.
int fail(std::string message, int exit_code) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "awale: error: " << message << std::endl;
  return exit_code;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : app.get_subcommands({}))
    names.push_back(subcommand->get_name());
  return names;
}

// CLI11 would report a misspelt subcommand, or an option in its place, as a missing one.
void check_subcommand(const CLI::App& app, int argc, char** argv) {
  const auto names = subcommand_names(app);
  if (names.empty() || argc < 2 || app.get_option_no_throw(argv[1]) != nullptr) return;
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) {
    return check_subcommand(*app.get_subcommand(argv[1]), argc - 1, argv + 1);
  }
  std::string list;
  for (const auto& name : names)
    list += (list.empty() ? "" : ", ") + name;
  throw awale::InputError(awale::ErrorKind::kUsage,
                          "no subcommand '" + std::string(argv[1]) + "'; there are " + list);
}

int report_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  std::string command = "awale";
  for (const CLI::App* chosen = &app; !chosen->get_subcommands().empty();) {
    chosen = chosen->get_subcommands().front();
    command += " " + chosen->get_name();
  }
  return fail(std::string(error.what()) + " (see `" + command + " --help`)",
              static_cast<int>(awale::ErrorKind::kUsage));
}

void require_written() {
  if (std::cout.flush()) return;
  throw awale::InputError(awale::ErrorKind::kWrite, "cannot write to standard output");
}

int run(int argc, char** argv) {
  CLI::App app("Self-play reinforcement learning on Awale: train, play, analyze, compare.",
               "awale");
  app.get_formatter()->column_width(38);
  app.footer(kFooter);
  app.set_version_flag("--version", awale::training::version_text,
                       "Print the versions of awale and its libraries, and the BLAS in use");
  add_subcommands(app);
  try {
    check_subcommand(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error);
  } catch (const awale::training::Interrupted& stopped) {
    require_written();
    return stopped.kExitCode;
  }
  require_written();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the user's limit is a write that fails
  try {
    return run(argc, argv);
  } catch (const awale::InputError& error) {
    return fail(error.what(), error.exit_code());
  } catch (const std::exception& error) {
    return fail(std::string("internal: ") + error.what(), kInternalError);
  }
}
