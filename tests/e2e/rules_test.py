"""`awale rules`, `show` and `check` as a user meets them: words, positions, recorded data.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/rules_test.py
"""

import json
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import START, WORK, CommandTest, awale, tearDownModule, write

DATA = Path(__file__).parent.parent / "data"
PLY = "1-1-1-0-7-7-1-2-4-8-4-10-0-2-N 63 c 0-1-1-0-7-7-1-2-0-9-5-11-0-4-S\n"


class Rules(CommandTest):
    def json(self, *arguments):
        return json.loads(self.output("rules", *arguments, "--json"))

    def test_all_presets_are_listed_with_what_differs(self):
        presets = {found["name"]: found for found in self.json()["presets"]}
        self.assertEqual([name for name in presets if presets[name]["default"]], ["abapa"])
        self.assertEqual(presets["beginner"]["differs"], {"must_feed": "false"})
        self.assertEqual(presets["openspiel"]["same_game"], ["abapa"])
        text = self.output("rules")
        for name, found in presets.items():
            self.assertIn(f"{name}{' (default)' if found['default'] else ''}: {found['source']}\n",
                          text)
        self.assertIn("\n  target_seeds = 0, sweep_at_target = false\n", text)

    def test_a_preset_is_explained_in_words(self):
        text = self.output("rules", "valencian")
        self.assertIn(
            "\ngrand_slam = illegal_unless_only\n  a capture that would take all the opponent's seeds "
            "is illegal while another move exists, else legal and takes them\n", text)
        self.assertIn("The same game as openspiel.\n", self.output("rules", "abapa"))

    def test_a_mixture_is_explained_whatever_the_order(self):
        mixed = self.json("awari", "--rules.target_seeds", 0)
        self.assertEqual(mixed, self.json("--rules.target_seeds", 0, "--rules", "awari"))
        values = {found["key"]: found for found in mixed["parameters"]}
        self.assertEqual(mixed["name"], "custom")
        self.assertEqual(values["cannot_feed"]["value"], "plays_on")
        self.assertEqual(values["target_seeds"]["value"], "0")
        self.assertIn("no effect", values["sweep_at_target"]["meaning"])

    def test_unknown_and_endless_rules_are_refused(self):
        self.assert_refused(2, "rules", "kalah", says=["kalah", "abapa"])
        self.assert_refused(2, "rules", "abapa", "--rules", "awari", says="--rules.preset")
        self.assert_refused(
            2, "rules", "codingame", "--rules.ply_limit", 0, says=["repetition_occurrence"])


class Show(CommandTest):
    def json(self, *arguments):
        return json.loads(self.output("show", *arguments, "--json"))

    def test_the_start_is_shown_without_arguments(self):
        text = self.output("show")
        self.assertEqual(text, self.output("show", "start"))
        self.assertEqual(text, self.output("show", START))
        self.assertIn("> South     4   4   4   4   4   4   store   0\n", text)
        self.assertIn("  F: last seed on d\n", text)
        self.assertIn("position     " + START + "\n", text)

    def test_moves_are_played_and_counted(self):
        found = self.json("start", "FfBeBcC")
        self.assertEqual(found["to_move"], "North")
        self.assertEqual((found["ply"], found["quiet_plies"]), (7, 0))
        self.assertEqual((found["store_south_seeds"], found["store_north_seeds"]), (2, 0))
        again = self.json(found["position"])
        self.assertEqual(again["moves"], found["moves"])

    def test_each_move_lands_takes_and_leads_somewhere(self):
        found = self.json("0-0-0-0-0-6-1-1-5-1-2-1-20-11-S")["moves"]
        self.assertEqual([move["legal"] for move in found], 5 * [False] + [True])
        self.assertEqual({move["why"] for move in found[:5]}, {"empty_pit"})
        self.assertEqual(
            found[5],
            {"move": "F", "legal": True, "lands": "f", "takes": 7, "void_grand_slam": False,
             "next": "0-0-0-0-0-0-2-2-6-0-0-0-27-11-N", "ends": "target"})

    def test_illegal_moves_say_why(self):
        grand_slam = "0-0-0-0-1-1-1-0-0-0-0-0"
        self.assertIn("  F: last seed on a, takes nothing (grand slam)\n",
                      self.output("show", grand_slam, "--study"))
        self.assertIn("  F: illegal: it would take all the opponent's seeds\n",
                      self.output("show", grand_slam, "--study", "--rules", "valencian"))
        text = self.output("show", "1-0-0-0-0-1-0-0-0-0-0-0", "--study")
        self.assertIn("  A: illegal: it does not feed the opponent, whose row is empty\n", text)
        self.assertIn("  B: illegal: it is empty\n", text)

    def test_an_end_is_explained_with_its_count(self):
        circle = ("1-0-0-0-0-0-1-0-0-0-0-0-24-22-S", "AaBbCcDdEeFf")
        text = self.output("show", *circle)
        self.assertIn("The game is over: the position has occurred for the 2nd time", text)
        self.assertIn("each takes the seeds left in his row: South 24 + 1 = 25, North 22 + 1 = 23.\n",
                      text)
        found = self.json(*circle)
        self.assertEqual((found["reason"], found["repetitions"]), ("repetition", 1))
        self.assertEqual((found["final_south_seeds"], found["final_north_seeds"]), (25, 23))
        self.assertNotIn("moves", found)
        endless = self.json(*circle, "--rules", "codingame")
        self.assertEqual((endless["over"], endless["repetitions"]), (False, None))

    def test_malformed_positions_and_illegal_moves_are_refused(self):
        self.assert_refused(3, "show", "FfBe", says=["FfBe", "awale show start FfBe"])
        self.assert_refused(3, "show", "1-0-0-0-0-1-0-0-0-0-0-0", says="15 fields")
        self.assert_refused(3, "show", "start", "FfF", says=["ply 3", "illegal move F"])
        self.assert_refused(3, "show", "start", "Ff4", says=["ply 3", "found '4'"])
        self.assert_refused(2, "show", "", says="POSITION")


