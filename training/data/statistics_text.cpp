#include <nlohmann/json.hpp>

#include "training/data/data_statistics.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

std::string number(const Json& value) {
  return format_text("%.4g", value.get<double>());
}

std::string whole(const Json& value) {
  return std::to_string(value.get<std::uint64_t>());
}

// "name        mean 70.2   0 / 5 / 25 / 50 / 75 / 95 / 100 %: 31 40 55 70 84 103 131".
std::string quantiles_line(const char* name, const Json& json) {
  std::string text = format_text("%-22s mean %-8s", name, number(json["mean"]).c_str());
  for (const char* key : {"min", "p5", "p25", "median", "p75", "p95", "max"})
    text += format_text(" %8s", number(json[key]).c_str());
  return text + "\n";
}

std::string named_counts(const Json& object, const char* suffix) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += text.empty() ? "" : ", ";
    text += key + " " + number(value) + suffix;
  }
  return text;
}

std::string calibration_text(const Json& json) {
  std::string text;
  for (const char* name : {"root_value", "network_value"}) {
    text += format_text("%-14s against the outcome: mean squared error %s, calibration error %s\n",
                        name, number(json[name]["mean_squared_error"]).c_str(),
                        number(json[name]["calibration_error"]).c_str());
  }
  text += "  root_value       n    value  outcome\n";
  for (const auto& bin : json["root_value"]["bins"]) {
    text += format_text("  %4.1f..%-4.1f %8s %8.3f %8.3f\n", bin["low"].get<double>(),
                        bin["high"].get<double>(), whole(bin["n"]).c_str(),
                        bin["mean_value"].get<double>(), bin["mean_outcome"].get<double>());
  }
  return text;
}

std::string iterations_text(const Json& rows) {
  std::string text =
      "iteration   games   plies  distinct %  first %  draws %  entropy  surprise  value error\n";
  for (const auto& row : rows) {
    text += format_text("%9s %7s %7.1f %11.1f %8.1f %8.1f %8.3f %9.4f %12.4f\n",
                        whole(row["iteration"]).c_str(), whole(row["games"]).c_str(),
                        row["mean_plies"].get<double>(), row["distinct_percent"].get<double>(),
                        row["first_player_points_percent"].get<double>(),
                        row["draws_percent"].get<double>(), row["policy_entropy"].get<double>(),
                        row["surprise"].get<double>(), row["root_value_error"].get<double>());
  }
  return text;
}

}  // namespace

std::string statistics_text(const Json& json) {
  std::string text = count_text(json["files"], "shard");
  text += ": " + count_text(json["games"], "game") + " (" + whole(json["duplicate_games"]) +
          " repeated), " + count_text(json["plies"], "ply", "plies") + ", " +
          count_text(json["training_rows"], "training row") + "; " + number(json["bytes_a_ply"]) +
          " bytes a ply\n";
  if (json["games"] == 0) return text;
  for (const auto& rules : json["rules"])
    text += "rules " + rules["rules"].get<std::string>() + ": " +
            count_text(rules["games"], "game") + "\n";
  const auto& first = json["first_player"];
  text += "endings        " + named_counts(json["endings"], "") + "\n";
  text += "first player   " + number(first["points_percent"]) + " % of the points [" +
          number(first["points_percent_low"]) + ", " + number(first["points_percent_high"]) +
          "], draws " + number(json["draws_percent"]) + " %\n";
  const auto& openings = json["openings"];
  text += "openings       " + whole(openings["distinct"]) + " positions after " +
          whole(openings["plies"]) + " plies in " + count_text(openings["games"], "game") +
          ", entropy " + number(openings["entropy_bits"]) + " bits; most frequent " +
          number(openings["most_frequent_percent"]) + " %, " +
          openings["most_frequent"].get<std::string>() + "\n";
  text += "plies          " + named_counts(json["flags_percent"], " %") + "\n";
  text += "best move      of the network also the search's in " +
          number(json["best_move_unchanged_percent"]) + " % of the searched plies\n\n";
  text +=
      "                                          min      5 %     25 %     50 %     75 %     "
      "95 %      max\n";
  text += quantiles_line("plies a game", json["plies_a_game"]);
  text += quantiles_line("first player's margin", json["margin_of_the_first_player"]);
  text += quantiles_line("winner's margin", json["margin_of_the_winner"]);
  text += quantiles_line("policy entropy, nats", json["policy_entropy"]);
  text += quantiles_line("prior entropy, nats", json["prior_entropy"]);
  text += quantiles_line("surprise, nats", json["surprise"]);
  text += "\n" + calibration_text(json);
  return text + "\n" + iterations_text(json["iterations"]);
}

}  // namespace awale::training
