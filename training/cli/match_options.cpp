#include "training/cli/match_options.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <thread>
#include <type_traits>

#include "env/error.hpp"
#include "mcts/search_fields.hpp"
#include "training/calibration.hpp"
#include "training/cli/options.hpp"
#include "training/cli/training_options.hpp"

namespace awale::training {
namespace {

constexpr int kSchema = 1;

// A player without batches gains nothing from large groups, and its games end sooner in small ones.
constexpr int kSmallGroupGames = 2;

void add_equal_time(CLI::App& app, std::optional<int>& equal_time_ms) {
  const std::function<void(const int&)> choose = [&equal_time_ms](const int& ms) {
    equal_time_ms = ms;
  };
  app.add_option_function("--equal-time", choose,
                          "every player gets so many milliseconds a move, of one thread")
      ->check(in_range(1, 3'600'000))
      ->type_name("MS");
}

bool counts_simulations(const PlayerSpec& spec) {
  return spec.kind == PlayerKind::kUniformSearch || spec.kind == PlayerKind::kAgent;
}

// Whatever has a budget of its own cannot have another one.
void check_equal_time(const PlayerSpec& spec, const std::string& text, int ms) {
  const bool timed = spec.kind == PlayerKind::kMinimaxTime && spec.number == ms;
  const bool free = counts_simulations(spec) && spec.number == 0;
  if (timed || free || spec.kind == PlayerKind::kRandom) return;
  throw InputError(ErrorKind::kUsage, "--equal-time " + std::to_string(ms) + ": player '" + text +
                                          "' has a budget of its own; expected a search without "
                                          ":S, minimax:" +
                                          std::to_string(ms) + "ms or random");
}

// What an earlier run of the same match has found.
std::vector<int> logged_simulations(const MatchOptions& options, std::size_t players) {
  if (options.csv.empty()) return {};
  const auto identity = logged_identity(options.csv);
  const auto found = identity.find("equal_time");
  if (found == identity.end() || !found->is_object()) return {};
  if (found->value("ms", 0) != *options.equal_time_ms) return {};
  const auto numbers = found->find("simulations");
  if (numbers == found->end() || !numbers->is_array() || numbers->size() != players) return {};
  std::vector<int> simulations;
  for (const auto& number : *numbers) {
    if (!number.is_number_integer()) return {};
    simulations.push_back(std::clamp(number.get<int>(), 0, kMostSimulations));
  }
  return simulations;
}

int find_simulations(PlayerSpec spec, const MatchOptions& options) {
  Progress progress("equal time", "measurements", Progress::kUnknownTotal);
  return calibrate_simulations(options.setup.rules, *options.equal_time_ms, options.match.threads,
                               [&](int simulations) {
                                 progress.advance(1, std::to_string(simulations) + " simulations");
                                 spec.number = simulations;
                                 return make_player(spec, options.setup).make;
                               });
}

// The simulations of each player that searches, as numbers of `specs`, too.
std::vector<int> apply_equal_time(std::vector<PlayerSpec>& specs,
                                  const std::vector<std::string>& texts,
                                  const MatchOptions& options) {
  for (std::size_t i = 0; i < specs.size(); ++i)
    check_equal_time(specs[i], texts[i], *options.equal_time_ms);
  std::vector<int> simulations = logged_simulations(options, specs.size());
  const bool known = !simulations.empty();
  simulations.resize(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!counts_simulations(specs[i])) continue;
    if (!known || simulations[i] == 0) simulations[i] = find_simulations(specs[i], options);
    specs[i].number = simulations[i];
  }
  return simulations;
}

void name_apart(std::vector<NamedPlayer>& players) {
  std::multiset<std::string> names;
  for (const auto& player : players)
    names.insert(player.name);
  std::multiset<std::string> named;
  for (auto& player : players) {
    if (names.count(player.name) == 1) continue;
    const std::string name = player.name;
    player.name += " (";
    player.name += static_cast<char>('A' + named.count(name));
    player.name += ")";
    named.insert(name);
  }
}

nlohmann::ordered_json search_settings(const mcts::SearchConfig& search) {
  nlohmann::ordered_json settings;
  mcts::visit_fields(search, [&settings](const std::string& name, const auto& field, const char*,
                                         mcts::FieldUse use) {
    if (use != mcts::FieldUse::kPlayer) return;
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>) {
      settings[name] = nlohmann::ordered_json::parse(exact_text(field));  // a float as it was typed
    } else {
      settings[name] = to_string(field);
    }
  });
  return settings;
}

