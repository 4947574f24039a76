#include "training/data/merge.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "env/error.hpp"
#include "training/format_text.hpp"
#include "training/game_statistics.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

// Texts that name tables or networks, each once.
void add_names(std::string& names, const std::string& more) {
  if (more.empty() || names.find(more) != std::string::npos) return;
  names += (names.empty() ? "" : "; ") + more;
}

class Merger {
 public:
  explicit Merger(bool drop_duplicates) : drop_duplicates_(drop_duplicates) {}

  void add(const fs::path& file) {
    Shard shard = read_shard(file);
    const auto first_source = add_sources(file, shard.provenance);
    const auto rules = add_rule_sets(shard.provenance.rules);
    for (auto& game : shard.games) {
      game.source_index = static_cast<std::uint16_t>(first_source + game.source_index);
      game.rules_index = rules[game.rules_index];
      add_game(file, std::move(game));
    }
    add_provenance(shard.provenance);
    ++counts_.files;
  }

  Shard take() {
    merged_.provenance.git_revision = kGitRevision;
    return std::move(merged_);
  }
  const MergeCounts& counts() const { return counts_; }

 private:
  // The index of the file's first source.
  std::size_t add_sources(const fs::path& file, const Provenance& provenance) {
    auto& sources = merged_.provenance.sources;
    const std::size_t first = sources.size();
    if (provenance.sources.empty()) {
      sources.push_back({file.string(), provenance.seed, provenance.checkpoint,
                         provenance.iteration, provenance.git_revision});
    }
    sources.insert(sources.end(), provenance.sources.begin(), provenance.sources.end());
    if (sources.size() <= kMaxSources) return first;
    throw InputError(ErrorKind::kMismatch, quoted(file) + ": more than " +
                                               std::to_string(kMaxSources) +
                                               " sources do not go into one shard");
  }

  std::vector<std::uint8_t> add_rule_sets(std::span<const env::RuleSet> rule_sets) {
    std::vector<std::uint8_t> indices;
    for (const auto& rules : rule_sets)
      indices.push_back(add_rules(merged_.provenance.rules, rules));
    return indices;
  }

  void add_game(const fs::path& file, GameRecord&& game) {
    const std::uint64_t seed = merged_.provenance.sources[game.source_index].seed;
    const auto [seen, is_new] =
        seen_.insert({{seed, game.game_id, hash_course(game)}, file_number_of(file)});
    if (!is_new) {
      if (!drop_duplicates_) refuse(file, game.game_id, seed, files_[seen->second]);
      ++counts_.dropped;
      return;
    }
    ++counts_.games;
    counts_.plies += game.plies.size();
    merged_.games.push_back(std::move(game));
  }

  [[noreturn]] static void refuse(const fs::path& file, std::uint64_t id, std::uint64_t seed,
                                  const fs::path& before) {
    throw InputError(ErrorKind::kMismatch, quoted(file) + ": game id " + std::to_string(id) +
                                               " of seed " + std::to_string(seed) + " stands in " +
                                               quoted(before) +
                                               ", too (--drop-duplicates keeps the first)");
  }

  std::size_t file_number_of(const fs::path& file) {
    if (files_.empty() || files_.back() != file) files_.push_back(file);
    return files_.size() - 1;
  }

  void add_provenance(const Provenance& provenance) {
    auto& merged = merged_.provenance;
    add_names(merged.adjudicated_by, provenance.adjudicated_by);
    add_names(merged.relabelled_by, provenance.relabelled_by);
    if (counts_.files > 0 && provenance.iteration < merged.iteration) return;
    merged.seed = provenance.seed;
    merged.checkpoint = provenance.checkpoint;
    merged.iteration = provenance.iteration;
  }

  bool drop_duplicates_;
  Shard merged_;
  MergeCounts counts_;
  std::vector<fs::path> files_;
  // Seed, id, course: of which file.
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> seen_;
};

}  // namespace

Shard merge_shards(std::span<const fs::path> files, bool drop_duplicates,
                   const std::function<void()>& on_file, MergeCounts& counts) {
  Merger merger(drop_duplicates);
  for (const auto& file : files) {
    merger.add(file);
    on_file();
  }
  counts = merger.counts();
  return merger.take();
}

}  // namespace awale::training
