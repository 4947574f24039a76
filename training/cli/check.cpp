#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "env/reference_check.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/format_text.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr const char* kStandardInput = "-";

struct CheckOptions {
  std::string kind;
  std::string file;
  int show = 10;
  env::RuleSet rules;
  bool json = false;
};

// What a line of a kind says against the rules.
using CheckLine = std::vector<env::Mismatch> (*)(const env::RuleSet&, std::string_view);

const std::map<std::string, CheckLine>& kinds() {
  static const std::map<std::string, CheckLine> all = {
      {"plies", [](const env::RuleSet& rules,
                   std::string_view line) { return env::check(rules, env::parse_ply(line)); }},
      {"games", [](const env::RuleSet& rules,
                   std::string_view line) { return env::check(rules, env::parse_game(line)); }},
      {"perft", [](const env::RuleSet& rules,
                   std::string_view line) { return env::check(rules, env::parse_perft(line)); }},
  };
  return all;
}

struct Findings {
  std::uint64_t lines = 0;
  std::uint64_t wrong_lines = 0;
  std::uint64_t mismatches = 0;
  std::vector<std::pair<std::string, std::uint64_t>> by_what;  // "legal moves" and how often
  std::vector<std::pair<std::uint64_t, env::Mismatch>> first;  // line number, what is wrong
};

void count(Findings& findings, const std::string& what) {
  ++findings.mismatches;
  for (auto& [known, mismatches] : findings.by_what) {
    if (known == what) {
      ++mismatches;
      return;
    }
  }
  findings.by_what.emplace_back(what, 1);
}

void add(Findings& findings, std::uint64_t line, const std::vector<env::Mismatch>& mismatches,
         std::size_t most) {
  ++findings.lines;
  if (!mismatches.empty()) ++findings.wrong_lines;
  for (const auto& mismatch : mismatches) {
    count(findings, mismatch.what);
    if (findings.first.size() < most) findings.first.emplace_back(line, mismatch);
  }
}

// What messages call the input.
std::string input_name(const CheckOptions& options) {
  return options.file == kStandardInput ? "standard input" : options.file;
}

Findings check_stream(const CheckOptions& options, std::istream& stream) {
  const CheckLine check = kinds().at(options.kind);
  const auto most = static_cast<std::size_t>(options.show);
  Progress progress("check", "lines", Progress::kUnknownTotal);
  Findings findings;
  env::for_each_record(stream, input_name(options),
                       [&](std::string_view line, std::uint64_t number) {
                         add(findings, number, check(options.rules, line), most);
                         progress.advance(1);
                       });
  return findings;
}

// Why the file cannot be read, 0 if it can; `stream` has just been opened.
int open_error(const std::ifstream& stream, const std::string& file) {
  if (!stream) return errno;
  std::error_code ignored;
  return std::filesystem::is_directory(file, ignored) ? EISDIR : 0;
}

Findings check_input(const CheckOptions& options) {
  if (options.file == kStandardInput) {
    std::ios::sync_with_stdio(false);  // synchronized, it would be read character by character
    return check_stream(options, std::cin);
  }
  std::ifstream stream(options.file);
  if (const int error = open_error(stream, options.file); error != 0) {
    throw InputError(ErrorKind::kFile, options.file + ": cannot be read: " + std::strerror(error));
  }
  return check_stream(options, stream);
}

nlohmann::ordered_json to_json(const CheckOptions& options, const Findings& findings) {
  nlohmann::ordered_json json = {{"file", input_name(options)},
                                 {"kind", options.kind},
                                 {"rules", env::describe(options.rules)},
                                 {"lines", findings.lines},
                                 {"lines_with_mismatches", findings.wrong_lines},
                                 {"mismatches", findings.mismatches},
                                 {"mismatches_by_what", nlohmann::ordered_json::object()},
                                 {"first", nlohmann::ordered_json::array()}};
  for (const auto& [what, mismatches] : findings.by_what)
    json["mismatches_by_what"][what] = mismatches;
  for (const auto& [line, mismatch] : findings.first) {
    json["first"].push_back({{"line", line},
                             {"what", mismatch.what},
                             {"expected", mismatch.expected},
                             {"found", mismatch.found}});
  }
  return json;
}

std::string summary(const Findings& findings) {
  const std::string text = count_text(findings.lines, "line") +
                           " checked, mismatches: " + std::to_string(findings.mismatches);
  if (findings.mismatches == 0) return text;
  return text + " in " + count_text(findings.wrong_lines, "line");
}

// " (legal moves 27, move 6)", "" if nothing differs.
std::string shares(const Findings& findings) {
  std::string text;
  for (const auto& [what, mismatches] : findings.by_what)
    text += (text.empty() ? " (" : ", ") + what + " " + std::to_string(mismatches);
  return text.empty() ? text : text + ")";
}

void print(const CheckOptions& options, const Findings& findings) {
  for (const auto& [line, mismatch] : findings.first) {
    std::cout << "line " << line << ": " << mismatch.what << ": expected " << mismatch.expected
              << ", found " << mismatch.found << '\n';
  }
  if (findings.first.size() < findings.mismatches) {
    std::cout << findings.mismatches - findings.first.size() << " more (--show N)\n";
  }
  std::cout << options.kind << " under " << env::describe(options.rules) << ": "
            << summary(findings) << shares(findings) << '\n';
}

void run_check(const CheckOptions& options) {
  options.rules.validate();
  const Findings findings = check_input(options);
  if (options.json) {
    std::cout << to_json(options, findings).dump(2) << '\n';
  } else {
    print(options, findings);
  }
  if (findings.mismatches > 0) {
    throw InputError(ErrorKind::kMismatch,
                     input_name(options) + ": does not fit the rules: " + summary(findings));
  }
}

}  // namespace

void add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check = app.add_subcommand(
      "check", "Replay recorded plies, games or perft counts and report what differs.");
  check->add_option("KIND", options->kind, "what a line records")
      ->required()
      ->check(CLI::IsMember(kinds()));
  check->add_option("FILE", options->file, "text file, a record a line; - reads standard input")
      ->required()
      ->check(check_not_empty);
  add_field(*check, "--show", options->show, "so many mismatches are listed")
      ->check(in_range(0, 1000000));
  add_json(*check, options->json);
  add_rules(*check, options->rules);
  check->footer(
      "Lines, fields separated by blanks; empty lines and those that begin with # are skipped:\n"
      "  plies  POSITION LEGAL MOVE NEXT      LEGAL: bit i is pit i of the mover; NEXT: without\n"
      "                                       a final sweep\n"
      "  games  MOVES END CAPTURED SCORE      from the start; END: target (or majority), no_moves\n"
      "                                       (or cannot_feed), repetition, ply_limit, none;\n"
      "                                       CAPTURED: before the final sweep; both South-North\n"
      "  perft  POSITION COUNT COUNT ...      depth 1, 2, ...: leaves/ended exactly here/ended\n"
      "                                       earlier\n"
      "Expected is what the file says, found what the rules say. Exit code 0 only if nothing\n"
      "differs, 5 if something does, 4 for a malformed line. Games that say no score, as\n"
      "`match --log` writes them, are replayed by `awale convert`.\n"
      "\n"
      "Examples:\n"
      "  awale check plies tests/data/plies_openspiel.txt\n"
      "  awale check games tests/data/games_openspiel.txt --rules awari --show 3\n"
      "  zcat perft.txt.gz | awale check perft - --json");
  check->callback([options] { run_check(*options); });
}

}  // namespace awale::training
