#include "training/serve/web_api.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "env/error.hpp"
#include "training/game_text/game_files.hpp"
#include "training/game_text/game_json.hpp"
#include "training/serve/game_request.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBatch = 256;         // positions that a thread searches at once
constexpr std::size_t kMostWaiting = 4096;  // two seconds of play at 64 simulations, about
constexpr int kFirstSimulations = 2;
// Of what is read from one text, whose answer is five thousand times as large in memory.
constexpr std::size_t kMostGames = 200;
constexpr std::size_t kMostLoadedPlies = 40000;

Json preset_json(const env::RuleSet& rules) {
  return {{"name", rules.name}, {"rules", parameters_json(rules)}};
}

// What the page shows of an analysis: to_json(), and the network's distribution of margins.
Json shown(const Analysis& analysis) {
  Json json = to_json(analysis);
  if (analysis.has_network) {
    json["network"]["margin_distribution"] =
        analysis.auxiliary ? Json(analysis.auxiliary->margin_distribution) : Json();
  }
  return json;
}

GameFormat read_format(const Json& request) {
  const std::string format = read_text(request, "format", "ogn");
  if (format == "ogn") return GameFormat::kOgn;
  if (format == "moves") return GameFormat::kMoveStrings;
  throw InputError(ErrorKind::kUsage, "format: expected ogn or moves");
}

// As the reader of OGN takes them: what the game says itself is no tag.
void require_tag(const Tag& tag) {
  const auto is_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (tag.name.empty() || !std::all_of(tag.name.begin(), tag.name.end(), is_name))
    throw InputError(ErrorKind::kUsage, "tags: expected names of letters, digits and _");
  for (const char* own : {"Variant", "Rules", "FEN"}) {
    if (tag.name == own)
      throw InputError(ErrorKind::kUsage, std::string("tags: ") + own + " is the game's own");
  }
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::any_of(tag.value.begin(), tag.value.end(), is_control))
    throw InputError(ErrorKind::kUsage, "tags: " + tag.name + ": expected one line of text");
}

std::vector<Tag> read_tags(const Json& request) {
  std::vector<Tag> tags;
  const auto found = request.find("tags");
  if (found == request.end()) return tags;
  if (!found->is_object()) throw InputError(ErrorKind::kUsage, "tags: expected an object");
  for (const auto& [name, value] : found->items()) {
    if (!value.is_string()) throw InputError(ErrorKind::kUsage, "tags: expected texts as values");
    tags.push_back({name, value.get<std::string>()});
    require_tag(tags.back());
  }
  return tags;
}

}  // namespace

WebApi::WebApi(WebApiConfig config, AnalystSetup setup)
    : config_(std::move(config)),
      setup_(std::move(setup)),
      queue_(setup_, config_.threads, kBatch, kMostWaiting) {}

void WebApi::close() {
  queue_.close();
}

Json WebApi::info() const {
  auto presets = Json::array();
  for (const auto& rules : config_.rules)
    presets.push_back(preset_json(rules));
  Json table;
  if (setup_.search.endgame) {
    const auto& endgame = *setup_.search.endgame;
    table = {{"rules", endgame.rules().name}, {"seeds", endgame.seeds()}};
  }
  return {{"version", kVersion},
          {"git_revision", kGitRevision},
          {"checkpoint", config_.checkpoint},
          {"evaluator", config_.evaluator},
          {"presets", presets},
          {"simulations", config_.simulations},
          {"most_simulations", setup_.search.simulations},
          {"most_plies", kMostRequestPlies},
          {"table", table}};
}

Json WebApi::game(std::string_view body) const {
  const auto request =
      read_game(read_object(body, {"rules", "start", "moves"}), config_.rules.front());
  return game_json(request.rules, request.start, request.moves);
}

AnalysisRequest WebApi::read_search(const Json& request) const {
  const auto asked = read_game(request, config_.rules.front());
  setup_.require_rules(asked.rules);
  AnalysisRequest search{env::replay(asked.rules, asked.start, asked.moves),
                         read_simulations(request, config_.simulations, setup_.search.simulations)};
  if (search.game.over()) throw GameIsOver();
  return search;
}

Json WebApi::move(std::string_view body) {
  const Json request = read_object(body, {"rules", "start", "moves", "simulations"});
  const Analysis analysis = queue_.analyze(read_search(request));
  env::Game game = analysis.game;
  const Json ply = ply_json(game.rules(), game.board(), analysis.result.best);
  game.play(analysis.result.best);
  return {{"ply", ply}, {"over", end_json(game)}, {"analysis", shown(analysis)}};
}

WebApi::NextAnalysis WebApi::analyze(std::string_view body) {
  auto search = std::make_shared<AnalysisRequest>(
      read_search(read_object(body, {"rules", "start", "moves", "simulations"})));
  const int most = search->simulations;
  auto next = std::make_shared<int>(std::min(kFirstSimulations, most));
  return [this, search, next, most]() -> std::optional<Json> {
    if (*next == 0) return std::nullopt;
    search->simulations = *next;
    const Analysis analysis = queue_.analyze(*search);
    const bool last = *next == most || analysis.result.solved;
    *next = last ? 0 : std::min(2 * *next, most);
    return shown(analysis);
  };
}

Json WebApi::load(std::string_view body) const {
  const Json request = read_object(body, {"text", "format", "rules"});
  std::optional<env::RuleSet> rules;
  if (request.contains("rules")) rules = read_rules(request, config_.rules.front());
  const auto read =
      parse_games(read_text(request, "text", ""), "the text", read_format(request), rules);
  if (read.games.size() > kMostGames) {
    throw InputError(ErrorKind::kUsage, "text: expected at most " + std::to_string(kMostGames) +
                                            " games, found " + std::to_string(read.games.size()));
  }
  std::size_t plies = 0;
  for (const PlayedGame& game : read.games)
    plies += game.moves.size();
  if (plies > kMostLoadedPlies) {
    throw InputError(ErrorKind::kUsage, "text: expected at most " +
                                            std::to_string(kMostLoadedPlies) +
                                            " moves in all games, found " + std::to_string(plies));
  }
  auto games = Json::array();
  for (const PlayedGame& game : read.games) {
    games.push_back(
        {{"game", game_json(game.rules, game.start, game.moves)}, {"tags", tags_json(game.tags)}});
  }
  return {{"games", games}, {"notes", read.notes}};
}

Json WebApi::save(std::string_view body) const {
  const Json request = read_object(body, {"rules", "start", "moves", "tags"});
  const auto asked = read_game(request, config_.rules.front());
  PlayedGame game = replay_game(asked.rules, asked.start, asked.moves, "the game");
  game.tags = read_tags(request);
  return {{"ogn", games_text({&game, 1}, "the game", GameFormat::kOgn)},
          {"moves", games_text({&game, 1}, "the game", GameFormat::kMoveStrings)}};
}

}  // namespace awale::training
