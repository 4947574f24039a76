"""The `awale` command as a user meets it: output, exit codes, one line of error, pipes.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/cli_test.py
"""

import functools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

AWALE = os.environ["AWALE"]
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"

WORK = tempfile.TemporaryDirectory()
SMALL_CONFIG = """\
[run]
iterations = 2
[network]
blocks = 1
width = 8
[search]
simulations = 4
[self_play]
random_opening_plies = 8  # of 40 plies, most shall be searched
games = 8
group_games = 8
plies_per_iteration = 40
[learner]
batch_rows = 16
warmup_rows = 16
[evaluation]
games = 0
"""


def awale(*arguments, stdin=""):
    """Runs the command; returns (exit code, stdout, stderr)."""
    done = subprocess.run(
        [AWALE, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def write(name, text):
    path = Path(WORK.name) / name
    path.write_text(text)
    return path


@functools.cache
def small_run():
    """A run directory, trained as little as can be."""
    run = Path(WORK.name) / "run"
    code, _, stderr = awale("train", "--config", write("small.toml", SMALL_CONFIG), "--run", run)
    assert code == 0, stderr
    return run


def tearDownModule():
    WORK.cleanup()


class CommandTest(unittest.TestCase):
    def assert_refused(self, code, *arguments, says=()):
        """One line on stderr that holds every text of `says`, nothing on stdout, this exit code."""
        found, stdout, stderr = awale(*arguments)
        self.assertEqual(found, code, stderr)
        self.assertEqual(stdout, "")
        self.assertTrue(stderr.startswith("awale: error: "), stderr)
        self.assertEqual(stderr.count("\n"), 1, stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, stderr)

    def output(self, *arguments, stdin=""):
        code, stdout, stderr = awale(*arguments, stdin=stdin)
        self.assertEqual(code, 0, stderr)
        return stdout


class WithoutLibTorch(CommandTest):
    """A copy of the program that lies alone, without the module that computes with LibTorch."""

    def alone(self, *arguments):
        folder = Path(WORK.name) / "alone"
        folder.mkdir(exist_ok=True)
        shutil.copy(AWALE, folder / "awale")
        return subprocess.run([folder / "awale", *map(str, arguments)], capture_output=True, text=True, timeout=120)

    def test_what_needs_no_libtorch_works(self):
        for arguments in (("rules",), ("analyze", "start", "--simulations", 4), ("--version",)):
            self.assertEqual(self.alone(*arguments).returncode, 0)
        self.assertIn("no LibTorch: libawale_torch.so must lie beside", self.alone("--version").stdout)

    def test_what_needs_it_says_what_is_missing(self):
        for arguments in (("analyze", "start", "--evaluator", "torch"),
                          ("export", "--format", "onnx", "--checkpoint", "pretrained", "--out", Path(WORK.name) / "a.onnx")):
            done = self.alone(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (4, "", 1), done.stderr)
            self.assertIn("libawale_torch.so must lie beside the program", done.stderr)


class Help(CommandTest):
    def test_main_help_documents_subcommands_and_exit_codes(self):
        text = self.output("--help")
        for word in ("perft", "Exit codes:", "7  training diverged"):
            self.assertIn(word, text)

    def test_every_subcommand_explains_itself_with_an_example(self):
        listed = self.output("--help").split("Subcommands:\n")[1].split("\n\n")[0]
        names = [line.split()[0] for line in listed.splitlines() if line[2:3] != " "]
        self.assertIn("perft", names)
        for name in names:
            self.assertIn("awale " + name, self.output(name, "--help"))

    def test_help_wins_over_a_config_file(self):
        self.assertIn("Usage:", self.output("train", "--config", "no/such.toml", "--help"))


class Usage(CommandTest):
    def test_missing_and_unknown_subcommands(self):
        self.assert_refused(2, says="subcommand")
        self.assert_refused(2, "prft", "3", says=["no subcommand 'prft'", "perft"])

    def test_unknown_and_malformed_options(self):
        self.assert_refused(2, "perft", "3", "--speed", says=["--speed", "awale perft --help"])
        self.assert_refused(2, "perft", says="DEPTH")
        self.assert_refused(2, "perft", "three", says=["DEPTH", "three"])
        self.assert_refused(2, "perft", "0", says="DEPTH")
        self.assert_refused(2, "perft", "3", "4", says="4")

    def test_numbers_that_do_not_fit_are_refused(self):
        network = ("--checkpoint", small_run())
        out = Path(WORK.name) / "refused"
        for number in ("-1", "18446744073709551616", "1e3", "nan", ""):
            self.assert_refused(2, "evaluate", *network, "--against", "random", "--seed", number,
                                says=["--run.seed", "expected a whole number, 0 or more"])
        for number in ("-1", "0", "99999999999"):
            self.assert_refused(2, "selfplay", *network, "--games", number, "--out", out,
                                says="--games")
        self.assert_refused(2, "evaluate", *network, "--against", "random", "--device", "gpu",
                            says=["device", "auto, cpu, cuda"])
        self.assertFalse(out.exists())

    def test_evaluators_that_contradict_or_are_not_here_are_refused(self):
        evaluate = ("evaluate", "--checkpoint", small_run(), "--against", "random")
        self.assert_refused(2, *evaluate, "--evaluator", "fast",
                            says=["evaluator", "auto, torch, torch-bf16, eigen, cpu-fp32, cpu-bf16, "
                                  "cpu-int8"])
        for command in (evaluate, ("analyze", START), ("match", "random", "random"),
                        ("train", "--run", Path(WORK.name) / "refused")):
            self.assert_refused(2, *command, "--evaluator", "eigen", "--device", "cuda",
                                says=["evaluator.device", "contradicts", "take kind auto"])
            self.assert_refused(2, *command, "--evaluator", "torch", "--evaluator.cache", "64",
                                says=["evaluator.cache", "expected 0"])
        self.assertFalse((Path(WORK.name) / "refused").exists())
        # Either the processor has it or the error says what is missing and what to take.
        for kind in ("cpu-fp32", "cpu-bf16", "cpu-int8"):
            if awale(*evaluate, "--games", "2", "--evaluator", kind)[0] != 0:
                self.assert_refused(2, *evaluate, "--games", "2", "--evaluator", kind,
                                    says=["evaluator.kind", "which this processor lacks", "torch"])

    def test_every_command_tells_its_evaluator(self):
        eigen = ("--checkpoint", small_run(), "--evaluator", "eigen", "--simulations", "4")
        name = "eigen 1x8"
        self.assertIn(name, self.output("evaluate", *eigen, "--against", "random", "--games", "2"))
        self.assertIn(name, self.output("analyze", START, *eigen))
        self.assertIn(name, self.output("play", *eigen, stdin="F\n"))
        self.assertIn(name, self.output("match", small_run(), "random", *eigen[2:], "--games", "2"))
        code, _, stderr = awale("selfplay", *eigen, "--evaluator.cache", "100", "--games", "4",
                                "--out", Path(WORK.name) / "cached")
        self.assertEqual(code, 0, stderr)
        self.assertIn(name + ", cache 100", stderr)

    def test_empty_texts_are_refused(self):
        self.assert_refused(2, "perft", "2", "--position", "", says="--position")
        self.assert_refused(2, "analyze", START, "--checkpoint", "", says="--checkpoint")

    def test_an_option_in_place_of_a_subcommand_is_named(self):
        self.assert_refused(2, "--bogus", says="--bogus")

    def test_unknown_rules(self):
        self.assert_refused(2, "perft", "3", "--rules", "kalah", says=["kalah", "abapa"])
        self.assert_refused(2, "perft", "3", "--rules.grand_slam", "no", says="rules.grand_slam")
        self.assert_refused(2, "perft", "3", "--rules.ply_limit", "-1", says="rules.ply_limit")

    def test_a_full_disk_is_an_error(self):
        if not Path("/dev/full").is_char_device():
            self.skipTest("/dev/full is not a device here")
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [AWALE, "perft", "1"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 6)
        self.assertEqual(done.stderr.count("\n"), 1)


class Perft(CommandTest):
    def test_counts_from_the_start(self):
        self.assertEqual(self.output("perft", "6"), "27332\n")
        self.assertEqual(self.output("perft", "6", "--rules", "awari"), "27332\n")
        self.assertEqual(self.output("perft", "6", "--rules", "wari_caribbean"), "23913\n")

    def test_divide_adds_up(self):
        lines = self.output("perft", "4", "--divide").splitlines()
        self.assertEqual([line.split()[0] for line in lines], list("ABCDEF"))
        self.assertEqual(sum(int(line.split()[1]) for line in lines), 1014)

    def test_a_position_is_checked(self):
        self.assert_refused(3, "perft", "1", "--position", "4-4-4", says="4-4-4")
        self.assert_refused(3, "perft", "1", "--position", START.replace("S", "X"), says="X")
        too_many = START.replace("4-0-0", "5-0-0")
        self.assert_refused(3, "perft", "1", "--position", too_many, says="49")
        study = "1-0-0-0-0-1-0-0-0-0-0-0"
        self.assert_refused(3, "perft", "1", "--position", study + "-0-0-S", says="48")
        self.assertEqual(self.output("perft", "1", "--study", "--position", study), "1\n")


class Bench(CommandTest):
    QUICK = ("bench", "env", "--seconds", "0.001", "--rounds", "1")

    def test_json_lists_every_kernel_and_setting_once(self):
        rows = json.loads(self.output(*self.QUICK, "--games", 1, 65, "--threads", 1, 2, "--json"))
        naive = [row for row in rows if row["kernel"] == "naive"]
        self.assertEqual(
            sorted((row["games"], row["threads"], row["repetition"]) for row in naive),
            sorted((games, threads, repetition)
                   for games in (1, 65) for threads in (1, 2) for repetition in (False, True)))
        self.assertLessEqual({"naive", "scalar", "portable"}, {row["kernel"] for row in rows})
        for row in rows:
            self.assertTrue(0 < row["lowest"] <= row["moves_per_s"] <= row["highest"], row)

    def test_the_table_compares_with_naive(self):
        table = self.output(*self.QUICK, "--games", 64, "--threads", 1, "--kernel", "naive", "portable")
        self.assertRegex(table, r"no +1 +64  portable +[0-9.]+ \[[0-9.]+, [0-9.]+\]  [0-9.]+x\n")

    QUICK_NN = ("bench", "nn", "--seconds", "0.001", "--rounds", "1")

    def test_networks_are_measured_by_every_evaluator(self):
        rows = json.loads(self.output(*self.QUICK_NN, "--network", "1x16", "2x24", "--batch", 1, 3, "--json"))
        eigen = [row for row in rows if row["evaluator"] == "eigen"]
        self.assertEqual(
            sorted((row["network"], row["batch"], row["threads"]) for row in eigen),
            [("1x16", 1, 1), ("1x16", 3, 1), ("2x24", 1, 1), ("2x24", 3, 1)])
        self.assertLessEqual({"torch", "eigen", "encode"}, {row["evaluator"] for row in rows})
        for row in rows:
            self.assertTrue(0 < row["lowest"] <= row["rows_per_s"] <= row["highest"], row)
            if row["network"]:
                self.assertTrue(row["gflops"] > 0 and row["bare_gflops"] > 0 and row["ratio"] > 0, row)

    def test_the_table_of_networks_compares_with_torch(self):
        table = self.output(*self.QUICK_NN, "--network", "1x16", "--batch", 2)
        self.assertRegex(table, r"1x16 +eigen +1 +2 +[0-9.]+ \[[0-9.]+, [0-9.]+\] +[0-9.]+ +[0-9.]+  [0-9.]+x\n")

    def test_learners_are_compared_with_torch(self):
        quick = ("bench", "learner", "--seconds", "0.001", "--rounds", "1", "--batch", 16)
        rows = json.loads(self.output(*quick, "--network", "1x16", "2x24", "--json"))
        self.assertLessEqual({(network, learner) for network in ("1x16", "2x24")
                              for learner in ("torch", "cpu-fp32")},
                             {(row["network"], row["learner"]) for row in rows})
        for row in rows:
            self.assertTrue(0 < row["fastest_ms"] <= row["step_ms"] <= row["slowest_ms"], row)
        table = self.output(*quick, "--network", "1x16")
        self.assertRegex(table, r"1x16 +cpu-fp32 +16 +[0-9.]+ \[[0-9.]+, [0-9.]+\]  [0-9.]+x\n")

    def test_minimax_is_measured_beside_a_loop_of_moves(self):
        quick = ("bench", "minimax", "--depth", "4", "--seconds", "0.001", "--rounds", "1")
        found = json.loads(self.output(*quick, "--json"))
        self.assertEqual([one["search"] for one in found],
                         ["moves", "seeds", "seeds, start", "tuned", "tuned, start"])
        for one in found:
            self.assertGreater(one["nodes_per_s"], 0)
        self.assertIn("Mnodes/s", self.output(*quick))

    def test_minimax_is_tuned_alike_on_one_thread_and_two(self):
        arguments = ("tune", "--games", 40, "--depth", 2, "--json")
        one = self.output(*arguments, "--threads", 1)
        self.assertEqual(one, self.output(*arguments, "--threads", 2))
        self.assertEqual(json.loads(one)["weights"]["store_seeds"], 100)
        self.assert_refused(2, "tune", "--evaluation", "guess", says="expected seeds or tuned")

    QUICK_GAME = ("bench", "game", "--seconds", "0.001", "--rounds", "1", "--network", "1x16")

    def test_a_single_game_is_searched_in_both_ways_on_every_number_of_threads(self):
        for algorithm, searches in (("gumbel", ("shared", "split")), ("puct", ("shared",))):
            rows = json.loads(self.output(
                *self.QUICK_GAME, "--simulations", 8, 20, "--algorithm", algorithm, "--json"))
            self.assertEqual(
                sorted((row["search"], row["simulations"], row["threads"]) for row in rows),
                sorted((search, simulations, threads) for search in searches
                       for simulations in (8, 20) for threads in (1, 2)))
            for row in rows:
                self.assertTrue(0 < row["lowest"] <= row["sims_per_s"] <= row["highest"], row)
        table = self.output(*self.QUICK_GAME, "--simulations", 8, "--threads", 2)
        self.assertRegex(table, r"8 +1 +2  split +[0-9.]+ \[[0-9.]+, [0-9.]+\]\n")

    def test_bad_networks_and_evaluators_are_refused(self):
        self.assert_refused(2, "bench", "nn", "--network", "2y128", says="as in 2x128, found '2y128'")
        self.assert_refused(2, "bench", "nn", "--network", "0x128", says="network.blocks")
        self.assert_refused(2, "bench", "nn", "--evaluator", "abacus", says="found 'abacus'")

    def test_bad_settings_are_refused(self):
        self.assert_refused(2, "bench", "nix", says="no subcommand 'nix'; there are env")
        self.assert_refused(2, "bench", "env", "--seconds", "nan", says=["0.001..3600", "awale bench env --help"])
        self.assert_refused(2, "bench", "env", "--repetition", "2", says="0..1")

    def test_an_unknown_kernel_is_named(self):
        self.assert_refused(2, "bench", "env", "--kernel", "mmx",
                            says=["--kernel: expected one of naive, scalar, portable", "found 'mmx'"])


class Config(CommandTest):
    def refuse(self, text, says, *arguments):
        file = write("bad.toml", SMALL_CONFIG + text)
        run = Path(WORK.name) / "refused"
        says = [str(file), *says]
        self.assert_refused(2, "train", "--config", file, "--run", run, *arguments, says=says)
        self.assertFalse(run.exists())

    def test_misspelt_keys_and_unknown_sections(self):
        self.refuse("[rules]\nply_limt = 5\n", ["rules.ply_limt", "rules.ply_limit"])
        self.refuse("[learning]\nrate = 5\n", ["[learning]"])

    def test_values_of_the_wrong_type_or_out_of_range(self):
        self.refuse("[rules]\nply_limit = \"many\"\n", ["rules.ply_limit"])
        self.refuse("[targets]\nlambda = \"many\"\n", ["targets.lambda"])
        file = write("range.toml", SMALL_CONFIG.replace("width = 8", "width = 0"))
        self.assert_refused(2, "train", "--config", file, "--run", "refused", says="network.width")

    def test_settings_that_would_fail_after_the_training(self):
        file = write("small.toml", SMALL_CONFIG)
        self.assert_refused(2, "train", "--config", file, "--run", "late", "--evaluation.opponents",
                            "nonsense", says=["evaluation.opponents", "nonsense"])
        self.assertFalse(Path("late").exists())

    def test_a_large_seed_of_an_earlier_version_is_resumed(self):
        seed = "18446744073709551615"
        run = Path(WORK.name) / "large-seed"
        self.output("train", "--config", write("seed.toml", SMALL_CONFIG), "--run", run, "--seed", seed)
        config = run / "config.toml"
        self.assertIn(f'seed = "{seed}"\n', config.read_text())
        config.write_text(config.read_text().replace(f'"{seed}"', seed))
        self.output("train", "--run", run, "--resume")
        self.assertIn(f'seed = "{seed}"\n', config.read_text())

    def test_a_missing_file_is_a_file_error(self):
        self.assert_refused(4, "train", "--config", "no/such.toml", "--run", "x", says="no/such")

    def test_the_resolved_config_says_what_was_in_force(self):
        text = (small_run() / "config.toml").read_text()
        self.assertIn("\n[search]\nsimulations = 4\nalgorithm = \"gumbel\"\n", text)
        self.assertIn("width = 8\n", text)
        self.assertIn("preset = \"abapa\"\n", text)


class Evaluate(CommandTest):
    def evaluate(self, *arguments):
        text = self.output("evaluate", "--checkpoint", small_run(), *arguments, "--json")
        return json.loads(text)

    def test_json_has_the_rating_and_its_interval(self):
        found = self.evaluate("--against", "random", "--games", 40, "--simulations", 8)
        self.assertEqual(found["games"], 40)
        self.assertEqual(found["wins"] + found["draws"] + found["losses"], 40)
        self.assertAlmostEqual(found["points_percent"],
                               100 * (found["wins"] + found["draws"] / 2) / 40)
        self.assertLessEqual(found["points_percent_low"], found["points_percent"])
        self.assertLessEqual(found["points_percent"], found["points_percent_high"])
        self.assertLessEqual(found["elo_low"], found["elo"])
        self.assertLessEqual(found["elo"], found["elo_high"])
        self.assertGreaterEqual(found["distinct_games"], 39)

    def test_threads_do_not_change_the_result(self):
        arguments = ("--against", "minimax:2", "--games", 80, "--simulations", 4)
        one, two = (self.evaluate(*arguments, "--threads", n) for n in (1, 2))
        for found in (one, two):
            del found["first_ms_per_move"], found["second_ms_per_move"]
        self.assertEqual(one, two)

    def test_games_come_in_pairs(self):
        for games in ("0", "7"):
            self.assert_refused(
                2, "evaluate", "--checkpoint", small_run(), "--against", "random", "--games", games,
                says=["games", "even"])

    def test_unknown_opponents_and_missing_checkpoints(self):
        self.assert_refused(
            2, "evaluate", "--checkpoint", small_run(), "--against", "stockfish",
            says=["stockfish", "minimax:DEPTH"])
        self.assert_refused(
            4, "evaluate", "--checkpoint", "no/such.h5", "--against", "random", says="no/such.h5")
        damaged = write("damaged.h5", "this is no checkpoint")
        self.assert_refused(
            4, "evaluate", "--checkpoint", damaged, "--against", "random", says="damaged.h5")

    def test_text_names_players_and_interval(self):
        text = self.output(
            "evaluate", "--checkpoint", small_run(), "--against", "random", "--games", 2)
        self.assertIn("against random: 2 games, 2 distinct\n", text)
        self.assertIn("95 % intervals", text)


class Analyze(CommandTest):
    def analyze(self, *arguments):
        return json.loads(self.output("analyze", *arguments, "--json"))

    def test_json_describes_every_legal_move(self):
        for checkpoint in ("pretrained", "none", small_run()):
            found = self.analyze(START, "--simulations", 60, "--checkpoint", checkpoint)
            self.assertEqual([move["move"] for move in found["moves"]], list("ABCDEF"))
            self.assertEqual([move["lands"] for move in found["moves"]], list("EFabcd"))
            self.assertEqual(sum(move["visits"] for move in found["moves"]), 60)
            self.assertAlmostEqual(sum(move["prior"] for move in found["moves"]), 1, places=5)
            self.assertEqual(found["best"], found["line"][0])
            self.assertEqual("network" in found, checkpoint != "none")
            if checkpoint != "none":
                quartiles = found["network"]["margin_quartiles"]
                self.assertEqual(quartiles, sorted(quartiles))
                self.assertGreaterEqual(found["network"]["plies_left"], 0)

    def test_networks_of_before_the_auxiliary_heads_say_that_they_lack_them(self):
        old = os.path.join(os.path.dirname(__file__), "../golden/checkpoint_without_auxiliary.h5")
        found = self.analyze(START, "--simulations", 4, "--checkpoint", old)
        self.assertIsNone(found["network"]["margin_quartiles"])
        self.assertIsNone(found["network"]["plies_left"])
        self.assertIn("no plies left and quartiles: this network was made before",
                      self.output("analyze", START, "--simulations", 4, "--checkpoint", old))

    def test_threads_change_nothing_but_the_time(self):
        for algorithm in ("gumbel", "puct"):
            search = (START, "--checkpoint", small_run(), "--algorithm", algorithm)
            one, two = (self.analyze(*search, "--threads", threads) for threads in (1, 2))
            self.assertEqual(one.pop("evaluator") + ", 2 threads", two.pop("evaluator"))
            self.assertEqual(one, two)
        self.assert_refused(2, "analyze", START, "--threads", 0, says="threads")

    def test_no_number_lies_outside_what_the_stores_make_certain(self):
        # South's store is ahead by more than the rest, and auale plays on to the end.
        found = self.analyze("6-0-2-0-0-0-1-0-1-0-0-1-33-4-S", "--rules", "auale",
                             "--simulations", 50)
        self.assertGreater(found["value"], 0.9)
        for move in found["moves"]:
            low, high = move["certain_seeds"]
            self.assertGreaterEqual(low, 18)
            self.assertLessEqual(low, move["margin_seeds"])
            self.assertLessEqual(move["margin_seeds"], high)
            self.assertGreater(move["value"], 0.9)

    def test_a_move_without_visits_has_no_value(self):
        found = self.analyze(START, "--algorithm", "puct", "--simulations", 2)
        unvisited = [move for move in found["moves"] if move["visits"] == 0]
        self.assertTrue(unvisited)
        for move in unvisited:
            self.assertIsNone(move["value"])
            self.assertIsNone(move["margin_seeds"])

    def test_a_capture_is_seen_and_wins(self):
        found = self.analyze("0-0-0-0-0-6-1-1-5-1-2-1-20-11-S", "--simulations", 200)
        self.assertEqual(found["moves"][0]["lands"], "f")
        self.assertEqual(found["moves"][0]["takes"], 7)
        self.assertGreater(found["value"], 0.9)

    def test_north_has_its_own_letters(self):
        found = self.analyze("4-4-4-4-4-0-5-5-5-5-4-4-0-0-N")
        self.assertEqual([move["move"] for move in found["moves"]], list("abcdef"))

    def test_study_positions_and_finished_games(self):
        study = "1-1-0-0-0-0-0-0-0-0-0-0"
        self.assert_refused(3, "analyze", study, says=study)
        found = self.analyze(study, "--study")
        self.assertEqual((found["over"], found["margin_south_seeds"]), (True, 2))
        self.assertIn("South wins by 2 seeds", self.output("analyze", study, "--study"))

    def test_refused_positions_and_rules(self):
        self.assert_refused(3, "analyze", "4-4", says="4-4")
        self.assert_refused(3, "analyze", START.replace("4-0-0", "x-0-0"), says="x")
        self.assert_refused(
            5, "analyze", START, "--checkpoint", small_run(), "--rules", "awari",
            says=["abapa", "awari"])


class Play(CommandTest):
    def test_a_person_plays_through_a_pipe(self):
        text = self.output("play", "--north", "human", stdin="F\nf\nundo\ne\nx\nquit\n")
        self.assertIn("'x' is no pit of South", text)
        self.assertIn("Moves: Fe\n", text)

    def test_the_network_gives_a_hint(self):
        text = self.output("play", "--north", "human", stdin="hint\nquit\n")
        self.assertRegex(text, r"South> [A-F]: last seed on [a-fA-F].*; value .*margin [+-]\d+\.\d seeds, line ")
        self.assertIn("Moves: none\n", text)

    def test_a_network_that_cannot_give_a_hint_does_not_end_the_game(self):
        for arguments, says in ((("--checkpoint", "/nowhere"), "/nowhere"),
                                (("--checkpoint", small_run(), "--rules", "awari"), "awari")):
            text = self.output("play", "--north", "human", *arguments, stdin="hint\nF\nquit\n")
            self.assertRegex(text, f"South> no hint: .*{says}")
            self.assertIn("Moves: F\n", text)

    def test_the_end_of_input_ends_the_game(self):
        text = self.output("play", "--north", f"mcts:{small_run()}:4", stdin="F\n")
        self.assertIn("North (mcts:4 ", text)
        self.assertIn("End of input.\n", text)

    def test_the_agent_of_a_checkpoint_is_called_mcts(self):
        arguments = ("play", "--checkpoint", small_run(), "--simulations", 4)
        self.assertIn("North (mcts:4 ", self.output(*arguments, stdin="F\n"))
        text = self.output(*arguments, "--south", "mcts", "--north", "random")
        self.assertIn("South (mcts:4 ", text)

    def test_two_players_play_to_the_end(self):
        text = self.output("play", "--south", "minimax:2", "--north", "uniform-mcts:8")
        self.assertIn("Game over: ", text)

    def test_unknown_players_are_refused(self):
        self.assert_refused(2, "play", "--south", "me", says=["me", "minimax:DEPTH"])


class Pretrained(CommandTest):
    """The network that comes with the program: part of it, and taken where no other is named."""

    def test_it_is_what_people_meet_and_ask(self):
        self.assertIn("North (mcts:64 pretrained", self.output("play", stdin="F\n"))
        found, named = (json.loads(self.output("analyze", START, "--json", *checkpoint))
                        for checkpoint in ((), ("--checkpoint", "pretrained")))
        self.assertEqual(found, named)
        self.assertEqual(found["best"], "F")

    def test_it_plays_every_preset(self):
        for preset in json.loads(self.output("rules", "--json"))["presets"]:
            report = json.loads(self.output("match", "pretrained:8", "random", "--games", 10,
                                            "--rules", preset["name"], "--json"))
            self.assertGreater(report["points_percent"], 90, preset["name"])

    def test_other_rules_are_refused(self):
        self.assert_refused(5, "play", "--rules.target_seeds", 30,
                            says=["pretrained", "target_seeds=30"])

    def test_it_can_be_had_in_every_format(self):
        for name in ("torchscript", "onnx", "weights"):
            out = Path(WORK.name) / ("pretrained." + name)
            self.output("export", "--checkpoint", "pretrained", "--format", name, "--out", out)
        found, own = (json.loads(self.output("analyze", START, "--json", "--checkpoint", checkpoint))
                      for checkpoint in (out, "pretrained"))
        self.assertEqual(found["moves"], own["moves"])


class Export(CommandTest):
    def test_every_format_is_written_and_checked(self):
        for name in ("torchscript", "onnx", "weights"):
            out = Path(WORK.name) / ("agent." + name)
            found = json.loads(self.output(
                "export", "--checkpoint", small_run(), "--format", name, "--out", out, "--json"))
            self.assertLess(found["max_difference"], 1e-5)
            self.assertGreater(out.stat().st_size, 0)
        self.output("evaluate", "--checkpoint", out, "--against", "random", "--games", 2)

    def test_what_cannot_be_written_is_refused(self):
        self.assert_refused(
            2, "export", "--checkpoint", small_run(), "--format", "pt", "--out", "x", says="onnx")
        self.assert_refused(
            6, "export", "--checkpoint", small_run(), "--format", "onnx", "--out", "/no/such/x",
            says="/no/such")

    def test_the_checkpoint_that_is_read_is_not_replaced(self):
        newest = max((small_run() / "checkpoints").glob("*.h5"))
        kept = newest.read_bytes()
        self.assert_refused(
            2, "export", "--checkpoint", small_run(), "--format", "weights", "--out", newest,
            says="is read for it")
        self.assertEqual(newest.read_bytes(), kept)

    def test_a_device_is_not_replaced(self):
        pipe = Path(WORK.name) / "pipe"
        os.mkfifo(pipe)
        self.assert_refused(
            6, "export", "--checkpoint", small_run(), "--format", "onnx", "--out", pipe,
            says="no regular file")
        self.assertTrue(pipe.is_fifo())


class Inspect(CommandTest):
    def test_runs_and_files_are_described(self):
        self.assertIn("checkpoint", self.output("inspect", small_run()))
        json.loads(self.output("inspect", small_run(), "--json"))
        self.assertEqual(json.loads(self.output("inspect", "pretrained", "--json"))["kind"], "weights")
        for file in (*small_run().glob("checkpoints/*.h5"), *small_run().glob("shards/*.h5")):
            json.loads(self.output("inspect", file, "--json"))

    def test_damage_is_a_file_error(self):
        shard = sorted(small_run().glob("shards/*.h5"))[-1]
        cut = Path(WORK.name) / "cut.h5"
        cut.write_bytes(shard.read_bytes()[:-100])
        self.assert_refused(4, "inspect", cut, says="cut.h5")


def catches(process, number):
    """Whether the process has a handler of its own for the signal (proc(5), SigCgt)."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return int(line.split()[1], 16) >> (number - 1) & 1 == 1
    return False


class Stopped(unittest.TestCase):
    def test_what_a_signal_stops_ends_with_130(self):
        work = Path(WORK.name)
        for words in (
            ("selfplay", "--checkpoint", "pretrained", "--games", "1000000", "--out", work / "stopped"),
            ("gauntlet", "random", "minimax:6", "--games", "10000"),
            ("endgame", "build", "--seeds", "25", "--out", work / "stopped.eg"),
            ("selfplay", "--follow", work / "no-run"),
        ):
            with self.subTest(words=words):
                process = subprocess.Popen([AWALE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while process.poll() is None and not catches(process, signal.SIGINT):
                    time.sleep(0.01)
                process.send_signal(signal.SIGINT)
                _, stderr = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 130, stderr)
                self.assertNotIn("awale: error", stderr)


if __name__ == "__main__":
    unittest.main()
