#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "training/cli/data.hpp"
#include "training/cli/options.hpp"
#include "training/data/data_files.hpp"
#include "training/data/merge.hpp"
#include "training/format_text.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

struct MergeOptions {
  std::vector<std::string> paths;
  std::string out;
  bool drop_duplicates = false;
  bool json = false;
};

void run_merge(const MergeOptions& options) {
  require_new(options.out);
  const auto files = find_shards(options.paths);
  MergeCounts counts;
  Shard merged;
  {
    Progress progress("merge", "files", files.size());
    merged = merge_shards(
        files, options.drop_duplicates, [&progress] { progress.advance(1); }, counts);
  }
  watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
  write_shard(options.out, merged.provenance, merged.games);
  if (options.json) {
    const nlohmann::ordered_json json = {{"out", options.out},
                                         {"files", counts.files},
                                         {"rule_sets", merged.provenance.rules.size()},
                                         {"games", counts.games},
                                         {"plies", counts.plies},
                                         {"dropped_games", counts.dropped}};
    std::cout << json.dump(2) << '\n';
    return;
  }
  std::cout << options.out << ": " << count_text(counts.games, "game") << ", "
            << count_text(counts.plies, "ply", "plies") << ", "
            << count_text(merged.provenance.rules.size(), "rule set") << " from "
            << count_text(counts.files, "shard");
  if (counts.dropped > 0)
    std::cout << "; " << count_text(counts.dropped, "duplicate") << " dropped";
  std::cout << '\n';
}

}  // namespace

void add_data_merge(CLI::App& data) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* merge = data.add_subcommand("merge", "Put the games of many shards into one.");
  add_data_paths(*merge, options->paths);
  add_new_file(*merge, options->out, "the merged shard, a new file");
  merge->add_flag(
      "--drop-duplicates", options->drop_duplicates,
      "leave out games whose seed, id, rules and moves have come before, not refuse them");
  add_json(*merge, options->json);
  merge->footer(
      "Shards may be of different runs and rules. The merged one says for each game which shard\n"
      "it comes from (games/source) and by which rules it was played (games/rules). All games are\n"
      "in memory, about 160 bytes a ply.\n"
      "\n"
      "Examples:\n"
      "  awale data merge runs/first --out first.h5\n"
      "  awale data merge first.h5 second.h5 --out both.h5 --drop-duplicates");
  merge->callback([options] { run_merge(*options); });
}

}  // namespace awale::training
