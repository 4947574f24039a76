#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "env/error.hpp"
#include "nn/hdf5_rules.hpp"
#include "nn/network_evaluator.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/data.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/training_options.hpp"
#include "training/config.hpp"
#include "training/data/data_files.hpp"
#include "training/data/row_counts.hpp"
#include "training/format_text.hpp"
#include "training/interrupt.hpp"
#include "training/players.hpp"
#include "training/progress.hpp"
#include "training/relabel.hpp"
#include "training/relabel_search.hpp"
#include "training/targets.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct RelabelOptions {
  std::vector<std::string> in;
  std::string table;
  std::string checkpoint;
  std::string out;
  RunConfig run;
  mcts::SearchConfig search;
  nn::EvaluatorConfig evaluator;
  bool json = false;
};

struct Copy {
  fs::path from;
  fs::path to;
};

struct Summary {
  std::size_t files = 0;    // written
  std::size_t skipped = 0;  // that were there already
  std::size_t left = 0;     // after an interruption
};

double mean(double sum, std::uint64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

void print_count(const char* what, std::uint64_t count, std::uint64_t plies, const char* meaning) {
  std::printf("%-13s %10llu  %5.1f %%  %s\n", what, static_cast<unsigned long long>(count),
              100 * mean(static_cast<double>(count), plies), meaning);
}

// Who speaks in place of the search that has been.
class Relabeller {
 public:
  virtual ~Relabeller() = default;
  // For relabelled_by.
  virtual std::string name() const = 0;
  // Before the first shard.
  virtual void begin() const {}
  // Throws InputError(kMismatch) if there is nothing that it can say of this shard.
  virtual void require_rules(const fs::path& file, std::span<const env::RuleSet> rules) const = 0;
  // False if it was interrupted; the shard is then half done.
  virtual bool relabel(Shard& shard, Progress& progress) = 0;
  virtual void add_json(Json& json) const = 0;
  virtual void print() const = 0;
};

class TableRelabeller : public Relabeller {
 public:
  explicit TableRelabeller(const std::string& file)
      : file_(file), table_(env::EndgameTable::open(file)) {}

  std::string name() const override { return env::describe(table_); }

  void require_rules(const fs::path& file, std::span<const env::RuleSet> rules) const override {
    const auto fits = [this](const auto& other) { return same_endgame(table_.rules(), other); };
    if (std::any_of(rules.begin(), rules.end(), fits)) return;
    throw InputError(ErrorKind::kMismatch,
                     quoted(file) + ": played by the rules " + env::describe(rules.front()) +
                         ", but the table is for " + env::describe(table_.rules()));
  }

  bool relabel(Shard& shard, Progress& progress) override {
    counts_ = counts_ + training::relabel(table_, shard.provenance.rules, shard.games);
    progress.advance(training::count_rows(shard.games));
    return true;
  }

  void add_json(Json& json) const override {
    const auto checksum =
        format_text("%016llx", static_cast<unsigned long long>(table_.checksum()));
    json["table"] = {{"file", file_},
                     {"rules", table_.rules().name},
                     {"seeds", table_.seeds()},
                     {"checksum", checksum}};
    json["games"] = counts_.games;
    json["plies"] = counts_.plies;
    json["covered"] = counts_.covered;
    json["exact"] = counts_.exact;
    json["certain"] = counts_.certain;
    json["limited"] = counts_.limited;
    json["changed_sign"] = counts_.changed_sign;
    json["compared"] = counts_.compared;
    json["mean_value_error"] = mean(counts_.value_error, counts_.compared);
    json["mean_margin_error_seeds"] = mean(counts_.margin_error_seeds, counts_.compared);
  }

  void print() const override {
    const auto& counts = counts_;
    print_count("covered", counts.covered, counts.plies, "plies that the table knows something of");
    print_count("exact", counts.exact, counts.plies, "their value and margin are now the table's");
    print_count("certain", counts.certain, counts.plies, "of the exact ones, whatever was before");
    print_count("limited", counts.limited, counts.plies, "others, moved into the table's bounds");
    print_count("changed sign", counts.changed_sign, counts.plies,
                "the search took the loser for the winner");
    if (counts.compared == 0) return;
    std::printf(
        "the search was off by %.3f (win - loss) and %.2f seeds in the mean of %llu exact "
        "plies\n",
        mean(counts.value_error, counts.compared), mean(counts.margin_error_seeds, counts.compared),
        static_cast<unsigned long long>(counts.compared));
  }

 private:
  std::string file_;
  env::EndgameTable table_;
  RelabelCounts counts_;
};

class NetworkRelabeller : public Relabeller {
 public:
  explicit NetworkRelabeller(const RelabelOptions& options)
      : agent_(load_agent(options.checkpoint)),
        network_(make_network_source(agent_, options.evaluator)),
        search_(options.search),
        threads_(options.run.threads) {}

  void begin() const override {
    std::fprintf(stderr, "searches with %s\n", network_->name().c_str());
  }

  std::string name() const override {
    return "network " + fingerprint(agent_.weights) + " (" + agent_.path.filename().string() +
           "), " + count_text(static_cast<std::size_t>(search_.simulations), "simulation") +
           " of " + to_string(search_.algorithm);
  }

  void require_rules(const fs::path&, std::span<const env::RuleSet> rules) const override {
    for (const auto& other : rules)
      training::require_rules(agent_, other);
  }

  bool relabel(Shard& shard, Progress& progress) override {
    const SearchRelabelSetup setup = {shard.provenance.rules,
                                      search_,
                                      threads_,
                                      [this] { return network_->make(); },
                                      [&progress](std::uint64_t plies) { progress.advance(plies); },
                                      interrupted};
    return relabel_by_search(setup, shard.games, counts_);
  }

  void add_json(Json& json) const override {
    json["network"] = {{"file", agent_.path.string()},
                       {"fingerprint", fingerprint(agent_.weights)},
                       {"algorithm", to_string(search_.algorithm)},
                       {"simulations", search_.simulations}};
    json["games"] = counts_.games;
    json["plies"] = counts_.plies;
    json["searched"] = counts_.searched;
    json["other_best"] = counts_.other_best;
    json["changed_sign"] = counts_.changed_sign;
    json["mean_value_change"] = mean(counts_.value_change, counts_.searched);
    json["mean_margin_change_seeds"] = mean(counts_.margin_change_seeds, counts_.searched);
  }

  void print() const override {
    const auto& counts = counts_;
    print_count("searched", counts.searched, counts.plies, "plies again");
    print_count("other best", counts.other_best, counts.searched, "of these: another best move");
    print_count("changed sign", counts.changed_sign, counts.searched,
                "of these: another player is ahead");
    std::printf("values moved by %.3f (win - loss) and %.2f seeds in the mean\n",
                mean(counts.value_change, counts.searched),
                mean(counts.margin_change_seeds, counts.searched));
  }

 private:
  Agent agent_;
  std::shared_ptr<const nn::NetworkSource> network_;
  mcts::SearchConfig search_;
  int threads_;
  SearchRelabelCounts counts_;
};

// One shard may become a file, several become files of their names in a directory.
std::vector<Copy> plan(const RelabelOptions& options) {
  const fs::path out = options.out;
  const auto shards = find_shards(options.in);
  if (shards.size() == 1 && out.extension() == ".h5") return {{shards[0], out}};
  std::vector<Copy> copies;
  std::set<fs::path> names;
  for (const auto& from : shards) {
    if (!names.insert(from.filename()).second) {
      throw InputError(ErrorKind::kUsage, "PATH: expected files of different names, found " +
                                              from.filename().string() + " twice");
    }
    copies.push_back({from, out / from.filename()});
  }
  return copies;
}

void make_directory(const fs::path& path) {
  std::error_code error;
  if (!path.empty()) fs::create_directories(path, error);
  if (!error) return;
  throw InputError(ErrorKind::kWrite, quoted(path) + ": cannot create: " + error.message());
}

// Whether an earlier call has written this copy; files are whole or absent, so it is complete then.
// What is there and something else is never replaced.
bool is_done(const Copy& copy, const std::string& name) {
  if (!fs::exists(copy.to)) return false;
  const auto refuse = [&copy](const std::string& what) {
    throw InputError(ErrorKind::kFile,
                     quoted(copy.to) + ": exists and " + what + "; choose another --out");
  };
  if (fs::equivalent(copy.from, copy.to)) refuse("is the original");
  const auto there = read_shard(copy.to).provenance;
  if (there.relabelled_by.find(name) == std::string::npos) {
    refuse("is not relabelled by " + name);
  }
  const auto original = read_shard(copy.from).provenance;
  if (there.seed != original.seed || there.iteration != original.iteration) {
    refuse("is a copy of another shard");
  }
  return true;
}

// Those that are still to be written.
std::vector<Copy> open_copies(const std::vector<Copy>& copies, const Relabeller& relabeller) {
  std::vector<Copy> open;
  for (const Copy& copy : copies) {
    if (!is_done(copy, relabeller.name())) open.push_back(copy);
  }
  return open;
}

bool write_copy(const Copy& copy, Relabeller& relabeller, Progress& progress) {
  Shard shard = read_shard(copy.from);
  if (!relabeller.relabel(shard, progress)) return false;
  std::string& names = shard.provenance.relabelled_by;
  const std::string name = relabeller.name();
  if (names.find(name) == std::string::npos) names += (names.empty() ? "" : "; ") + name;
  shard.provenance.git_revision = kGitRevision;
  make_directory(copy.to.parent_path());
  write_shard(copy.to, shard.provenance, shard.games);
  return true;
}

Summary write_copies(const std::vector<Copy>& copies, Relabeller& relabeller) {
  std::uint64_t rows = 0;
  for (const Copy& copy : copies) {  // what does not fit is found before hours of work
    rows += count_shard_rows(copy.from, {}, 0).total();
    relabeller.require_rules(copy.from, nn::load_rule_sets(nn::Hdf5Reader(copy.from)));
  }
  if (!copies.empty()) relabeller.begin();
  Summary summary;
  watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
  Progress progress("relabel", "plies", rows);
  for (const Copy& copy : copies) {
    if (interrupted() || !write_copy(copy, relabeller, progress)) break;
    ++summary.files;
  }
  summary.left = copies.size() - summary.files;
  return summary;
}

Json to_json(const RelabelOptions& options, const Relabeller& relabeller, const Summary& summary) {
  Json json = {{"relabelled_by", relabeller.name()},
               {"out", options.out},
               {"files", summary.files},
               {"files_skipped", summary.skipped},
               {"files_left", summary.left}};
  relabeller.add_json(json);
  return json;
}

void print_text(const RelabelOptions& options, const Relabeller& relabeller,
                const Summary& summary) {
  std::printf("by %s\n%s into %s", relabeller.name().c_str(),
              count_text(summary.files, "shard").c_str(), options.out.c_str());
  if (summary.skipped > 0) std::printf(", %zu there already", summary.skipped);
  std::printf("\n");
  relabeller.print();
  if (summary.left > 0) {
    std::printf("interrupted, %s left; the same command goes on\n",
                count_text(summary.left, "shard").c_str());
  }
}

std::unique_ptr<Relabeller> make_relabeller(const RelabelOptions& options) {
  if (options.table.empty() == options.checkpoint.empty()) {
    throw InputError(ErrorKind::kUsage,
                     std::string("expected one of --table and --checkpoint, ") +
                         (options.table.empty() ? "found neither" : "found both"));
  }
  if (!options.table.empty()) return std::make_unique<TableRelabeller>(options.table);
  options.run.validate();
  options.search.validate();
  options.evaluator.validate();
  return std::make_unique<NetworkRelabeller>(options);
}

void run_relabel(const RelabelOptions& options) {
  const auto relabeller = make_relabeller(options);
  const auto copies = plan(options);
  const auto open = open_copies(copies, *relabeller);
  Summary summary = write_copies(open, *relabeller);
  summary.skipped = copies.size() - open.size();
  if (options.json) {
    std::cout << to_json(options, *relabeller, summary).dump(2) << '\n';
  } else {
    print_text(options, *relabeller, summary);
  }
  if (summary.left > 0) throw Interrupted();
}

}  // namespace

