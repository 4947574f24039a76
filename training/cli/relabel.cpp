#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "env/error.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/format_text.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"
#include "training/relabel.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

struct RelabelOptions {
  std::vector<std::string> in;
  std::string table;
  std::string out;
  bool json = false;
};

struct Copy {
  fs::path from;
  fs::path to;
};

std::string quoted(const fs::path& path) {
  std::string text = "'";
  text += path.string();
  text += '\'';
  return text;
}

// One shard may become a file, several become files of their names in a directory.
std::vector<Copy> plan(const RelabelOptions& options) {
  const fs::path out = options.out;
  if (options.in.size() == 1 && out.extension() == ".h5") return {{options.in[0], out}};
  std::vector<Copy> copies;
  std::set<fs::path> names;
  for (const fs::path from : options.in) {
    if (!names.insert(from.filename()).second) {
      throw InputError(ErrorKind::kUsage, "IN: expected files of different names, found " +
                                              from.filename().string() + " twice");
    }
    copies.push_back({from, out / from.filename()});
  }
  return copies;
}

// So that nothing is replaced, least of all what is read.
void require_new_files(const std::vector<Copy>& copies) {
  for (const Copy& copy : copies) {
    if (!fs::exists(copy.to)) continue;
    throw InputError(ErrorKind::kFile, quoted(copy.to) + ": exists; choose another --out");
  }
}

void make_directory(const fs::path& path) {
  std::error_code error;
  if (!path.empty()) fs::create_directories(path, error);
  if (!error) return;
  throw InputError(ErrorKind::kWrite, quoted(path) + ": cannot create: " + error.message());
}

void require_same_endgame(const env::EndgameTable& table, const fs::path& path,
                          const env::RuleSet& rules) {
  if (env::same_endgame(table.rules(), rules)) return;
  throw InputError(ErrorKind::kMismatch, quoted(path) + ": played by the rules " +
                                             env::describe(rules) + ", but the table is for " +
                                             env::describe(table.rules()));
}

void note_table(const env::EndgameTable& table, Provenance& provenance) {
  const std::string name = env::describe(table);
  std::string& tables = provenance.relabelled_by;
  if (tables.find(name) == std::string::npos) tables += (tables.empty() ? "" : "; ") + name;
  provenance.git_revision = kGitRevision;
}

RelabelCounts relabel_shard(const env::EndgameTable& table, const Copy& copy) {
  Shard shard = read_shard(copy.from);
  require_same_endgame(table, copy.from, shard.provenance.rules[0]);
  const RelabelCounts counts = relabel(table, shard.provenance.rules[0], shard.games);
  note_table(table, shard.provenance);
  make_directory(copy.to.parent_path());
  write_shard(copy.to, shard.provenance, shard.games);
  return counts;
}

struct Summary {
  std::size_t files = 0;  // written
  RelabelCounts counts;
};

Summary relabel_all(const env::EndgameTable& table, const std::vector<Copy>& copies) {
  Summary summary;
  watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
  Progress progress("relabel", "files", copies.size());
  for (const Copy& copy : copies) {
    if (interrupted()) break;
    summary.counts = summary.counts + relabel_shard(table, copy);
    ++summary.files;
    progress.advance(1);
  }
  return summary;
}

