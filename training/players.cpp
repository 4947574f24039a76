#include "training/players.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

#include "env/error.hpp"
#include "mcts/baseline/minimax_player.hpp"
#include "mcts/players/game_player.hpp"
#include "mcts/players/random_player.hpp"
#include "mcts/players/search_player.hpp"
#include "mcts/search_fields.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/pretrained.hpp"
#include "nn/uniform_evaluator.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

constexpr int kDeepest = 99;  // as deep as time allows

[[noreturn]] void refuse(const std::string& text, const std::string& expected) {
  throw InputError(ErrorKind::kUsage, "player '" + text + "': expected " + expected);
}

// A number of 1 or more and nothing else.
std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 1) return std::nullopt;
  return number;
}

// What follows `prefix` in `text`, if it begins with it.
std::optional<std::string> after(const std::string& prefix, const std::string& text) {
  if (text.rfind(prefix, 0) != 0) return std::nullopt;
  return text.substr(prefix.size());
}

// Cuts `suffix` off `text` where it ends so.
bool take_suffix(std::string& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

PlayerSpec parse_minimax(const std::string& text, std::string argument) {
  PlayerKind kind = PlayerKind::kMinimaxDepth;
  if (take_suffix(argument, "ms")) {
    kind = PlayerKind::kMinimaxTime;
  } else if (take_suffix(argument, "nodes")) {
    kind = PlayerKind::kMinimaxNodes;
  }
  const auto number = parse_number(argument);
  if (!number) {
    refuse(text, "minimax:DEPTH, 1.." + std::to_string(kDeepest) +
                     " plies, minimax:Nnodes or minimax:MSms, nodes or milliseconds a move");
  }
  return {kind, *number, {}};
}

// PATH or PATH:S; a colon that is not followed by digits alone belongs to the path.
PlayerSpec parse_agent(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 ||
      text.find_first_not_of("0123456789", colon + 1) != std::string::npos) {
    return {PlayerKind::kAgent, 0, text};
  }
  const auto simulations = parse_number(std::string_view(text).substr(colon + 1));
  if (!simulations) refuse(text, "1 or more simulations a move behind the colon");
  return {PlayerKind::kAgent, *simulations, text.substr(0, colon)};
}

// Cuts "@key=value,key=value" off `text`; an @ without a = behind it belongs to a path.
std::vector<std::pair<std::string, std::string>> take_settings(std::string& text) {
  std::vector<std::pair<std::string, std::string>> settings;
  const auto at = text.rfind('@');
  if (at == std::string::npos || text.find('=', at) == std::string::npos) return settings;
  std::istringstream parts(text.substr(at + 1));
  for (std::string part; std::getline(parts, part, ',');) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) refuse(text, "KEY=VALUE,... behind the @");
    const auto key = part.substr(0, equals);
    if (std::any_of(settings.begin(), settings.end(),
                    [&key](const auto& setting) { return setting.first == key; })) {
      refuse(text, "each setting once behind the @, found '" + key + "' twice");
    }
    settings.emplace_back(key, part.substr(equals + 1));
  }
  text.resize(at);
  return settings;
}

// "@algorithm=puct,leaves=8", empty without settings.
std::string settings_text(const PlayerSpec& spec) {
  std::string text;
  for (const auto& [key, value] : spec.settings)
    text.append(text.empty() ? "@" : ",").append(key).append("=").append(value);
  return text;
}

bool is_minimax(PlayerKind kind) {
  return kind == PlayerKind::kMinimaxDepth || kind == PlayerKind::kMinimaxNodes ||
         kind == PlayerKind::kMinimaxTime;
}

mcts::MinimaxConfig minimax_config(const PlayerSpec& spec) {
  mcts::MinimaxConfig config;
  config.depth = spec.kind == PlayerKind::kMinimaxDepth ? spec.number : kDeepest;
  if (spec.kind == PlayerKind::kMinimaxNodes) config.nodes = spec.number;
  if (spec.kind == PlayerKind::kMinimaxTime) config.time_ms = spec.number;
  for (const auto& [key, value] : spec.settings)
    mcts::set_minimax_field(config, key, value);
  return config;
}

void apply_settings(const PlayerSpec& spec, PlayerSetup& setup) {
  for (const auto& [key, value] : spec.settings) {
    if (key == "evaluator") {
      setup.evaluator.kind = nn::parse_evaluator_kind(value);
    } else if (key == "table" && !value.empty()) {
      setup.table = value;
    } else {
      mcts::set_player_field(setup.search, key, value);
    }
  }
}

bool looks_like_path(const std::filesystem::path& path) {
  return path == nn::kPretrained || path.has_parent_path() || path.has_extension() ||
         std::filesystem::exists(path);
}

NamedPlayer make_minimax(mcts::MinimaxConfig config, const PlayerSetup& setup) {
  config.validate();
  if (!config.table.empty()) {
    config.endgame = env::EndgameTable::open(config.table, setup.rules);
  }
  const auto make = [config, seed = setup.seed] {
    return std::make_unique<mcts::MinimaxPlayer>(config, seed);
  };
  return {make()->name(), make};
}

