"""scripts/ablations.py with runs of a few iterations: trains, compares, goes on where it was, refuses.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/ablations_test.py
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

AWALE = os.environ["AWALE"]
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True  # scripts/ stays as it is
sys.path.insert(0, str(SCRIPTS))
import ablations_table

SMALL = ["--run.iterations", "3", "--network.blocks", "1", "--network.width", "16",
         "--search.simulations", "4", "--self_play.games", "64", "--self_play.group_games", "32",
         "--self_play.fast_simulations", "4", "--learner.batch_rows", "64",
         "--learner.warmup_rows", "200"]
OPTIONS = ["--games", "20", "--simulations", "4", "--opponent", "minimax:2", "--positions", "300"]
PUCT = ["--only", "puct", *SMALL]


class AblationsTest(unittest.TestCase):
    """Each class has one folder, in which a small table is there already."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="awale-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.out = cls.folder / "out"
        cls.table = cls.folder / "small.table"
        subprocess.run([AWALE, "endgame", "build", "--out", cls.table, "--seeds", "6"], check=True, capture_output=True)

    @classmethod
    def with_table(cls, name):
        out = cls.folder / name
        out.mkdir()
        shutil.copy(cls.table, out / "endgame.table")
        return out

    @classmethod
    def run_script(cls, *arguments, awale=AWALE, out=None, stdout=subprocess.PIPE):
        """OPTIONS unless `arguments` say otherwise."""
        return subprocess.run(
            [SCRIPTS / "ablations.py", "--awale", awale, "--out", out or cls.out, *OPTIONS, *arguments],
            stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=300)

    def program(self, words, fault):
        """An awale that does `fault` instead where its command line begins with `words`."""
        path = self.folder / "awale"
        path.write_text(f'#!/bin/sh\ncase "$*" in "{words}"*) {fault};; esac\nexec {AWALE} "$@"\n')
        path.chmod(0o755)
        return path

    def assert_refused(self, done, text):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def assert_interrupted(self, done):
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertEqual(done.stderr.splitlines()[-1], "ablations: interrupted; the same command goes on")
        self.assertNotIn("Traceback", done.stderr)


class Ablations(AblationsTest):
    def test_variants_are_compared_and_nothing_is_done_twice(self):
        chosen = ["--only", "adjudication", "puct", "puct", "--seeds", "1", "2", *SMALL]
        done = self.run_script(*chosen)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.splitlines()[0], "solving the endgames (1 of 1)")
        self.assertEqual(done.stderr.count("training "), 6)
        self.assertIn("training base, seed 1 (1 of 6)\n", done.stderr)
        self.assertRegex(done.stderr, r"training puct, seed 2 \(6 of 6, about \d+ min left\)\n")
        rows = json.loads((self.out / "ablations.json").read_text())
        self.assertEqual([rows[0]["variant"], {row["variant"] for row in rows[1:]}],
                         ["base", {"adjudication", "puct"}])
        for row in rows[1:]:
            self.assertLessEqual(row["elo_low"], row["elo"])
            self.assertLessEqual(row["elo"], row["elo_high"])
            self.assertTrue(0 <= row["opponent_points"] <= 1)
            self.assertTrue(0 <= row["network_lost_low"] <= row["network_lost"] <= 1)
        self.assertIn('algorithm = "puct"', (self.out / "puct-1" / "config.toml").read_text())
        base = (self.out / "base-1" / "config.toml").read_text()
        self.assertIn('algorithm = "gumbel"', base)
        table = f'table = "{self.out / "endgame.table"}"'
        self.assertIn(table, (self.out / "adjudication-1" / "config.toml").read_text())
        self.assertNotIn(table, base)
        self.assertEqual(done.stdout, (self.out / "ablations.md").read_text())

        again = self.run_script(*chosen)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stderr, "")
        self.assertEqual(again.stdout, done.stdout)


