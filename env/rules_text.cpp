#include "env/rules_text.hpp"

#include <span>
#include <utility>

#include "env/error.hpp"

namespace awale::env {
namespace {

using Words = std::pair<std::string_view, const char*>;

constexpr Words kParameterHelp[] = {
    {"grand_slam",
     "capture of all the opponent's seeds: no_capture, illegal_unless_only, capture, illegal"},
    {"capture_counts", "seeds at which a pit is captured: 2,3 or 1,2"},
    {"must_feed", "an empty row must be fed: true, false"},
    {"cannot_feed", "a mover who cannot feed: ends (the game), plays_on"},
    {"target_seeds", "a store of so many seeds ends the game: 1..48, 0 none"},
    {"sweep_at_target", "at the target each also takes his row: true, false"},
    {"repetition_occurrence", "so many times the same position end the game: 2..100, 0 never"},
    {"repetition_score", "seeds left at a repetition: own_row, split, captured"},
    {"ply_limit", "plies that end the game: 1..60000, 0 never"},
    {"limit_score", "seeds left at the ply limit: own_row, split, captured"},
};

constexpr Words kPresetSources[] = {
    {"abapa", "as tournaments play: over at 25 seeds, then each takes his row"},
    {"auale", "from a Catalan booklet: played to the last seed"},
    {"valencian",
     "from a Valencian shop: all seeds may be taken only if nothing else can be played"},
    {"wari_caribbean", "Caribbean wari: a pit of one or two is captured, 21 seeds win"},
    {"beginner", "for learners: abapa without the duty to feed"},
    {"awari", "as solved by Lincke (2002) and by Romein and Bal (2002)"},
    {"openspiel", "as OpenSpiel's game oware"},
    {"codingame", "as CodinGame's referee: 200 plies, only captured seeds count"},
};

const char* find(std::span<const Words> table, std::string_view key) {
  for (const auto& [name, words] : table) {
    if (name == key) return words;
  }
  AWALE_CHECK(false, "no words for '" << key << "'");
}

std::string idle(const char* cause) {
  return std::string("has no effect here: ") + cause;
}

std::string grand_slam_text(GrandSlam grand_slam) {
  const std::string subject = "a capture that would take all the opponent's seeds is ";
  switch (grand_slam) {
    case GrandSlam::kNoCapture:
      return subject + "legal and takes nothing";
    case GrandSlam::kIllegalUnlessOnly:
      return subject + "illegal while another move exists, else legal and takes them";
    case GrandSlam::kCapture:
      return subject + "legal and takes them";
    case GrandSlam::kIllegal:
      return subject + "never legal; if nothing else is left, the game ends and each keeps his row";
  }
  return "";
}

std::string capture_text(CaptureCounts counts) {
  const std::string numbers = counts == CaptureCounts::kTwoThree ? "two or three" : "one or two";
  return "if the last seed makes a pit of the opponent hold " + numbers +
         ", these seeds are captured, and those of the pits before it, one after another, while "
         "they are the opponent's and hold " +
         numbers;
}

std::string must_feed_text(bool must_feed) {
  return must_feed ? "if the opponent's row is empty, the move must bring at least one seed there"
                   : "if the opponent's row is empty, it need not be fed: the opponent then cannot "
                     "move, the game ends and each keeps his row";
}

std::string cannot_feed_text(const RuleSet& rules) {
  if (!rules.must_feed) return idle("nobody must feed");
  return rules.cannot_feed == CannotFeed::kEnds
             ? "if no move can feed, the game ends at once and the mover keeps his row"
             : "if no move can feed, any move is legal; the opponent then cannot move, the game "
               "ends and each keeps his row";
}

std::string target_text(int seeds) {
  return seeds == 0 ? "no number of captured seeds ends the game: it is played to the end"
                    : "the game ends as soon as a player has captured " + std::to_string(seeds) +
                          (seeds == 1 ? " seed" : " seeds");
}

std::string sweep_text(const RuleSet& rules) {
  if (rules.target_seeds == 0) return idle("there is no target");
  return std::string("at the target ") +
         explain(rules.sweep_at_target ? CutOffScore::kOwnRow : CutOffScore::kCaptured);
}

std::string repetition_text(int occurrence) {
  return occurrence == 0
             ? "a position may repeat any number of times"
             : "the game ends when the same position (pits, stores, side to move) occurs for the " +
                   ordinal(occurrence) + " time since the last capture";
}

std::string repetition_score_text(const RuleSet& rules) {
  if (rules.repetition_occurrence == 0) return idle("repetition does not end the game");
  return std::string("at the repetition ") + explain(rules.repetition_score);
}

std::string ply_limit_text(int plies) {
  return plies == 0 ? "no number of plies ends the game"
                    : "the game ends after " + std::to_string(plies) +
                          (plies == 1 ? " ply" : " plies, the moves of both sides together");
}

std::string limit_score_text(const RuleSet& rules) {
  if (rules.ply_limit == 0) return idle("there is no ply limit");
  return std::string("at the limit ") + explain(rules.limit_score);
}

std::string meaning(const RuleSet& rules, std::string_view key) {
  if (key == "grand_slam") return grand_slam_text(rules.grand_slam);
  if (key == "capture_counts") return capture_text(rules.capture_counts);
  if (key == "must_feed") return must_feed_text(rules.must_feed);
  if (key == "cannot_feed") return cannot_feed_text(rules);
  if (key == "target_seeds") return target_text(rules.target_seeds);
  if (key == "sweep_at_target") return sweep_text(rules);
  if (key == "repetition_occurrence") return repetition_text(rules.repetition_occurrence);
  if (key == "repetition_score") return repetition_score_text(rules);
  if (key == "ply_limit") return ply_limit_text(rules.ply_limit);
  if (key == "limit_score") return limit_score_text(rules);
  AWALE_CHECK(false, "no words for '" << key << "'");
}

}  // namespace

const char* parameter_help(std::string_view key) {
  return find(kParameterHelp, key);
}

std::vector<ParameterText> explain(const RuleSet& rules) {
  std::vector<ParameterText> texts;
  for (const auto& [key, value] : to_key_values(rules)) {
    if (key != "name") texts.push_back({key, value, meaning(rules, key)});
  }
  return texts;
}

const char* explain(CutOffScore score) {
  switch (score) {
    case CutOffScore::kOwnRow:
      return "each takes the seeds left in his row";
    case CutOffScore::kSplit:
      return "the seeds left on the board are shared equally";
    case CutOffScore::kCaptured:
      return "the seeds left on the board count for nobody";
  }
  return "";
}

const char* preset_source(std::string_view name) {
  return find(kPresetSources, name);
}

std::string ordinal(int number) {
  const int last = number % 10;
  const bool teen = number / 10 % 10 == 1;
  const char* ending = teen || last == 0 || last > 3 ? "th"
                       : last == 1                   ? "st"
                       : last == 2                   ? "nd"
                                                     : "rd";
  return std::to_string(number) + ending;
}

}  // namespace awale::env