class Check(CommandTest):
    def check(self, kind, file, *arguments):
        """(exit code, the JSON) of a file without malformed lines."""
        code, stdout, _ = awale("check", kind, file, *arguments, "--json")
        return code, json.loads(stdout)

    def test_recorded_plies_and_games_agree(self):
        for kind, lines in (("plies", 12000), ("games", 900)):
            code, found = self.check(kind, DATA / f"{kind}_openspiel.txt")
            self.assertEqual((code, found["lines"], found["mismatches"]), (0, lines, 0))
            self.assertEqual(
                self.output("check", kind, DATA / f"{kind}_openspiel.txt"),
                f"{kind} under abapa: {lines} lines checked, mismatches: 0\n")

    def test_recorded_perft_agrees(self):
        lines = (DATA / "perft_openspiel.txt").read_text().splitlines()
        quick = [line for line in lines if "91558687" not in line]
        code, found = self.check("perft", write("perft.txt", "\n".join(quick)))
        self.assertEqual((code, found["lines"], found["mismatches"]), (0, 21, 0))

    def test_differences_are_listed_and_end_with_exit_code_5(self):
        file = write("plies.txt", "# head\n" + PLY + PLY.replace("63", "59") + "\n" + PLY)
        code, stdout, stderr = awale("check", "plies", file)
        self.assertEqual(code, 5)
        self.assertEqual(
            stdout,
            "line 3: legal moves: expected a b d e f, found a b c d e f\n"
            "plies under abapa: 3 lines checked, mismatches: 1 in 1 line (legal moves 1)\n")
        self.assertEqual(
            stderr, f"awale: error: {file}: does not fit the rules: 3 lines checked, mismatches: 1 in "
                    "1 line\n")
        _, found = self.check("plies", file)
        self.assertEqual(found["mismatches_by_what"], {"legal moves": 1})
        self.assertEqual(found["first"], [{"line": 3, "what": "legal moves",
                                           "expected": "a b d e f", "found": "a b c d e f"}])

    def test_show_limits_the_list(self):
        arguments = ("games", DATA / "games_openspiel.txt", "--rules", "awari")
        _, found = self.check(*arguments)
        self.assertEqual(len(found["first"]), 10)
        _, none = self.check(*arguments, "--show", 0)
        self.assertEqual((none["first"], none["mismatches"]), ([], found["mismatches"]))
        self.assertGreater(found["mismatches"], 900)
        self.assertEqual(sum(found["mismatches_by_what"].values()), found["mismatches"])
        _, text, _ = awale("check", *arguments, "--show", 1)
        self.assertIn(f"{found['mismatches'] - 1} more (--show N)\n", text)

    def test_standard_input_and_windows_files(self):
        windows = "\ufeff# head\r\n" + PLY.replace("\n", "\r\n")
        self.assertIn("1 line checked, mismatches: 0",
                      self.output("check", "plies", "-", stdin=windows))
        code, _, stderr = awale("check", "plies", "-", stdin="x\n")
        self.assertEqual(code, 4)
        self.assertIn("standard input:1: ", stderr)

    def test_malformed_lines_name_file_and_line(self):
        for text, says in (("", "found none"),
                           (PLY + PLY.split(" c ")[0], "bad.txt:2: expected 4 fields"),
                           (PLY + PLY.replace("11-0-4", "11-1-4"), "bad.txt:2: position"),
                           (PLY + "\0", "0 byte")):
            self.assert_refused(4, "check", "plies", write("bad.txt", text), says=says)
        self.assert_refused(4, "check", "perft", DATA / "plies_openspiel.txt", says=":2: depth 1")
        self.assert_refused(4, "check", "games", DATA / "perft_openspiel.txt", says=":2: ")

    def test_files_that_cannot_be_read(self):
        self.assert_refused(4, "check", "plies", "no/such", says=["no/such", "No such file"])
        self.assert_refused(4, "check", "plies", WORK.name, says="directory")
        self.assert_refused(2, "check", "moves", "x", says=["KIND", "plies"])
        self.assert_refused(2, "check", "plies", "x", "--show", "-1", says="--show")


if __name__ == "__main__":
    unittest.main()
