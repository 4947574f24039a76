#include "training/cli/endgame.hpp"

#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {

CLI::Option* add_table(CLI::App& app, std::string& path) {
  return add_optional_table(app, path, "")->required();
}

CLI::Option* add_optional_table(CLI::App& app, std::string& path, const std::string& use) {
  return app.add_option("--table", path, "an endgame table, made by `awale endgame build`" + use)
      ->check(check_not_empty)
      ->type_name("FILE");
}

void add_endgame(CLI::App& app) {
  CLI::App* endgame = app.add_subcommand(
      "endgame", "Solve all boards with few seeds exactly; look up, check and count them.");
  endgame->require_subcommand(1);
  add_endgame_build(*endgame);
  add_endgame_probe(*endgame);
  add_endgame_verify(*endgame);
  add_endgame_stats(*endgame);
  endgame->footer(
      "A table knows, for every board with up to K seeds, what the rest of the game is worth,\n"
      "stores left out. Where a circling game shares the rest equally (awari), that is one value.\n"
      "Where each gets the seeds of his row (abapa and others), it depends on where the circle is\n"
      "cut, and a table holds what each player can force; where the two share out all seeds, the\n"
      "value is known, too.\n"
      "\n"
      "  seeds      boards      bytes (awari, abapa)\n"
      "     12   2,704,156      2.7 MB    5.4 MB\n"
      "     15  17,383,860     17.4 MB     35 MB\n"
      "     18  86,493,225     86.5 MB    173 MB\n"
      "     20 225,792,840      226 MB    452 MB\n"
      "\n"
      "Examples:\n"
      "  awale endgame build --rules abapa --seeds 15 --out abapa-15.eg\n"
      "  awale endgame probe 1-0-0-2-0-1-0-1-0-0-2-0-20-21-S --table abapa-15.eg");
}

}  // namespace awale::training
