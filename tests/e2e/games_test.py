"""Games in files and matches of players, as a user meets them.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/games_test.py
"""

import json
import signal
import subprocess
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import AWALE, WORK, CommandTest, awale, small_run, tearDownModule, write

SOURCE = Path(__file__).resolve().parents[2]
GOLDEN = SOURCE / "tests" / "golden" / "games.ogn"
STUDY = "0-0-0-0-0-2-0-0-0-0-0-2-21-23-S"
CIRCLE = f"{STUDY} moves FfAaBbCcDdEe\n"  # ends by repetition


def path(name):
    return Path(WORK.name) / name


def openspiel_games():
    """Finished games of another program, as move strings."""
    lines = (SOURCE / "tests" / "data" / "games_openspiel.txt").read_text().splitlines()
    return "".join(line.split()[0] + "\n" for line in lines[1:101])


class Convert(CommandTest):
    def test_all_ways_between_the_formats_lose_no_move(self):
        text = openspiel_games() + CIRCLE
        first = write("first.txt", text)
        for step in ("one.ogn", "one.h5", "two.ogn", "two.txt", "two.h5", "three.txt"):
            summary = self.output("convert", first, path(step))
            self.assertRegex(summary, r": 101 games, \d+ plies; \d+ target, \d+ no_moves, ")
            first = path(step)
        self.assertEqual(path("two.txt").read_text(), text)
        self.assertEqual(path("three.txt").read_text(), text)
        self.assertEqual(path("one.ogn").read_text(), path("two.ogn").read_text())

    def test_shards_of_a_run_become_games_and_back(self):
        shard = sorted(small_run().glob("shards/*.h5"))[-1]
        games = json.loads(self.output("inspect", shard, "--json"))["games"]
        self.assertIn(f": {games} game", self.output("convert", shard, path("run.ogn")))
        ogn = path("run.ogn").read_text()
        self.assertIn('[Event "awale self-play, seed 1"]\n', ogn)
        self.output("convert", path("run.ogn"), path("again.h5"))
        again = json.loads(self.output("inspect", path("again.h5"), "--json"))
        self.assertEqual(again["games"], games)
        self.assertEqual(again["training_rows"], 0)

    def test_standard_input_and_output(self):
        code, stdout, stderr = awale(
            "convert", "-", "-", "--from", "moves", "--to", "ogn", stdin="FfBeBc\n")
        self.assertEqual(code, 0, stderr)
        self.assertTrue(stdout.endswith("\n1. F f 2. B e 3. B c *\n"), stdout)
        self.assertEqual(stderr, "-: 1 game, 6 plies; 1 unfinished\n")
        code, _, stderr = awale("convert", "-", "-", "--from", "moves", "--to", "moves", stdin="F")
        self.assertEqual((code, stderr), (0, "-: 1 game, 1 ply; 1 unfinished\n"))
        self.assertEqual(
            self.output("convert", "-", "-", "--from", "ogn", "--to", "moves", stdin=stdout),
            "FfBeBc\n")

    def test_canonical_ogn_is_a_fixed_point(self):
        self.output("convert", GOLDEN, path("golden.ogn"))
        self.assertEqual(path("golden.ogn").read_text(), GOLDEN.read_text())

    def test_what_is_stepped_over_is_said(self):
        file = write("notes.ogn", "{a} 1. F (A) f! *\n")
        code, _, stderr = awale("convert", file, path("notes.txt"))
        self.assertEqual(code, 0)
        for what in ("1 comment", "1 variation", "1 annotation"):
            self.assertIn(f"awale: note: '{file}': skipped {what}", stderr)

    def test_json_has_the_counts(self):
        file = write("count.txt", CIRCLE + "FfBe\n")
        found = json.loads(
            self.output("convert", file, path("count.h5"), "--skip-unfinished", "--json"))
        self.assertEqual((found["games"], found["plies"], found["skipped_unfinished"]), (1, 12, 1))
        self.assertEqual(found["endings"]["repetition"], 1)
        self.assert_refused(2, "convert", file, "-", "--to", "ogn", "--json", says="--json")

    def test_unfinished_games_fit_into_no_shard(self):
        file = write("open.txt", CIRCLE + "FfBe\n")
        self.assert_refused(5, "convert", file, path("open.h5"), says=[
            "open.h5", "game 2 has not ended", "--skip-unfinished"])
        self.assertFalse(path("open.h5").exists())
        self.assertIn("1 unfinished left out",
                      self.output("convert", file, path("open.h5"), "--skip-unfinished"))

    def test_illegal_moves_name_file_game_and_ply(self):
        file = write("illegal.txt", "FfBe\n\nAaAb\n")
        self.assert_refused(3, "convert", file, path("x.ogn"), says=[
            "illegal.txt', line 3: ply 3 at ", "illegal move A, legal are B C D E F"])
        file = write("illegal.ogn", "1. F f *\n1. A a 2. A *\n")
        self.assert_refused(3, "convert", file, path("x.txt"), says=[
            "illegal.ogn', game 2 (line 2): ply 3", "illegal move A"])

    def test_rules_come_with_ogn_and_shards_but_not_with_moves(self):
        file = write("rules.txt", CIRCLE)
        self.output("convert", file, path("rules.ogn"), "--rules", "awari")
        self.assertIn('[Variant "awari"]', path("rules.ogn").read_text())
        self.output("convert", path("rules.ogn"), path("rules.h5"))
        for source in ("rules.ogn", "rules.h5"):
            self.assert_refused(5, "convert", path(source), path("x.txt"), "--rules", "abapa",
                                says=[source, "played by the rules awari", "abapa"])
        self.output("convert", file, path("custom.ogn"), "--rules.ply_limit", "12")
        self.assertIn("ply_limit=12", path("custom.ogn").read_text())
        self.output("convert", path("custom.ogn"), path("custom.h5"), "--rules.ply_limit", "12")
        self.assert_refused(5, "convert", path("custom.ogn"), path("x.h5"), "--rules.ply_limit",
                            "13", says="ply_limit=12")

    def test_games_of_different_rules_do_not_fit_into_moves(self):
        self.assert_refused(5, "convert", GOLDEN, path("mixed.txt"), "--skip-unfinished", says=[
            "mixed.txt", "game 2 has the rules awari", "games of one rule set"])
        self.assertFalse(path("mixed.txt").exists())
        self.output("convert", GOLDEN, path("mixed.h5"), "--skip-unfinished")
        self.assert_refused(5, "convert", GOLDEN, "-", "--to", "moves", says="standard output")

    def test_output_that_fails_is_no_success(self):
        if not Path("/dev/full").is_char_device():
            self.skipTest("/dev/full is not a device here")
        with open("/dev/full", "w") as full:
            done = subprocess.run([AWALE, "convert", GOLDEN, "-", "--to", "ogn"], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (6, "awale: error: cannot write to standard output\n"))

    def test_a_signal_while_it_writes_leaves_no_temporary_file(self):
        directory = path("signal")
        directory.mkdir()
        out = directory / "games.ogn"
        process = subprocess.Popen(
            [AWALE, "convert", write("many.txt", openspiel_games() * 50), out],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not any(directory.iterdir()):
            pass  # until the temporary file is there
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertEqual(list(directory.iterdir()), [out])

    def test_contradictions_in_ogn_are_refused_by_line(self):
        for text, says in (
                ('[Variant "awari"]\n[Variant "abapa"]\n\n1. F f *\n',
                 "line 2: tag Variant stands twice"),
                ("1. F f\n\n1. E e\n", "line 3: expected move number 2"),
                ('[Result "99-99"]\n\n1. F f\n', "together at most 48"),
                ('[Result "25-23"]\n\n1. F f *\n', "tag Result says 25-23"),
                ('[South "Ann\nLee"]\n\n1. F f *\n', "line 1: the value of tag South")):
            self.assert_refused(3, "convert", write("wrong.ogn", text), path("x.txt"), says=says)

    def test_formats_that_cannot_be_told_are_asked_for(self):
        file = write("games.moves", "FfBe\n")
        self.assert_refused(2, "convert", file, path("x.ogn"), says=["--from", "games.moves"])
        self.output("convert", file, path("x.ogn"), "--from", "moves")
        self.assert_refused(2, "convert", path("x.ogn"), "-", says="--to")
        self.assert_refused(2, "convert", path("x.ogn"), "-", "--to", "h5", says=["--to", "h5"])
        self.assert_refused(2, "convert", file, "x.ogn", "--from", "pgn", says="pgn")
        self.assert_refused(2, "convert", "a.h5", "b.h5", says="a copy needs no conversion")

    def test_files_that_cannot_be_read_or_written(self):
        self.assert_refused(4, "convert", "no/such.ogn", path("x.txt"), says="no/such.ogn")
        file = write("games.txt", "FfBe\n")
        self.assert_refused(6, "convert", file, "/no/such/x.ogn", says="/no/such")
        self.assert_refused(4, "convert", file, path("x.ogn"), "--from", "h5", says="games.txt")


class Match(CommandTest):
    def match(self, *arguments):
        return json.loads(self.output("match", *arguments, "--json"))

    def test_games_in_pairs_with_the_rating(self):
        found = self.match("minimax:2", "random", "--games", 20)
        self.assertEqual((found["games"], found["distinct_games"]), (20, 20))
        self.assertGreater(found["points_percent"], 80)
        self.assertEqual(found["rules"], "abapa")
        text = self.output("match", "random", "random", "--games", 2)
        self.assertIn("random (A) against random (B): 2 games, 2 distinct\n", text)

    def test_the_same_seed_plays_the_same_games_on_any_threads(self):
        logs = []
        for threads in (1, 2):
            log = path(f"threads{threads}.ogn")
            self.output("match", "random", "uniform-mcts:8", "--games", 70, "--log", log,
                        "--threads", threads)
            logs.append(log.read_text())
        self.assertEqual(logs[0], logs[1])
        self.assertEqual(logs[0].count('[South "random"]'), 35)

    def test_a_series_is_printed_game_by_game(self):
        lines = self.output("match", "--points", 30, "random", "minimax:2").splitlines()
        self.assertEqual(lines[:2], ["A random", "B minimax:2"])
        games = [line.split() for line in lines[3:-3]]
        self.assertEqual([int(game[0]) for game in games], list(range(1, len(games) + 1)))
        for before, game in zip(games, games[1:]):
            self.assertNotEqual(before[1], game[1])  # they take turns to begin
        first = second = 0
        for _, _, seeds, _, _, points in games:
            a, b = map(int, seeds.split("-"))
            first, second = first + max(0, a - 24), second + max(0, b - 24)
            self.assertEqual(points, f"{first}-{second}")
        self.assertGreaterEqual(second, 30)
        self.assertIn(f"B, minimax:2, wins the series with {second} to {first} points", lines[-3])

    def test_series_are_counted_with_an_interval(self):
        found = self.match("--points", 20, "--series", 10, "minimax:2", "random")
        self.assertEqual(found["first_wins"] + found["second_wins"] + found["undecided"], 10)
        self.assertGreaterEqual(found["first_wins"], 8)
        self.assertLess(found["wins_percent_low"], found["wins_percent"])
        self.assertLessEqual(found["wins_percent"], found["wins_percent_high"])
        for series in found["results"]:
            last = series["games"][-1]
            self.assertGreaterEqual(max(last["first_points"], last["second_points"]), 20)

    def test_a_series_without_end_is_undecided(self):
        text = self.output("match", "--points", 500, "--max-games", 3, "random", "random")
        self.assertRegex(text, r"undecided at \d+-\d+ after 3 games")

    def test_the_log_holds_the_games_played(self):
        log = path("series.txt")
        found = self.match("--points", 20, "--series", 2, "random", "random", "--log", log)
        games = [game["moves"] for series in found["results"] for game in series["games"]]
        self.assertEqual(log.read_text().splitlines(), games)
        log = path("series.ogn")
        self.output("match", "--points", 20, "--series", 2, "random", "random", "--log", log)
        self.assertIn('[Round "2.1"]\n', log.read_text())
        self.output("convert", log, path("series2.txt"))
        self.assertEqual(path("series2.txt").read_text().splitlines(), games)

    def test_deterministic_players_and_openings(self):
        arguments = ("--games", 10, "uniform-mcts:4", "minimax:1")
        self.assertEqual(self.match(*arguments)["distinct_games"], 10)
        found = self.match("--points", 1000, "--max-games", 6, "--opening-plies", 0,
                           "uniform-mcts:4", "uniform-mcts:8")
        self.assertEqual((found["games"], found["distinct_games"]), (6, 2))

    def test_checkpoints_bring_their_rules(self):
        found = self.match(small_run(), "random", "--games", 4, "--simulations", 4)
        self.assertEqual(found["rules"], "abapa")
        self.assert_refused(5, "match", "random", small_run(), "--rules", "awari",
                            says=["abapa", "awari"])

    def test_what_does_not_fit_together_is_refused(self):
        self.assert_refused(2, "match", "random", says="B")
        self.assert_refused(2, "match", "random", "stockfish", says=["stockfish", "minimax:DEPTH"])
        self.assert_refused(2, "match", "random", "random", "--games", "3", says=["games", "even"])
        self.assert_refused(2, "match", "random", "random", "--games", "4", "--points", "5",
                            says=["--games", "--points"])
        self.assert_refused(2, "match", "random", "random", "--series", "3", says="--points")
        self.assert_refused(2, "match", "random", "random", "--points", "0", says="--points")
        self.assert_refused(2, "match", "random", "random", "--opening-plies", "-1",
                            says="--opening-plies")
        self.assert_refused(2, "match", "random", "random", "--log", "x.pgn", says="--log")
        self.assert_refused(6, "match", "random", "random", "--log", "/no/such/x.ogn",
                            says="/no/such")

    def test_search_settings_are_checked_though_nobody_searches(self):
        self.assert_refused(2, "match", "random", "minimax:1", "--simulations", "0",
                            says="simulations")
        self.assert_refused(2, "match", "random", "random", "--search.c_puct=-5", says="c_puct")

    def test_rules_that_end_all_openings_are_said(self):
        for games in (("--games", "4"), ("--points", "5")):
            self.assert_refused(2, "match", "random", "random", *games, "--rules.ply_limit", "3",
                                "--opening-plies", "8", says=[
                                    "--opening-plies", "ply_limit=3", "end every game within 8"])

    def test_too_few_openings_are_said(self):
        self.assert_refused(2, "match", "random", "random", "--games", "14", "--opening-plies", "1",
                            says="expected at most 12")


if __name__ == "__main__":
    unittest.main()
