"""Matches that are logged, tested, timed and rated, as a user meets them.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/matches_test.py
"""

import csv
import json
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import AWALE, WORK, CommandTest, awale, small_run, tearDownModule, write

COLUMNS = ["first", "second", "game", "pair", "first_side", "opening", "moves", "plies", "reason",
           "margin", "points", "first_ms", "second_ms", "first_moves", "second_moves"]


def path(name):
    return Path(WORK.name) / name


def rows(file):
    """The games of a log, as Python's own reader sees them."""
    with open(file, newline="") as lines:
        next(lines)
        return list(csv.DictReader(lines))


def untimed(report):
    """A JSON report without what no run repeats."""
    return {key: value for key, value in report.items() if not key.endswith("ms_per_move")}


def games_of(file):
    """What was played, in order, without times."""
    return sorted((row["first"], row["second"], int(row["game"]), row["first_side"], row["moves"],
                   row["reason"], row["margin"]) for row in rows(file))


def start(*arguments):
    return subprocess.Popen([AWALE, *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def wait_for_games(process, file, count):
    """Until the log has so many lines, or the process has ended."""
    while process.poll() is None and not (
            file.exists() and file.read_text().count("\n") >= count + 2):
        time.sleep(0.01)


class LogTest(CommandTest):
    def json(self, *arguments):
        return json.loads(self.output(*arguments, "--json"))


class Log(LogTest):
    MATCH = ("match", "uniform-mcts:200", "minimax:4", "--games", 200, "--threads", 2)

    def test_one_file_cannot_be_both_logs(self):
        self.assert_refused(2, "match", "random", "random", "--games", 2, "--csv", path("x.ogn"),
                            "--log", path("x.ogn"), says="expected two files")

    def test_the_log_is_a_table_that_contradicts_the_report_nowhere(self):
        file = path("table.csv")
        report = self.json("match", "minimax:1", "minimax:2", "--games", 40, "--csv", file)
        table = rows(file)
        self.assertEqual(list(table[0]), COLUMNS)
        self.assertEqual(sorted(int(row["game"]) for row in table), list(range(40)))
        self.assertEqual(sum(float(row["points"]) for row in table),
                         report["wins"] + report["draws"] / 2)
        self.assertAlmostEqual(sum(int(row["margin"]) for row in table) / 40,
                               report["mean_margin_seeds"])
        for row in table:
            self.assertTrue(row["moves"].startswith(row["opening"]))
            self.assertEqual(len(row["opening"]), 6)
            self.assertEqual(int(row["pair"]), int(row["game"]) // 2)
            self.assertEqual(int(row["first_moves"]) + int(row["second_moves"]) + 6,
                             int(row["plies"]))
        pairs = {row["pair"]: row["opening"] for row in table}
        self.assertEqual(len(set(pairs.values())), 20)

    def test_pandas_reads_the_log_in_one_line(self):
        pandas = Path("/usr/bin/python3")
        file = path("pandas.csv")
        self.output("match", "random", "minimax:1", "--games", 4, "--csv", file)
        done = subprocess.run(
            [pandas, "-c", f"import pandas; print(len(pandas.read_csv('{file}', skiprows=1)))"],
            capture_output=True, text=True)
        if "No module named" in done.stderr:
            self.skipTest("pandas is not installed")
        self.assertEqual(done.stdout, "4\n", done.stderr)

    def killed_and_resumed(self, name, how):
        file = path(name)
        whole = path(name + ".whole")
        expected = self.json(*self.MATCH, "--csv", whole)
        process = start(*self.MATCH, "--csv", file, "--json")
        wait_for_games(process, file, 20)
        process.send_signal(how)
        stdout, stderr = process.communicate(timeout=120)
        games = len(rows(file))
        resumed = self.json(*self.MATCH, "--csv", file)
        self.assertEqual(untimed(resumed), untimed(expected))
        self.assertEqual(games_of(file), games_of(whole))
        return process.returncode, stdout, stderr, games

    def test_a_match_that_was_killed_goes_on_to_the_same_result(self):
        code, _, _, games = self.killed_and_resumed("killed.csv", signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertGreaterEqual(games, 20)
        self.assertLess(games, 200)

    def test_ctrl_c_reports_what_was_played_and_keeps_it(self):
        code, stdout, stderr, games = self.killed_and_resumed("stopped.csv", signal.SIGINT)
        self.assertEqual(code, 130, stderr)
        self.assertLess(games, 200)
        if stdout:
            report = json.loads(stdout)
            self.assertTrue(report["stopped"])
            self.assertEqual(report["asked_games"], 200)
            self.assertLessEqual(report["games"], games)
        else:
            self.assertIn("stopped before a pair of games was over", stderr)

    def test_a_finished_match_is_reported_from_its_log_alone(self):
        file = path("finished.csv")
        match = ("match", "minimax:2", "random", "--games", 20, "--csv", file)
        first = self.json(*match)
        text = file.read_text()
        second = self.json(*match)
        self.assertEqual(untimed(first), untimed(second))
        self.assertAlmostEqual(first["first_ms_per_move"], second["first_ms_per_move"], places=3)
        self.assertEqual(file.read_text(), text)
        self.assertEqual(self.json(*match[:3], "--games", 60, "--csv", file)["games"], 60)
        self.assertEqual(len(rows(file)), 60)

    def test_a_half_written_line_is_played_again(self):
        file = path("torn.csv")
        match = ("match", "minimax:2", "minimax:1", "--games", 20, "--csv", file)
        whole = self.json(*match)
        games = games_of(file)
        file.write_bytes(file.read_bytes()[:-25])
        self.assertEqual(untimed(self.json(*match)), untimed(whole))
        self.assertEqual(games_of(file), games)

    def test_evaluate_and_match_share_their_logs(self):
        file = path("shared.csv")
        options = ("--games", 10, "--simulations", 4, "--csv", file)
        one = self.json("evaluate", "--checkpoint", small_run(), "--against", "minimax:1", *options)
        two = self.json("match", f"mcts:{small_run()}", "minimax:1", *options)
        self.assertEqual(untimed(one), untimed(two))
        self.assertEqual(len(rows(file)), 10)

    def test_logs_of_other_matches_are_refused_with_the_difference(self):
        file = path("mine.csv")
        self.output("match", "random", "minimax:1", "--games", 4, "--csv", file)
        text = file.read_text()
        for others, says in (
                (("random", "minimax:2"), 'players: expected ["random","minimax:2"], found ["random"'),
                (("random", "minimax:1", "--seed", 2), "seed: expected 2, found 1"),
                (("random", "minimax:1", "--rules", "awari"), 'rules: expected "awari ('),
                (("random", "minimax:1", "--opening-plies", 5), "opening_plies: expected 5, found 6"),
                (("random", "minimax:1", "--search.c_scale", 2), "search: expected "),
                (("random", "minimax:1", "--sprt", "0,5"), "sprt: expected [0.0,5.0,0.05,0.05]")):
            self.assert_refused(5, "match", *others, "--games", 4, "--csv", file,
                                says=["mine.csv' holds another match: ", says])
        self.assertEqual(file.read_text(), text)

    def test_another_network_at_the_same_path_is_another_player(self):
        run = path("overwritten")
        shutil.copytree(small_run(), run)
        match = ("match", run, "random", "--games", 4, "--simulations", 2, "--csv",
                 path("network.csv"))
        self.output(*match)
        checkpoints = sorted((run / "checkpoints").glob("*.h5"))
        shutil.copy(checkpoints[0], checkpoints[-1])
        self.assert_refused(5, *match, says="weights: expected ")

    def test_files_that_are_no_logs_are_refused_and_left_alone(self):
        file = write("foreign.csv", "a,b\n1,2\n")
        self.assert_refused(4, "match", "random", "random", "--csv", file,
                            says=["foreign.csv", "is no log of a match"])
        self.assertEqual(file.read_text(), "a,b\n1,2\n")
        self.assert_refused(6, "match", "random", "random", "--csv", "/no/such/x.csv",
                            says="/no/such/x.csv")
        self.assert_refused(6, "match", "random", "random", "--csv", "/dev/full",
                            says="no regular file")

    def test_damage_is_named_by_line(self):
        file = path("damaged.csv")
        match = ("match", "random", "minimax:1", "--games", 4, "--csv", file)
        self.output(*match)
        lines = file.read_text().splitlines(keepends=True)
        lines[3] = lines[3].replace(",target,", ",repetition,").replace(",South,", ",North,")
        file.write_text("".join(lines))
        self.assert_refused(4, *match, says="damaged.csv', line 4: ")

    def test_a_full_disk_stops_with_one_line_and_the_match_goes_on_later(self):
        disk = path("disk")
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", disk],
                               capture_output=True)
        if mount.returncode != 0:
            self.skipTest("a tiny tmpfs cannot be mounted here: needs root")
        self.addCleanup(subprocess.run, ["umount", disk])
        match = ("match", "minimax:1", "minimax:2", "--games", 400, "--csv")
        self.assert_refused(6, *match, disk / "games.csv", says="No space left on device")
        subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)
        expected = self.json(*match, path("roomy.csv"))
        self.assertEqual(untimed(self.json(*match, disk / "games.csv")), untimed(expected))
        self.assertEqual(games_of(disk / "games.csv"), games_of(path("roomy.csv")))

    def test_one_process_at_a_time(self):
        file = path("busy.csv")
        match = ("match", "uniform-mcts:5000", "minimax:1", "--games", 400, "--csv", file)
        process = start(*match)
        wait_for_games(process, file, 0)
        self.assert_refused(6, *match, says="another process has it open")
        process.kill()
        process.communicate()


class Sprt(LogTest):
    def test_a_clear_difference_ends_the_match_early(self):
        for players, verdict in ((("minimax:3", "minimax:1"), "H1"),
                                 (("minimax:1", "minimax:3"), "H0")):
            found = self.json("match", *players, "--sprt", "0,50", "--games", 2000)
            self.assertEqual(found["sprt"]["verdict"], verdict)
            self.assertLess(found["games"], 400)
            self.assertEqual(found["games"], 2 * found["sprt"]["tested_pairs"])
            self.assertFalse(found["stopped"])
        text = self.output("match", "minimax:3", "minimax:1", "--sprt", "0,50", "--games", 2000)
        self.assertRegex(text, r"sprt Elo 0 against 50 \(alpha 0.05, beta 0.05\): H1 accepted after "
                               r"\d+ pairs, LLR (2\.9|3)\.?\d* \(-2.94, 2.94\)")

    def test_too_few_games_are_undecided(self):
        text = self.output("match", "random", "random", "--sprt", "0,5,0.05,0.05", "--games", 20)
        self.assertIn(": undecided after 10 pairs, LLR ", text)

    def test_the_verdict_depends_on_no_threads_and_no_interruption(self):
        match = ("match", "uniform-mcts:30", "uniform-mcts:20", "--sprt", "0,60", "--games", 2000)
        one = self.json(*match, "--threads", 1)
        two = self.json(*match, "--threads", 2)
        self.assertEqual(untimed(one), untimed(two))
        file = path("sprt.csv")
        process = start(*match, "--csv", file)
        wait_for_games(process, file, 10)
        process.kill()
        process.communicate()
        self.assertEqual(untimed(self.json(*match, "--csv", file)), untimed(one))

    def test_tests_that_make_no_sense_are_refused(self):
        for text, says in (("5", "elo0,elo1"), ("5,5", "elo0 below elo1"), ("10,5", "found 10 and 5"),
                           ("0,5,0.5,0.6", "together below 1"), ("0,5,x,y", "'0,5,x,y'")):
            self.assert_refused(2, "match", "random", "random", "--sprt", text,
                                says=["--sprt: expected ", says])
        self.assert_refused(2, "match", "random", "random", "--sprt", "0,5", "--points", "5",
                            says=["--sprt", "--points"])


class EqualTime(LogTest):
    def test_both_players_use_about_the_time(self):
        found = self.json("match", "uniform-mcts", "uniform-mcts@algorithm=puct", "--equal-time", 1,
                          "--games", 20)
        self.assertEqual(found["equal_time_ms"], 1)
        # A wide range: the machine may be busy with other things.
        for key in ("first_ms_per_move", "second_ms_per_move"):
            self.assertGreater(found[key], 0.2)
            self.assertLess(found[key], 100)
        self.assertRegex(found["first"], r"^uniform-mcts:\d+$")

    def test_a_resumed_match_keeps_the_simulations(self):
        file = path("timed.csv")
        match = ("match", "uniform-mcts", "random", "--equal-time", 1, "--games")
        first = self.json(*match, 4, "--csv", file)
        self.assertEqual(self.json(*match, 8, "--csv", file)["first"], first["first"])
        self.assert_refused(5, "match", "uniform-mcts", "random", "--equal-time", 2, "--games", 4,
                            "--csv", file, says="holds another match")

    def test_players_with_budgets_of_their_own_are_refused(self):
        for player in ("uniform-mcts:8", "minimax:4", "minimax:20ms"):
            self.assert_refused(2, "match", "random", player, "--equal-time", 5,
                                says=[f"player '{player}'", "minimax:5ms"])
        self.output("match", "random", "minimax:5ms", "--equal-time", 5, "--games", 2)
        self.assert_refused(2, "match", "random", "random", "--equal-time", 0, says="--equal-time")


class Gauntlet(LogTest):
    PLAYERS = ("random", "minimax:1", "minimax:2", "minimax:3")

    def test_a_round_robin_orders_the_players(self):
        found = self.json("gauntlet", *self.PLAYERS, "--round-robin", "--games", 40)
        self.assertEqual([player["name"] for player in found["players"]],
                         ["minimax:3", "minimax:2", "minimax:1", "random"])
        self.assertAlmostEqual(sum(player["elo"] for player in found["players"]), 0)
        self.assertEqual(len(found["pairings"]), 6)
        self.assertEqual(found["games"], 240)
        for player in found["players"]:
            self.assertEqual(player["games"], 120)
            self.assertLess(player["elo_low"], player["elo"])

    def test_the_first_player_meets_all_others_as_in_matches(self):
        found = self.json("gauntlet", *self.PLAYERS, "--games", 20, "--anchor", "minimax:2",
                          "--anchor-elo", 1500)
        self.assertEqual([(pairing["first"], pairing["second"]) for pairing in found["pairings"]],
                         [("random", f"minimax:{depth}") for depth in (1, 2, 3)])
        match = self.json("match", "random", "minimax:2", "--games", 20)
        pairing = untimed(found["pairings"][1])
        self.assertEqual(pairing, {key: match[key] for key in pairing})
        anchor = next(player for player in found["players"] if player["name"] == "minimax:2")
        self.assertEqual(anchor["elo"], 1500)

    def test_a_table_for_people(self):
        text = self.output("gauntlet", "random", "minimax:1", "--games", 10, "--anchor", "random")
        lines = text.splitlines()
        self.assertRegex(lines[0], r"#  player +Elo  95 % interval +games")
        self.assertRegex(lines[1], r"    1  minimax:1 +\+\d+  \[[+-]\d+, \+\d+\] +10 ")
        self.assertRegex(lines[2], r"    2  random +\+0  \[\+0, \+0\]")
        self.assertIn("Elo of random is set to 0", text)

    def test_a_gauntlet_that_was_killed_goes_on(self):
        gauntlet = ("gauntlet", "uniform-mcts:60", "uniform-mcts:40", "minimax:2", "--round-robin",
                    "--games", 60)
        expected = self.json(*gauntlet)
        file = path("gauntlet.csv")
        process = start(*gauntlet, "--csv", file)
        wait_for_games(process, file, 80)
        process.kill()
        process.communicate()
        found = self.json(*gauntlet, "--csv", file)
        for report in (found, expected):
            for part in report["players"] + report["pairings"]:
                for key in [key for key in part if key.endswith("ms_per_move")]:
                    del part[key]
        self.assertEqual(found, expected)
        self.assertEqual(len(rows(file)), 180)

    def test_checkpoints_of_a_run_are_rated(self):
        checkpoints = sorted(small_run().glob("checkpoints/*.h5"))
        found = self.json("gauntlet", *checkpoints, "--games", 4, "--simulations", 2)
        self.assertEqual(len(found["players"]), len(checkpoints))
        self.assertIn("000000.h5", found["pairings"][0]["first"])

    def test_what_makes_no_list_is_refused(self):
        self.assert_refused(2, "gauntlet", "random", says=["expected 2..", "found 1"])
        self.assert_refused(2, "gauntlet", "random", "minimax:1", "random",
                            says="'random' twice")
        self.assert_refused(2, "gauntlet", "random", "minimax:1", "--anchor", "minimax:2",
                            says=["--anchor", "minimax:2"])
        self.assert_refused(2, "gauntlet", "random", "stockfish", says="stockfish")
        self.assert_refused(2, "gauntlet", "random", "minimax:1", "--games", "3", says="even")
        file = path("list.csv")
        self.output("match", "random", "minimax:1", "--games", 2, "--csv", file)
        self.assert_refused(5, "gauntlet", "random", "minimax:1", "--games", 2, "--csv", file,
                            says="holds another match")


if __name__ == "__main__":
    unittest.main()
