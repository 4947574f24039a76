#include <array>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/format_text.hpp"
#include "training/game_text/game_files.hpp"
#include "training/interrupt.hpp"

namespace awale::training {
namespace {

constexpr const char* kStandardStream = "-";

const std::map<std::string, GameFormat> kFormats = {
    {"moves", GameFormat::kMoveStrings}, {"ogn", GameFormat::kOgn}, {"h5", GameFormat::kHdf5}};

struct ConvertOptions {
  std::string in;
  std::string out;
  std::string from;  // "": by the extension
  std::string to;
  bool skip_unfinished = false;
  env::RuleSet rules;
  bool json = false;
};

GameFormat choose_format(const std::string& path, const std::string& chosen,
                         const std::string& option) {
  const auto format = chosen.empty() ? format_of(path) : kFormats.at(chosen);
  if (!format) {
    throw InputError(ErrorKind::kUsage, option + ": expected moves, ogn or h5, because '" + path +
                                            "' ends in none of .txt, .ogn and .h5");
  }
  if (path == kStandardStream && *format == GameFormat::kHdf5) {
    throw InputError(ErrorKind::kUsage, option + ": expected moves or ogn for -, found h5");
  }
  return *format;
}

GamesRead read_input(const ConvertOptions& options, GameFormat format,
                     const std::optional<env::RuleSet>& rules) {
  if (options.in != kStandardStream) return read_games(options.in, format, rules);
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return parse_games(text, "standard input", format, rules);
}

void write_output(const ConvertOptions& options, const std::vector<PlayedGame>& games,
                  GameFormat format) {
  if (options.out != kStandardStream) {
    watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
    return write_games(options.out, games, format);
  }
  std::cout << games_text(games, "standard output", format);
  if (!std::cout.flush()) {  // before a summary says that all went well
    throw InputError(ErrorKind::kWrite, "cannot write to standard output");
  }
}

// Returns how many games it has left out.
std::size_t drop_unfinished(std::vector<PlayedGame>& games) {
  return std::erase_if(games, [](const PlayedGame& game) { return !finished(game); });
}

// Endings by their names, "unfinished" last.
nlohmann::ordered_json count_endings(const std::vector<PlayedGame>& games) {
  std::array<int, 5> counts = {};
  for (const auto& game : games)
    ++counts.at(static_cast<std::size_t>(game.outcome.reason));
  nlohmann::ordered_json endings;
  for (std::size_t reason = 1; reason < counts.size(); ++reason) {
    endings[env::to_string(static_cast<env::EndReason>(reason))] = counts[reason];
  }
  endings["unfinished"] = counts[0];
  return endings;
}

nlohmann::ordered_json summarize(const ConvertOptions& options,
                                 const std::vector<PlayedGame>& games, std::size_t skipped) {
  std::size_t plies = 0;
  for (const auto& game : games)
    plies += game.moves.size();
  return {{"in", options.in},
          {"out", options.out},
          {"games", games.size()},
          {"plies", plies},
          {"endings", count_endings(games)},
          {"skipped_unfinished", skipped}};
}

// "games.ogn: 20 games, 1431 plies; 14 target, 6 no_moves".
std::string to_line(const nlohmann::ordered_json& summary) {
  const auto count = [&summary](const char* key) { return summary[key].get<std::size_t>(); };
  std::string line = summary["out"].get<std::string>() + ": " + count_text(count("games"), "game") +
                     ", " + count_text(count("plies"), "ply", "plies");
  std::string before = "; ";
  for (const auto& [name, games] : summary["endings"].items()) {
    if (games == 0) continue;
    line += before + games.dump() + " " + name;
    before = ", ";
  }
  if (count("skipped_unfinished") == 0) return line;
  return line + "; " + std::to_string(count("skipped_unfinished")) + " unfinished left out";
}

void print(const ConvertOptions& options, const nlohmann::ordered_json& summary) {
  if (options.json) {
    std::cout << summary.dump(2) << '\n';
  } else {
    (options.out == kStandardStream ? std::cerr : std::cout) << to_line(summary) << '\n';
  }
}

void run_convert(const ConvertOptions& options, bool rules_chosen) {
  const GameFormat from = choose_format(options.in, options.from, "--from");
  const GameFormat to = choose_format(options.out, options.to, "--to");
  if (from == GameFormat::kHdf5 && to == GameFormat::kHdf5) {
    throw InputError(ErrorKind::kUsage,
                     "OUT: expected text, found h5 as IN is: a copy needs no conversion");
  }
  if (options.json && options.out == kStandardStream) {
    throw InputError(ErrorKind::kUsage, "--json: expected a file as OUT, found -: both are output");
  }
  options.rules.validate();
  auto [games, notes] =
      read_input(options, from, rules_chosen ? std::optional(options.rules) : std::nullopt);
  const std::size_t skipped = options.skip_unfinished ? drop_unfinished(games) : 0;
  write_output(options, games, to);
  for (const auto& note : notes)
    std::cerr << "awale: note: " << note << '\n';
  print(options, summarize(options, games, skipped));
}

}  // namespace

void add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* convert = app.add_subcommand(
      "convert", "Convert games between move strings, OGN (Aualé's format) and HDF5 shards.");
  convert->add_option("IN", options->in, "file of games; - reads standard input")
      ->required()
      ->check(check_not_empty)
      ->type_name("FILE");
  convert
      ->add_option("OUT", options->out,
                   "file to write; replaced if it exists, a link by a file; - writes to stdout")
      ->required()
      ->check(check_not_empty)
      ->type_name("FILE");
  const auto add_format = [convert](const char* name, std::string& field, const char* help) {
    convert->add_option(name, field, help)
        ->check(CLI::IsMember(kFormats).description(""))
        ->default_str("by the extension .txt, .ogn, .h5")
        ->type_name("FORMAT");
  };
  add_format("--from", options->from, "format of IN: moves, ogn, h5");
  add_format("--to", options->to, "format of OUT: moves, ogn, h5");
  convert->add_flag("--skip-unfinished", options->skip_unfinished,
                    "leave out games that the rules have not ended; a shard cannot hold them");
  add_json(*convert, options->json);
  add_rules(*convert, options->rules);
  convert->footer(
      "Every game is replayed; an illegal move ends with exit code 3 and names game and ply. OGN\n"
      "and shards say their rules, and other --rules than these are refused (exit code 5); move\n"
      "strings do not: say --rules where it is not abapa. Games of different rules fit into OGN\n"
      "and shards. The formats are described in training/README.md. Text holds moves, but nothing "
      "of a\n"
      "search: a shard made from text has no training rows.\n"
      "\n"
      "Examples:\n"
      "  awale convert runs/quickstart/shards/000020.h5 games.ogn\n"
      "  awale convert games.ogn games.txt\n"
      "  echo FfBeBc | awale convert - - --from moves --to ogn\n"
      "  awale convert games.txt games.h5 --rules awari --skip-unfinished");
  convert->callback([convert, options] { run_convert(*options, rules_given(*convert)); });
}

}  // namespace awale::training
