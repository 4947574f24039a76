// What the page of `awale serve` can ask, as functions from JSON to JSON: training/README.md has
// the interface. No HTTP here. The server keeps no games: whoever asks says the whole game, so two
// tabs, a reload or a restart of the server disturb nothing.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "training/analysis/analyst.hpp"
#include "training/serve/analysis_queue.hpp"

namespace awale::training {

struct WebApiConfig {
  std::vector<env::RuleSet> rules;  // that the network knows, the default first
  std::string checkpoint;           // its name, for people
  std::string evaluator;            // likewise
  int simulations = 256;            // a move, unless a request says
  int threads = 1;                  // that search
};

// A request for what cannot be had of a game that is over.
struct GameIsOver : std::runtime_error {
  GameIsOver() : std::runtime_error("the game is over") {}
};

// Any thread may call any function. Bad requests throw InputError (kUsage: malformed; kPosition,
// kMismatch: well formed, but no such position, move or network), GameIsOver or QueueBusy.
class WebApi {
 public:
  // setup.search.simulations is the most that a request may ask for.
  WebApi(WebApiConfig config, AnalystSetup setup);

  // Gives up what is searched or waits for it; from now on all that needs a search is QueueBusy.
  void close();

  nlohmann::ordered_json info() const;
  nlohmann::ordered_json game(std::string_view body) const;
  nlohmann::ordered_json move(std::string_view body);
  nlohmann::ordered_json load(std::string_view body) const;
  nlohmann::ordered_json save(std::string_view body) const;

  // Searches with 2, 4, 8, ... simulations, each time anew, up to those asked for: next() gives one
  // analysis after the other, nothing when there is no more to be had.
  using NextAnalysis = std::function<std::optional<nlohmann::ordered_json>()>;
  NextAnalysis analyze(std::string_view body);

 private:
  AnalysisRequest read_search(const nlohmann::ordered_json& request) const;

  WebApiConfig config_;
  AnalystSetup setup_;
  AnalysisQueue queue_;
};

}  // namespace awale::training