double mean(double sum, std::uint64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

nlohmann::ordered_json to_json(const RelabelOptions& options, const env::EndgameTable& table,
                               const Summary& summary) {
  const auto& counts = summary.counts;
  return {
      {"table",
       {{"file", options.table},
        {"rules", table.rules().name},
        {"seeds", table.seeds()},
        {"checksum", format_text("%016llx", static_cast<unsigned long long>(table.checksum()))}}},
      {"out", options.out},
      {"files", summary.files},
      {"files_left", options.in.size() - summary.files},
      {"games", counts.games},
      {"plies", counts.plies},
      {"covered", counts.covered},
      {"exact", counts.exact},
      {"certain", counts.certain},
      {"limited", counts.limited},
      {"changed_sign", counts.changed_sign},
      {"compared", counts.compared},
      {"mean_value_error", mean(counts.value_error, counts.compared)},
      {"mean_margin_error_seeds", mean(counts.margin_error_seeds, counts.compared)}};
}

void print_count(const char* what, std::uint64_t count, std::uint64_t plies, const char* meaning) {
  std::printf("%-13s %10llu  %5.1f %%  %s\n", what, static_cast<unsigned long long>(count),
              100 * mean(static_cast<double>(count), plies), meaning);
}

void print_text(const RelabelOptions& options, const env::EndgameTable& table,
                const Summary& summary) {
  const auto& counts = summary.counts;
  std::printf("table %s\n", env::describe(table).c_str());
  std::printf("%s into %s: %s, %s\n", count_text(summary.files, "shard").c_str(),
              options.out.c_str(), count_text(counts.games, "game").c_str(),
              count_text(counts.plies, "ply", "plies").c_str());
  print_count("covered", counts.covered, counts.plies, "plies that the table knows something of");
  print_count("exact", counts.exact, counts.plies, "their value and margin are now the table's");
  print_count("certain", counts.certain, counts.plies, "of the exact ones, whatever was before");
  print_count("limited", counts.limited, counts.plies, "others, moved into the table's bounds");
  print_count("changed sign", counts.changed_sign, counts.plies,
              "the search took the loser for the winner");
  if (counts.compared > 0) {
    std::printf(
        "the search was off by %.3f (win - loss) and %.2f seeds in the mean of %llu exact "
        "plies\n",
        mean(counts.value_error, counts.compared), mean(counts.margin_error_seeds, counts.compared),
        static_cast<unsigned long long>(counts.compared));
  }
  if (summary.files < options.in.size()) {
    std::printf("interrupted, %s left\n",
                count_text(options.in.size() - summary.files, "shard").c_str());
  }
}

void run_relabel(const RelabelOptions& options) {
  const auto copies = plan(options);
  require_new_files(copies);
  const auto table = env::EndgameTable::open(options.table);
  const auto summary = relabel_all(table, copies);
  if (options.json) {
    std::cout << to_json(options, table, summary).dump(2) << '\n';
  } else {
    print_text(options, table, summary);
  }
}

}  // namespace

void add_relabel(CLI::App& app) {
  auto options = std::make_shared<RelabelOptions>();
  CLI::App* relabel = app.add_subcommand(
      "relabel", "Copy shards with an endgame table's values in place of the search's.");
  relabel->add_option("IN", options->in, "shards (HDF5), which stay as they are")
      ->required()
      ->check(check_not_empty)
      ->type_name("FILE");
  add_table(*relabel, options->table);
  relabel
      ->add_option("--out", options->out,
                   "directory for the copies, of the same names; or, of one shard, a new file .h5")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  add_json(*relabel, options->json);
  relabel->footer(
      "At every ply whose board the table covers, root_value and root_margin are limited to what\n"
      "the table grants both players. Where that is one number it is the truth, bit 3 of flags is\n"
      "set, and training takes it as the target instead of what was played later. It is certain\n"
      "right after a capture, elsewhere as good as certain: a repetition with a position of "
      "before\n"
      "might still come in between. Moves, policies and outcomes are not changed, and nothing is\n"
      "overwritten. The copy says which table it was (relabelled_by).\n"
      "\n"
      "Examples:\n"
      "  awale endgame build --rules abapa --seeds 15 --out abapa-15.eg\n"
      "  awale relabel runs/quickstart/shards/*.h5 --table abapa-15.eg --out relabelled\n"
      "  awale relabel games.h5 --table abapa-15.eg --out exact.h5 --json");
  relabel->callback([options] { run_relabel(*options); });
}

}  // namespace awale::training