nlohmann::ordered_json identity_of(const MatchOptions& options, const std::string& kind,
                                   const MatchPlayers& players) {
  nlohmann::ordered_json identity = {{"awale", kind}, {"schema", kSchema}};
  identity["players"] = nlohmann::ordered_json::array();
  identity["weights"] = nlohmann::ordered_json::array();
  for (const auto& player : players.players) {
    identity["players"].push_back(player.name);
    identity["weights"].push_back(player.fingerprint);
  }
  identity["rules"] = env::describe(options.setup.rules);
  identity["seed"] = options.match.seed;
  identity["opening_plies"] = options.match.opening_plies;
  identity["search"] = search_settings(options.setup.search);
  if (options.equal_time_ms) {
    identity["equal_time"] = {{"ms", *options.equal_time_ms}, {"simulations", players.simulations}};
  }
  if (options.match.sprt) {
    const SprtConfig& sprt = *options.match.sprt;
    identity["sprt"] = {sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta};
  }
  return identity;
}

}  // namespace

void add_match_options(CLI::App& app, MatchOptions& options) {
  // More threads only make it faster: the result is the same.
  options.match.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  add_field(app, "--games", options.match.games,
            "games, even, 2 or more: each opening is played with both colours");
  add_field(app, "--opening-plies", options.match.opening_plies,
            "so many plies begin a game, 0..8; 0: all games from the start position");
  app.add_option("--csv", options.csv, "the games, a line each as they end; goes on from there")
      ->check(check_not_empty)
      ->type_name("FILE");
  add_equal_time(app, options.equal_time_ms);
  add_seed(app, options.match.seed);
  add_threads(app, options.match.threads);
  add_evaluator(app, options.setup.evaluator);
  add_json(app, options.json);
  add_simulations(app, options.setup.search);
  add_player_search(app, options.setup.search);
}

void add_sprt(CLI::App& app, MatchOptions& options) {
  const std::function<void(const std::string&)> choose = [&options](const std::string& text) {
    options.match.sprt = parse_sprt(text);
  };
  app.add_option_function("--sprt", choose,
                          "ELO0,ELO1[,ALPHA,BETA]: stop as soon as the pairs decide between these "
                          "Elo differences, errors 0.05 each unless said; --games is the most")
      ->type_name("TEST");
}

MatchPlayers make_match_players(const std::vector<std::string>& texts, MatchOptions& options,
                                bool rules_chosen) {
  std::vector<PlayerSpec> specs;
  for (const auto& text : texts)
    specs.push_back(parse_player(text));
  const auto network_rules = agent_rules(specs);
  if (!rules_chosen) options.setup.rules = network_rules.value_or(env::RuleSet{});
  options.setup.rules.validate();
  options.setup.seed = options.match.seed;
  options.match.validate();
  MatchPlayers result;
  if (options.equal_time_ms) result.simulations = apply_equal_time(specs, texts, options);
  for (const auto& spec : specs)
    result.players.push_back(make_player(spec, options.setup));
  name_apart(result.players);
  const bool batched = std::any_of(result.players.begin(), result.players.end(),
                                   [](const NamedPlayer& player) { return player.batched; });
  options.match.group_games = batched ? kMatchGroupGames : kSmallGroupGames;
  return result;
}

std::unique_ptr<MatchLog> begin_match(const MatchOptions& options, const std::string& kind,
                                      const MatchPlayers& players, std::vector<Pairing> pairings) {
  std::unique_ptr<MatchLog> log;
  if (!options.csv.empty()) {
    log = std::make_unique<MatchLog>(options.csv, identity_of(options, kind, players),
                                     options.setup.rules, std::move(pairings));
  }
  return log;
}

void print_how_to_go_on(const MatchOptions& options, bool stopped) {
  if (!stopped || options.csv.empty()) return;
  std::fprintf(stderr, "awale: note: stopped; the same command goes on from '%s'\n",
               options.csv.c_str());
}

}  // namespace awale::training
