#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <thread>

#include "env/endgame/verify.hpp"
#include "env/error.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

struct EndgameVerifyOptions {
  std::string table;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
};

void run_endgame_verify(const EndgameVerifyOptions& options) {
  const env::EndgameTable table = env::EndgameTable::open(options.table);
  const std::uint64_t boards = env::layer_begin(table.seeds() + 1);
  Progress progress("verify", "boards", boards);
  const auto mismatch = env::find_mismatch(
      table, options.threads, [&progress](std::uint64_t count) { progress.advance(count); });
  if (mismatch) {
    std::ostringstream problem;
    problem << "endgame table '" << options.table << "': " << mismatch->board
            << ": expected guarantees " << int{mismatch->expected.win} << " and "
            << int{mismatch->expected.loss} << " from its moves, found " << int{mismatch->found.win}
            << " and " << int{mismatch->found.loss};
    throw InputError(ErrorKind::kFile, problem.str());
  }
  std::printf("%s: %s up to %d seeds, all %llu boards agree with their moves\n",
              options.table.c_str(), table.rules().name.c_str(), table.seeds(),
              static_cast<unsigned long long>(boards));
}

}  // namespace

void add_endgame_verify(CLI::App& endgame) {
  auto options = std::make_shared<EndgameVerifyOptions>();
  CLI::App* verify = endgame.add_subcommand(
      "verify", "Check a table's checksums and recompute every entry from its moves.");
  add_table(*verify, options->table);
  add_threads(*verify, options->threads);
  verify->footer(
      "Every board's moves are played by the rules and looked up. The first board that differs is\n"
      "named and ends with exit code 4, as damage does.\n"
      "\n"
      "Example:\n"
      "  awale endgame verify --table awari-15.eg");
  verify->callback([options] { run_endgame_verify(*options); });
}

}  // namespace awale::training
