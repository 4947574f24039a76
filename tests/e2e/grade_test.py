"""Grades against an endgame table, as a user meets them.

Run by ctest; by hand: AWALE=build/release/awale python3 tests/e2e/grade_test.py
"""

import csv
import functools
import json
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import WORK, CommandTest, awale, small_run, tearDownModule


def path(name):
    return Path(WORK.name) / name


@functools.cache
def table(rules="abapa"):
    file = path(rules + ".eg")
    code, _, stderr = awale("endgame", "build", "--rules", rules, "--seeds", 8, "--out", file)
    assert code == 0, stderr
    return file


class Grade(CommandTest):
    def grade(self, *arguments):
        return json.loads(self.output("grade", "--table", table(), *arguments, "--json"))

    def test_json_has_sets_players_and_the_network(self):
        found = self.grade("--checkpoint", small_run(), "--simulations", "1,8", "--player",
                           "minimax:2", "--positions", 300, "--games", 10)
        self.assertEqual(found["table_seeds"], 8)
        self.assertEqual([s["source"] for s in found["sets"]], ["fixed", "games"])
        for positions in found["sets"]:
            names = [p["player"] for p in positions["players"]]
            self.assertEqual(names, ["network", "search:1", "search:8", "minimax:2"])
            for player in positions["players"]:
                lost = player["all"]["lost"]
                self.assertEqual(lost["n"], sum(s["lost"]["n"] for s in player["by_seeds"]))
                if lost["n"]:
                    self.assertLessEqual(lost["low"], lost["value"])
                    self.assertLessEqual(lost["value"], lost["high"])
            self.assertIn("brier", positions["head"]["all"])

    def test_threads_do_not_change_the_result(self):
        arguments = ("--checkpoint", small_run(), "--simulations", "4", "--positions", 900,
                     "--games", 70)
        self.assertEqual(*(self.grade(*arguments, "--threads", n) for n in (1, 3)))

    def test_players_alone_have_no_head_and_deeper_ones_lose_less(self):
        found = self.grade("--player", "random", "--player", "minimax:6", "--positions", 600,
                           "--games", 0)
        (positions,) = found["sets"]
        self.assertNotIn("head", positions)
        random, minimax = (p["all"] for p in positions["players"])
        self.assertLess(minimax["lost"]["high"], random["lost"]["low"])
        self.assertLess(minimax["seeds_given_away"]["high"], random["seeds_given_away"]["low"])

    def test_an_agent_of_several_rule_sets_is_graded_by_those_of_the_table(self):
        for rules in ("auale", "awari"):
            found = json.loads(self.output("grade", "--checkpoint", "pretrained", "--table",
                                           table(rules), "--positions", 100, "--games", 0,
                                           "--simulations", 1, "--json"))
            self.assertEqual(found["rules"].split()[0], rules)

    def test_a_table_in_the_search_loses_no_result(self):
        agent = f"{small_run()}:4"
        found = self.grade("--player", agent, "--player", f"{agent}@table={table()}", "--positions",
                           600, "--games", 0)
        without, with_table = (player["all"]["lost"] for player in found["sets"][0]["players"])
        self.assertGreater(without["value"], 0)
        self.assertEqual(with_table["value"], 0)

    def test_the_csv_gives_the_same_counts(self):
        found = self.grade("--player", "random", "--positions", 300, "--games", 5, "--csv",
                           path("moves.csv"))
        with path("moves.csv").open() as file:
            rows = list(csv.DictReader(file))
        for positions in found["sets"]:
            mine = [r for r in rows if r["source"] == positions["source"]]
            self.assertEqual(len(mine), positions["positions"])
            (player,) = positions["players"]
            stake = [r for r in mine if r["at_stake"] == "1"]
            self.assertEqual(len(stake), player["all"]["lost"]["n"])
            if stake:
                lost = sum(r["result_change"] == "lost" for r in stake)
                self.assertAlmostEqual(lost / len(stake), player["all"]["lost"]["value"])
            for row in mine:
                self.assertEqual(row["seeds_given_away"] == "0", row["move"] in row["best_moves"])
                self.assertEqual(row["network_win"], "")

    def test_text_says_what_it_has_counted(self):
        text = self.output("grade", "--table", table(), "--player", "minimax:2", "--positions", 100,
                           "--games", 3)
        for line in ("fixed set: ", "own games: ", "moves that lose the result", "minimax:2"):
            self.assertIn(line, text)
        self.assertNotIn("nan", text)

    def test_refusals(self):
        self.assert_refused(2, "grade", "--table", table(), says="--checkpoint")
        self.assert_refused(4, "grade", "--player", "random", "--table", "no/such.eg",
                            says="no/such.eg")
        self.assert_refused(5, "grade", "--checkpoint", small_run(), "--table", table("awari"),
                            says=["awari", "abapa"])
        self.assert_refused(2, "grade", "--player", "random", "--table", table(), "--simulations",
                            "0", says="simulations")
        self.assert_refused(2, "grade", "--player", "random", "--table", table(), "--positions", 0,
                            "--games", 0, says="--positions")
        self.assert_refused(2, "grade", "--player", "random", "--table", table(), "--csv", table(),
                            says="is read for it")
        self.assert_refused(6, "grade", "--player", "random", "--table", table(), "--csv",
                            "no/such/moves.csv", says="no/such")


if __name__ == "__main__":
    unittest.main()
