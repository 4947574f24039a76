// The rules of one Awale variant as plain parameters, and the named presets.
//
// A RuleSet is a value: compare it, copy it, write it into every file. `board` and `game` read it;
// nothing else decides what is legal. What all variants share (sowing, feeding, own-row captures
// being impossible) stands in env/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awale::env {

// A capture that would take every seed of the opponent.
enum class GrandSlam : std::uint8_t {
  kNoCapture,          // legal, takes nothing
  kIllegalUnlessOnly,  // illegal while another move exists, else legal and takes
  kCapture,            // legal, takes
  kIllegal,            // never legal; if nothing else is left, the game ends
};

// The counts at which the last pit, and those before it, are captured.
enum class CaptureCounts : std::uint8_t { kTwoThree, kOneTwo };

// What happens to a mover who has to feed an empty row and cannot.
enum class CannotFeed : std::uint8_t {
  kEnds,     // the game ends at once, the mover keeps his row
  kPlaysOn,  // any move is legal; the opponent then cannot move (same score, one ply more)
};

// How the seeds still on the board are counted when a game is cut off.
enum class CutOffScore : std::uint8_t {
  kOwnRow,    // each takes the seeds of his row
  kSplit,     // the rest is shared equally: the difference of the stores stands
  kCaptured,  // the stores as they stand (for the margin the same as kSplit)
};

struct RuleSet {
  std::string name = "abapa";  // a preset's name, or "custom" once a parameter differs from it
  GrandSlam grand_slam = GrandSlam::kNoCapture;
  CaptureCounts capture_counts = CaptureCounts::kTwoThree;
  bool must_feed = true;
  CannotFeed cannot_feed = CannotFeed::kEnds;
  int target_seeds = 25;          // a store of this size ends the game; 0: play to the end
  bool sweep_at_target = true;    // at the target each also takes the seeds left in his row
  int repetition_occurrence = 2;  // the game ends when a position (board, side to move, stores)
                                  // occurs this often since the last capture; 0: never
  CutOffScore repetition_score = CutOffScore::kOwnRow;
  int ply_limit = 1000;  // the game ends after this many plies; 0: never
  CutOffScore limit_score = CutOffScore::kOwnRow;

  // Throws InputError(kUsage) that names the field when a value is out of range or when a game
  // could go on for ever (neither repetition nor ply limit).
  void validate() const;

  // The same game: every parameter but the name. Some nanoseconds.
  bool same_game(const RuleSet& other) const;
  friend bool operator==(const RuleSet&, const RuleSet&) = default;
};

// The preset called `name`; throws InputError(kUsage) that lists the names if there is none.
RuleSet preset(std::string_view name);

// Names of all presets, the default first.
std::vector<std::string> preset_names();

// Every parameter as (key, value) text, in the order of the struct, keys as in a config file. The
// one place where the spelling of the enums is fixed: files, configs and messages all use it.
std::vector<std::pair<std::string, std::string>> to_key_values(const RuleSet& rules);

// The inverse. Keys not given keep the value of `base`. A preset's name that the parameters no
// longer fit becomes "custom". Throws InputError(kUsage) naming an unknown key or value.
RuleSet from_key_values(const RuleSet& base,
                        const std::vector<std::pair<std::string, std::string>>& values);

// The parameters that differ from abapa, the default, as in to_key_values, without the name.
std::vector<std::pair<std::string, std::string>> differences(const RuleSet& rules);

// One line for messages: "abapa" or "custom (grand_slam=capture, ...)", with the differences.
std::string describe(const RuleSet& rules);

}  // namespace awale::env