mcts::SearchPlayerConfig search_player_config(const PlayerSetup& setup) {
  mcts::SearchPlayerConfig config;
  config.search = setup.search;
  if (!setup.table.empty()) {
    config.search.endgame = std::make_shared<const env::EndgameTable>(
        env::EndgameTable::open(setup.table, setup.rules));
  }
  config.validate();
  return config;
}

NamedPlayer make_uniform(const PlayerSetup& setup, const std::string& settings) {
  const auto config = search_player_config(setup);
  const std::string name = "uniform-mcts:" + std::to_string(setup.search.simulations) + settings;
  const auto make = [rules = setup.rules, config, seed = setup.seed, name] {
    return std::make_unique<mcts::SearchPlayer>(rules, config, seed,
                                                std::make_unique<nn::UniformEvaluator>(), name);
  };
  return {name, make, true};
}

NamedPlayer game_player(const PlayerSetup& setup, const mcts::SearchConfig& search,
                        const std::shared_ptr<const nn::NetworkSource>& network,
                        const std::string& name) {
  const auto make = [rules = setup.rules, search, seed = setup.seed,
                     threads = *setup.threads_a_game, network, name] {
    const auto make_evaluator = [&](int shared) { return network->make(shared); };
    return std::make_unique<mcts::GamePlayer>(rules, search, seed, threads, make_evaluator, name);
  };
  return {name, make};
}

NamedPlayer make_agent(const Agent& agent, const PlayerSetup& setup, const std::string& settings) {
  require_rules(agent, setup.rules);
  const auto config = search_player_config(setup);
  const auto network = make_network_source(agent, setup.evaluator);
  const std::string name = "mcts:" + std::to_string(setup.search.simulations) + " " +
                           agent.path.string() + settings + ", " + network->name();
  if (setup.threads_a_game) return game_player(setup, config.search, network, name);
  const auto make = [rules = setup.rules, config, seed = setup.seed, name, network] {
    return std::make_unique<mcts::SearchPlayer>(rules, config, seed, network->make(), name);
  };
  return {name, make, true, fingerprint(agent.weights)};
}

PlayerSpec parse_plain_player(const std::string& text) {
  if (text == "random") return {PlayerKind::kRandom, 0, {}};
  if (text == "uniform-mcts") return {PlayerKind::kUniformSearch, 0, {}};
  if (const auto argument = after("minimax:", text)) return parse_minimax(text, *argument);
  if (const auto argument = after("uniform-mcts:", text)) {
    const auto simulations = parse_number(*argument);
    if (!simulations) refuse(text, "uniform-mcts:S, S simulations a move");
    return {PlayerKind::kUniformSearch, *simulations, {}};
  }
  if (const auto argument = after("mcts:", text)) {
    if (argument->empty()) refuse(text, "mcts:PATH or mcts:PATH:S");
    return parse_agent(*argument);
  }
  const PlayerSpec agent = parse_agent(text);
  if (text.empty() || !looks_like_path(agent.path)) refuse(text, kPlayerForms);
  return agent;
}

}  // namespace

PlayerSpec parse_player(const std::string& text) {
  std::string player = text;
  auto settings = take_settings(player);
  PlayerSpec spec = parse_plain_player(player);
  spec.settings = std::move(settings);
  if (is_minimax(spec.kind)) {
    minimax_config(spec);  // names and types
    return spec;
  }
  if (!spec.settings.empty() && spec.kind == PlayerKind::kRandom) {
    refuse(text, "no settings behind an @: this player has none");
  }
  PlayerSetup scratch;
  apply_settings(spec, scratch);
  return spec;
}

std::optional<env::RuleSet> agent_rules(const std::vector<PlayerSpec>& specs) {
  for (const auto& spec : specs) {
    if (spec.kind == PlayerKind::kAgent) return load_agent(spec.path).rules.front();
  }
  return std::nullopt;
}

std::string fingerprint(const nn::NetworkWeights& weights) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const auto& tensor : weights.tensors) {
    for (const float value : tensor.values) {
      hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3U;
    }
  }
  return format_text("%016llx", static_cast<unsigned long long>(hash));
}

NamedPlayer make_player(const PlayerSpec& spec, const PlayerSetup& setup) {
  setup.search.validate();  // also where nobody searches: a wrong setting is a slip
  setup.evaluator.validate();
  if (is_minimax(spec.kind)) return make_minimax(minimax_config(spec), setup);
  PlayerSetup own = setup;
  if (spec.number > 0) own.search.simulations = spec.number;
  apply_settings(spec, own);
  switch (spec.kind) {
    case PlayerKind::kRandom:
      return {"random", [seed = setup.seed] { return std::make_unique<mcts::RandomPlayer>(seed); }};
    case PlayerKind::kMinimaxDepth:
    case PlayerKind::kMinimaxNodes:
    case PlayerKind::kMinimaxTime:
      break;
    case PlayerKind::kUniformSearch:
      return make_uniform(own, settings_text(spec));
    case PlayerKind::kAgent:
      return make_agent(load_agent(spec.path), own, settings_text(spec));
  }
  AWALE_CHECK(false, "player kind " << static_cast<int>(spec.kind));
}

NamedPlayer make_player(const Agent& agent, const PlayerSetup& setup) {
  return make_agent(agent, setup, "");
}

}  // namespace awale::training
