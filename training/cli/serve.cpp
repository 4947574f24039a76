#include <cstdio>
#include <memory>
#include <string>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/pretrained.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/interrupt.hpp"
#include "training/serve/web_server.hpp"

namespace awale::training {
namespace {

// 1.3 MB of tree, for each position that is searched with so many.
constexpr int kMostSimulations = 10000;

struct ServeOptions {
  std::string checkpoint = nn::kPretrained;
  std::string table;
  WebServerConfig server;
  WebApiConfig api;
  mcts::SearchConfig search;
  nn::EvaluatorConfig evaluator;
};

AnalystSetup make_setup(const ServeOptions& options, const std::shared_ptr<const Agent>& agent) {
  AnalystSetup setup;
  setup.search = options.search;
  setup.search.simulations = kMostSimulations;
  setup.require_rules = [agent](const env::RuleSet& rules) { require_rules(*agent, rules); };
  setup.weights = std::shared_ptr<const nn::NetworkWeights>(agent, &agent->weights);
  const auto network = make_network_source(*agent, options.evaluator);
  setup.make_evaluator = [network](int threads) { return network->make(threads); };
  if (!options.table.empty()) {
    setup.search.endgame =
        std::make_shared<const env::EndgameTable>(env::EndgameTable::open(options.table));
  }
  return setup;
}

void run_serve(ServeOptions options) {
  options.evaluator.validate();
  const auto agent = std::make_shared<const Agent>(load_agent(options.checkpoint));
  const AnalystSetup setup = make_setup(options, agent);
  options.api.rules = agent->rules;
  options.api.checkpoint = agent->path.string();
  options.api.evaluator = setup.make_evaluator(1)->name();
  WebApi api(options.api, setup);
  watch_interrupt();
  const std::string& host = options.server.host;
  const auto tell = [&host](int port) {
    if (!is_loopback(host)) {
      std::fprintf(stderr,
                   "awale: warning: listening on %s: whoever reaches this machine can play here\n",
                   host.c_str());
    }
    const bool v6 = host.find(':') != std::string::npos;
    std::printf("http://%s:%d/  (Ctrl-C ends it)\n", (v6 ? "[" + host + "]" : host).c_str(), port);
    std::fflush(stdout);
  };
  serve(options.server, api, tell, interrupted);
}

}  // namespace

void add_serve(CLI::App& app) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* serve = app.add_subcommand(
      "serve", "A board in the browser: play against the agent, watch it, see what it thinks.");
  add_field(*serve, "--checkpoint", options->checkpoint,
            "network: a checkpoint, a weights file, a run directory or pretrained, the one that "
            "comes with the program")
      ->check(check_not_empty)
      ->type_name("PATH");
  add_field(*serve, "--port", options->server.port, "of the page's address, 0: a free one")
      ->check(in_range(0, 65535));
  add_field(
      *serve, "--host", options->server.host,
      "address to listen on; any but this machine's own (127.0.0.1, ::1, localhost) lets others in")
      ->check(check_not_empty)
      ->type_name("ADDRESS");
  add_optional_table(*serve, options->table, ": what it knows is shown, and played by");
  add_field(*serve, "--search.simulations,--simulations", options->api.simulations,
            "simulations a move, unless the page chooses")
      ->check(in_range(1, kMostSimulations));
  add_threads(*serve, options->api.threads);
  add_player_search(*serve, options->search);
  add_evaluator(*serve, options->evaluator);
  serve->footer(
      "Prints the page's address and serves it until Ctrl-C. The rules are those that the network\n"
      "has been trained for; games are kept by the page, in its address. Positions of all games\n"
      "are searched together. The JSON interface is described in training/README.md.\n"
      "\n"
      "Examples:\n"
      "  awale serve\n"
      "  awale serve --checkpoint runs/quickstart --port 0 --threads 2");
  serve->callback([options] { run_serve(*options); });
}

}  // namespace awale::training
