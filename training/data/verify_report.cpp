#include <nlohmann/json.hpp>

#include "training/data/verify.hpp"
#include "training/format_text.hpp"

namespace awale::training {

nlohmann::ordered_json to_json(const VerifyReport& report) {
  nlohmann::ordered_json json = {{"sound", report.sound()},
                                 {"shards", report.shards},
                                 {"checkpoints", report.checkpoints},
                                 {"games", report.games},
                                 {"plies", report.plies},
                                 {"damaged", nlohmann::ordered_json::array()},
                                 {"contradictions", report.contradictions},
                                 {"leftovers", nlohmann::ordered_json::array()},
                                 {"go_on", report.go_on}};
  for (const auto& damaged : report.damaged) {
    json["damaged"].push_back({{"file", damaged.file.string()},
                               {"problem", damaged.problem},
                               {"set_aside", damaged.set_aside.string()}});
  }
  for (const auto& leftover : report.leftovers)
    json["leftovers"].push_back(leftover.string());
  return json;
}

std::string to_text(const VerifyReport& report) {
  std::string text;
  for (const auto& damaged : report.damaged) {
    text += "damaged: " + damaged.problem + "\n";
    if (!damaged.set_aside.empty()) text += "  moved to " + damaged.set_aside.string() + "\n";
  }
  for (const auto& contradiction : report.contradictions)
    text += "contradiction: " + contradiction + "\n";
  for (const auto& leftover : report.leftovers)
    text += "leftover of a killed writer: " + leftover.string() + "\n";
  for (const auto& line : report.go_on)
    text += "go on: " + line + "\n";
  text += "sound: " + count_text(report.shards, "shard") + " with " +
          count_text(report.games, "game") + " and " + count_text(report.plies, "ply", "plies") +
          ", " + count_text(report.checkpoints, "checkpoint") + "\n";
  if (report.damaged.empty() && report.contradictions.empty()) return text;
  return text + "damaged: " + count_text(report.damaged.size(), "file") +
         "; contradictions: " + std::to_string(report.contradictions.size()) + "\n";
}

}  // namespace awale::training
