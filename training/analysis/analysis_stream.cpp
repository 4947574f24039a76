#include "training/analysis/analysis_stream.hpp"

#include <istream>
#include <ostream>
#include <variant>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "training/analysis/line_queue.hpp"
#include "training/game_text/board_view.hpp"
#include "training/parallel.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

// A line that has been read: what to analyze, or the answer that is known already.
struct Line {
  Json id;
  std::variant<Json, AnalysisRequest> content;
};

[[noreturn]] void reject(const std::string& problem) {
  throw InputError(ErrorKind::kPosition, problem);
}

// The value of a key, or `fallback` where there is none.
template <typename Value>
Value value_of(const Json& request, const char* key, const char* expected, Value fallback) {
  const auto found = request.find(key);
  if (found == request.end()) return fallback;
  const bool right = std::is_same_v<Value, bool>  ? found->is_boolean()
                     : std::is_same_v<Value, int> ? found->is_number_integer()
                                                  : found->is_string();
  if (!right) reject(std::string(key) + ": expected " + expected + ", found " + found->dump());
  return found->get<Value>();
}

void check_keys(const Json& request) {
  for (const auto& [key, value] : request.items()) {
    bool known = false;
    for (const char* name : {"id", "position", "moves", "rules", "simulations", "study"})
      known = known || key == name;
    if (!known) {
      reject("expected the keys id, position, moves, rules, simulations and study, found '" + key +
             "'");
    }
  }
}

int simulations_of(const Json& request, const AnalysisStreamConfig& config, int most) {
  const std::string expected = "a whole number 1.." + std::to_string(most);
  const auto found = request.find("simulations");
  if (found == request.end()) return config.simulations;
  // Of any size, so that no number wraps around.
  if (!found->is_number_integer() || *found < 1 || *found > most)
    reject("simulations: expected " + expected + ", found " + found->dump());
  return found->get<int>();
}

AnalysisRequest to_request(const Json& json, const AnalysisStreamConfig& config,
                           const AnalystSetup& setup) {
  check_keys(json);
  const auto name = value_of<std::string>(json, "rules", "the name of a preset", "");
  const env::RuleSet rules = name.empty() ? config.rules : env::preset(name);
  setup.require_rules(rules);
  const auto position = value_of<std::string>(json, "position", "a text", kStart);
  const auto moves = value_of<std::string>(json, "moves", "a text", "");
  const bool study = value_of<bool>(json, "study", "true or false", false);
  const auto seeds = study ? env::SeedCount::kStudy : env::SeedCount::kGame;
  return {env::replay(rules, named_board(position, seeds), moves),
          simulations_of(json, config, setup.search.simulations)};
}

Line read_line(const std::string& text, const AnalysisStreamConfig& config,
               const AnalystSetup& setup) {
  Line line;
  try {
    const Json json = Json::parse(text);
    if (!json.is_object()) reject("expected an object, found " + std::string(json.type_name()));
    line.id = json.value("id", Json());
    AnalysisRequest request = to_request(json, config, setup);
    if (request.game.over()) {
      line.content = position_json(request.game);
    } else {
      line.content = std::move(request);
    }
  } catch (const InputError& error) {
    line.content = Json{{"error", error.what()}};
  } catch (const Json::exception& error) {
    line.content = Json{{"error", std::string("expected a JSON object: ") + error.what()}};
  }
  return line;
}

// The lines' requests, shared among the analysts in parts of equal size.
std::vector<Analysis> analyze(std::vector<Analyst>& analysts,
                              std::span<const AnalysisRequest> requests) {
  const std::size_t parts = analysts.size();
  std::vector<std::vector<Analysis>> found(parts);
  run_jobs(static_cast<int>(parts), static_cast<int>(parts), [&](int part, int) {
    const auto i = static_cast<std::size_t>(part);
    const std::size_t begin = requests.size() * i / parts;
    const std::size_t end = requests.size() * (i + 1) / parts;
    found[i] = analysts[i].analyze(requests.subspan(begin, end - begin));
  });
  std::vector<Analysis> all;
  for (auto& part : found)
    all.insert(all.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
  return all;
}

void answer(const Line& line, const Json& content, std::ostream& output) {
  Json json = {{"id", line.id}};
  json.update(content);
  // What is not UTF-8 came in, and goes out as a question mark of its own.
  output << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void analyze_stream(const AnalysisStreamConfig& config, const AnalystSetup& setup,
                    std::istream& input, std::ostream& output) {
  std::vector<Analyst> analysts;
  for (int thread = 0; thread < config.threads; ++thread)
    analysts.emplace_back(setup);
  const auto batch = static_cast<std::size_t>(config.batch);
  LineQueue queue(input, 2 * batch);
  for (auto texts = queue.take(batch); !texts.empty(); texts = queue.take(batch)) {
    std::vector<Line> lines;
    std::vector<AnalysisRequest> requests;
    for (const auto& text : texts) {
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      lines.push_back(read_line(text, config, setup));
      if (const auto* request = std::get_if<AnalysisRequest>(&lines.back().content))
        requests.push_back(*request);
    }
    const auto analyses = analyze(analysts, requests);
    auto next = analyses.begin();
    for (const auto& line : lines) {
      const auto* known = std::get_if<Json>(&line.content);
      answer(line, known != nullptr ? *known : to_json(*next++), output);
    }
    output.flush();
  }
}

}  // namespace awale::training