void add_data_relabel(CLI::App& data) {
  auto options = std::make_shared<RelabelOptions>();
  CLI::App* relabel = data.add_subcommand(
      "relabel",
      "Copy shards with an endgame table's or a newer network's word in the search's place.");
  add_data_paths(*relabel, options->in);
  add_optional_table(*relabel, options->table, ": its values where it knows them");
  CLI::Option* checkpoint =
      relabel
          ->add_option(
              "--checkpoint", options->checkpoint,
              "checkpoint, weights file, run or pretrained: its search at every searched ply")
          ->check(check_not_empty)
          ->type_name("PATH");
  relabel
      ->add_option("--out", options->out,
                   "directory for the copies, of the same names; or, of one shard, a file .h5")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  add_json(*relabel, options->json);
  add_threads(*relabel, options->run.threads);
  add_simulations(*relabel, options->search);
  add_player_search(*relabel, options->search);
  add_evaluator(*relabel, options->evaluator);
  // A table searches nothing.
  for (CLI::Option* option : relabel->get_options()) {
    const auto& group = option->get_group();
    if (group == "Search" || group == "Evaluator") option->needs(checkpoint);
  }
  relabel->footer(
      "--table: at every ply whose board the table covers, root_value and root_margin are limited\n"
      "to what the table grants both players. Where that is one number it is the truth, bit 3 of\n"
      "flags is set, and training takes it as the target instead of what was played later. It is\n"
      "certain right after a capture, elsewhere as good as certain: a repetition with a position\n"
      "of before might still come in between.\n"
      "--checkpoint: every searched ply is searched again, without noise; visits, policy, prior,\n"
      "values and margins become those of the new search.\n"
      "\n"
      "Moves and outcomes are not changed, and nothing is overwritten. Copies that are there\n"
      "already are skipped, so that the same command goes on where it was stopped. A copy says\n"
      "who it was (relabelled_by).\n"
      "\n"
      "Examples:\n"
      "  awale endgame build --rules abapa --seeds 15 --out abapa-15.eg\n"
      "  awale data relabel runs/quickstart/shards/*.h5 --table abapa-15.eg --out relabelled\n"
      "  awale data relabel runs/old --checkpoint runs/new --simulations 100 --out newer");
  relabel->callback([options] { run_relabel(*options); });
}

}  // namespace awale::training
