#include "env/perft.hpp"

#include <iostream>
#include <memory>

#include "env/notation.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct PerftOptions {
  int depth = 1;
  std::string position;
  bool study = false;
  bool divide = false;
  env::RuleSet rules;
};

void run_perft(const PerftOptions& options) {
  options.rules.validate();
  const env::Board board =
      options.position.empty()
          ? env::initial_board()
          : env::parse_board(options.position,
                             options.study ? env::SeedCount::kStudy : env::SeedCount::kGame);
  if (options.divide) {
    for (const auto& [move, leaves] : env::perft_divide(options.rules, board, options.depth)) {
      std::cout << env::move_letter(board.to_move, move) << ' ' << leaves << '\n';
    }
    return;
  }
  std::cout << env::perft(options.rules, board, options.depth).leaves << '\n';
}

}  // namespace

void add_perft(CLI::App& app) {
  auto options = std::make_shared<PerftOptions>();
  CLI::App* perft =
      app.add_subcommand("perft", "Count all move sequences of a length: checks the rules.");
  perft->add_option("DEPTH", options->depth, "plies")->required()->check(in_range(1, 30));
  perft->add_option("--position", options->position, "start there: A..F, a..f, stores, side")
      ->check(check_not_empty)
      ->default_str("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
  perft->add_flag("--study", options->study, "the position may hold fewer than 48 seeds");
  perft->add_flag("--divide", options->divide, "the count below each first move, a line each");
  add_rules(*perft, options->rules);
  perft->footer(
      "Examples:\n"
      "  awale perft 6                          prints 27332\n"
      "  awale perft 4 --divide --rules awari");
  perft->callback([options] { run_perft(*options); });
}

}  // namespace awale::training