class AblationsTrained(AblationsTest):
    """With runs that are there already: base and puct of seed 1."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.with_table("out")
        done = cls.run_script(*PUCT, "--games", "2")
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def test_few_games_that_all_end_alike_have_the_interval_of_awale_match(self):
        done = self.run_script(*PUCT, "--games", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        row = json.loads((self.out / "ablations.json").read_text())[1]
        match = json.loads(subprocess.run(
            [AWALE, "match", self.out / "puct-1", self.out / "base-1", "--games", "2", "--simulations", "4", "--json"],
            check=True, capture_output=True).stdout)
        self.assertLess(row["points_low"], row["points_high"])
        for end in ("", "_low", "_high"):
            self.assertAlmostEqual(100 * row[f"points{end}"], match[f"points_percent{end}"])
            self.assertAlmostEqual(row[f"elo{end}"], match[f"elo{end}"])

    def test_seeds_that_are_alike_narrow_the_interval_but_not_to_nothing(self):
        match = {"points_percent": 100, "points_percent_low": 60, "points_percent_high": 100}
        points, low, high = ablations_table.pooled_points([match] * 4)
        self.assertEqual((points, high), (1, 1))
        self.assertAlmostEqual(low, 0.8)

    def test_runs_of_another_time_are_not_reused(self):
        done = self.run_script(*PUCT, "--core-minutes", "6")
        self.assert_refused(done, f"{self.out / 'base-1'} was trained with run.core_minutes 3 (asked for: 6); "
                                  "choose another --out")

    def test_runs_of_other_settings_are_not_reused(self):
        done = self.run_script(*PUCT, "--learner.ema_decay", "0.5")
        self.assert_refused(done, "base-1 was trained with learner.ema_decay 0.995 (asked for: 0.5); choose")

    def test_a_run_that_is_not_complete_does_not_go_on_with_another_time(self):
        summary = self.out / "puct-1" / "summary.json"
        hidden = summary.rename(summary.with_suffix(".hidden"))
        self.addCleanup(hidden.rename, summary)
        self.assert_refused(self.run_script(*PUCT, "--core-minutes", "6"), "run.core_minutes 3 (asked for: 6)")

    def test_a_run_made_anew_is_measured_anew(self):
        shutil.rmtree(self.out / "puct-1")
        done = self.run_script(*PUCT, "--games", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        labels = [line.partition(" (")[0] for line in done.stderr.splitlines()]
        self.assertEqual(labels, ["training puct, seed 1", "puct, seed 1 meets minimax:2", "puct, seed 1 is graded",
                                  "puct, seed 1 meets base"])

    def test_another_spelling_of_out_measures_nothing_again(self):
        for out in (self.out, self.folder / "." / ".." / self.folder.name / "out"):
            done = self.run_script(*PUCT, "--games", "2", out=out)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_match_that_was_stopped_is_not_taken_for_the_whole(self):
        awale = self.program(f"match {self.out}", """echo '{"stopped": true}'; exit 130""")
        self.assert_interrupted(self.run_script(*PUCT, "--games", "4", awale=awale))
        done = self.run_script(*PUCT, "--games", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("puct, seed 1 meets base", done.stderr)

    def test_a_full_disk_is_told_in_a_line(self):
        (self.out / "ablations.md").unlink()
        (self.out / "ablations.md").symlink_to("/dev/full")
        self.addCleanup((self.out / "ablations.md").unlink)
        self.assert_refused(self.run_script(*PUCT, "--games", "2"), "No space left on device")

    def test_a_full_disk_behind_standard_output_is_told_in_a_line(self):
        with open("/dev/full", "w") as full:
            self.assert_refused(self.run_script(*PUCT, "--games", "2", stdout=full), "No space left on device")

    def test_a_damaged_file_is_named(self):
        for file in ("base-1/config.toml", "puct-1/summary.json"):
            with self.subTest(file=file):
                text = (self.out / file).read_text()
                self.addCleanup((self.out / file).write_text, text)
                (self.out / file).write_text(text[:20])
                self.assert_refused(self.run_script(*PUCT, "--games", "2"), f"{file}: damaged")
                (self.out / file).write_text(text)


class AblationsRefused(AblationsTest):
    def test_bad_options_start_nothing(self):
        awale = self.program("endgame", "exit 9")  # the first thing that would be made
        whole, above = "expected a whole number above 0, found", "expected a number above 0, found"
        file = self.folder / "file"
        file.touch()
        for words, text in ((["--only", "nonsense"], "--only nonsense: expected some of"),
                            *((["--core-minutes", bad], f"{above} '{bad}'") for bad in ("0", "-1", "nan", "inf", "x")),
                            *(([option, bad], f"argument {option}: {whole} '{bad}'")
                              for option in ("--games", "--simulations", "--positions", "--equal-time")
                              for bad in ("0", "-1", "nan")),
                            (["--seeds", "1", "1"], "--seeds: 1 is given more than once"),
                            (["--seeds", "-1"], "found '-1'"),
                            (["--game", "4"], "unknown option --game;"),
                            (["--seed", "4"], "unknown option --seed;"),
                            (["--network.widht", "4"], "not expected: 4 --network.widht"),
                            (["--network.width", "x"], "--network.width: expected a whole number, found 'x'"),
                            (["--awale", "/nonsense"], "--awale /nonsense: there is no such program"),
                            (["--awale", self.folder], "there is no such program"),
                            (["--awale", "/bin/false"], "awale train: ended with 1"),
                            (["--awale", "/bin/true"], "No such file or directory"),
                            (["--out", file], f"--out {file}: is no directory"),
                            (["--out", file / "out"], f"{file}/out: Not a directory"),
                            (["--out", "/proc/out"], "/proc/out: No such file or directory")):
            with self.subTest(words=words):
                self.assert_refused(self.run_script(*words, awale=awale), text)
                self.assertFalse(self.out.exists())

    def test_what_cannot_be_played_or_graded_is_refused_before_the_training(self):
        out = self.with_table("unplayable")
        for words, text in ((["--games", "3"], "expected an even number"),
                            (["--games", "60000"], "games: expected at most"),
                            (["--opponent", "foo"], "player 'foo': expected"),
                            (["--equal-time", "10"], "player 'minimax:2' has a budget of its own"),
                            (["--simulations", "70000"], "search.simulations: expected 1..60000"),
                            (["--positions", "2000000"], "--positions: expected 0..1000000"),
                            (["--rules.preset", "codingame"], "expected a table for the rules codingame")):
            with self.subTest(words=words):
                self.assert_refused(self.run_script(*PUCT, *words, out=out), text)
                self.assertEqual([path.name for path in out.iterdir()], ["endgame.table"])


class AblationsInterrupted(AblationsTest):
    def test_ctrl_c_is_told_in_a_line(self):
        out = self.with_table("ctrl_c")
        for signal in ("INT", "TERM"):
            with self.subTest(signal=signal):
                awale = self.program(f"train --run {out}", f"kill -{signal} $PPID; exec sleep 100")
                done = self.run_script(*PUCT, awale=awale, out=out)
                self.assert_interrupted(done)
                self.assertEqual(done.stderr.count("\n"), 2, done.stderr)

    def test_a_training_that_was_told_to_stop_is_not_compared(self):
        out = self.with_table("stopped")
        for fault in ("exit 130", "kill -INT $$"):
            with self.subTest(fault=fault):
                done = self.run_script(*PUCT, awale=self.program(f"train --run {out}", fault), out=out)
                self.assert_interrupted(done)
                self.assertEqual(done.stderr.count("\n"), 2, done.stderr)

    def test_a_training_that_fails_says_why(self):
        out = self.with_table("failing")
        for fault, text in (("echo some; echo awale: error: no space >&2; exit 6", "awale train: no space"),
                            ("kill -KILL $$", "awale train: ended by SIGKILL")):
            with self.subTest(fault=fault):
                done = self.run_script(*PUCT, awale=self.program(f"train --run {out}", fault), out=out)
                self.assertEqual((done.returncode, done.stderr.splitlines()[1:]), (1, [f"ablations: {text}"]))


if __name__ == "__main__":
    unittest.main()
