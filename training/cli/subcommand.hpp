// The subcommands of `awale`, one file each. A function adds its subcommand with its options, its
// help and the callback that runs it; results go to stdout, progress and logs to stderr. What it
// throws is caught once, in main.
#pragma once

#include <CLI/CLI.hpp>

namespace awale::training {

void add_train(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_play(CLI::App& app);
void add_analyze(CLI::App& app);
void add_uci(CLI::App& app);
void add_serve(CLI::App& app);
void add_report(CLI::App& app);
void add_selfplay(CLI::App& app);
void add_match(CLI::App& app);
void add_gauntlet(CLI::App& app);
void add_grade(CLI::App& app);
void add_convert(CLI::App& app);
void add_export(CLI::App& app);
void add_inspect(CLI::App& app);
void add_perft(CLI::App& app);
void add_tune(CLI::App& app);
void add_bench(CLI::App& app);
void add_bench_endgame(CLI::App& bench);
void add_bench_game(CLI::App& bench);
void add_bench_learner(CLI::App& bench);
void add_bench_minimax(CLI::App& bench);
void add_bench_nn(CLI::App& bench);
void add_bench_search(CLI::App& bench);
void add_rules_command(CLI::App& app);
void add_show(CLI::App& app);
void add_check(CLI::App& app);
void add_endgame(CLI::App& app);
void add_data(CLI::App& app);
void add_completion(CLI::App& app);
void add_manual(CLI::App& app);

}  // namespace awale::training
