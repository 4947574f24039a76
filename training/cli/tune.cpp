#include <memory>

#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/cli/subcommand.hpp"
#include "training/minimax_tuning.hpp"

namespace awale::training {
namespace {

struct TuneOptions {
  TuningConfig config;
  std::string evaluation = "tuned";
  bool json = false;
};

void run_tune(const TuneOptions& options) {
  TuningConfig config = options.config;
  config.search.evaluation = mcts::parse_minimax_evaluation(options.evaluation);
  print_report(tune_minimax(config), config.rules, config.seed, options.json);
}

}  // namespace

void add_tune(CLI::App& app) {
  auto options = std::make_shared<TuneOptions>();
  TuningConfig& config = options->config;
  CLI::App* tune = app.add_subcommand(
      "tune", "Fit the weights of minimax's tuned evaluation to games that it plays itself.");
  tune->add_option("--games", config.games, "games to play")
      ->check(in_range(1, 10000000))
      ->capture_default_str();
  tune->add_option("--depth", config.search.depth, "plies that both sides search")
      ->check(in_range(1, 99))
      ->capture_default_str();
  tune->add_option("--evaluation", options->evaluation, "what they search with: seeds or tuned")
      ->capture_default_str();
  tune->add_option("--opening-plies", config.opening_plies,
                   "every game begins with a random number of random plies, at most so many")
      ->check(in_range(0, 100))
      ->capture_default_str();
  tune->add_option("--seed", config.seed, "of openings and of draws among equal moves")
      ->check(check_number<std::uint64_t>)
      ->capture_default_str();
  tune->add_option("--threads", config.threads, "play games on so many threads, with one result")
      ->check(in_range(1, 1024))
      ->capture_default_str();
  add_rules(*tune, config.rules);
  add_json(*tune, options->json);
  tune->footer(
      "Prints a weight a term, in hundredths of a seed in store, to be written into\n"
      "mcts/baseline/evaluation.hpp. The loss is that of the fitted probability to win.\n"
      "\n"
      "Example:\n"
      "  awale tune --games 20000 --depth 6 --seed 1 --threads 2");
  tune->callback([options] { run_tune(*options); });
}

}  // namespace awale::training
