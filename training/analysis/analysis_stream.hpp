// Requests in, analyses out, a JSON object a line: for programs that grade thousands of positions
// (the way of KataGo's analysis engine). What has come in while a batch was searched is the next
// batch, so a program that waits for each answer gets it at once and one that does not gets many.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "training/analysis/analyst.hpp"

namespace awale::training {

struct AnalysisStreamConfig {
  env::RuleSet rules;     // unless a request names others
  int simulations = 800;  // likewise; setup.search.simulations is the most
  int batch = 256;        // positions that are searched together, all threads
  int threads = 1;
};

// Answers each line of `input` on `output`, in their order, until the input ends. Blank lines are
// none. A line that is no request is answered with {"id": ..., "error": "..."}, and the next one
// read.
//
// A request: {"id": anything, "position": "4-4-...-S" or "start", "moves": "FfBe", "rules":
// "awari", "simulations": 800, "study": false}, all of them optional; other keys are errors. The
// answer is {"id": ...} and what to_json() says, only position_json() where the game is over.
void analyze_stream(const AnalysisStreamConfig& config, const AnalystSetup& setup,
                    std::istream& input, std::ostream& output);

}  // namespace awale::training
