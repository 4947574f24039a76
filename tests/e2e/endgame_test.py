"""`awale endgame` as a user meets it: tables built, killed, probed, verified, counted, damaged.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/endgame_test.py
"""

import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import START, WORK, CommandTest, awale, tearDownModule

WORK_DIR = Path(WORK.name)
DATA = Path(__file__).parent.parent / "data"
POSITION = "1-0-0-2-0-1-0-1-0-0-2-0-20-21-S"


class Endgame(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.awari = WORK_DIR / "awari.eg"
        cls.abapa = WORK_DIR / "abapa.eg"
        awale("endgame", "build", "--rules", "awari", "--seeds", 9, "--out", cls.awari)
        awale("endgame", "build", "--seeds", 9, "--out", cls.abapa)

    def probe(self, position, table, *arguments):
        return json.loads(
            self.output("endgame", "probe", position, "--table", table, "--json", *arguments))

    def test_the_published_counts_come_out(self):
        counts = self.output("endgame", "stats", "--table", self.awari, "--csv")
        published = (DATA / "awari_histogram.csv").read_text().splitlines()
        known = [line for line in published if line[0] == "s" or int(line.split(",")[0]) <= 9]
        self.assertEqual(counts.splitlines(), known)

    def test_guarantees_are_counted_with_both_numbers(self):
        lines = self.output("endgame", "stats", "--table", self.abapa, "--csv").splitlines()
        self.assertEqual(lines[0], "seeds,to_move,opponent,positions")
        self.assertEqual(sum(int(line.split(",")[3]) for line in lines[1:]), 293930)
        layers = json.loads(self.output("endgame", "stats", "--table", self.abapa, "--json"))
        self.assertEqual(layers[9]["reachable_exact"], 108022)
        self.assertIn("108022", self.output("endgame", "stats", "--table", self.abapa))

    def test_a_position_is_judged_move_by_move(self):
        found = self.probe(POSITION, self.awari)
        self.assertEqual((found["value_low"], found["exact"], found["verdict"]), (7, True, "win"))
        self.assertEqual({move["move"]: move["value_low"] for move in found["moves"]},
                         {"A": 7, "D": -3, "F": -7})
        text = self.output("endgame", "probe", POSITION, "--table", self.awari)
        self.assertIn("South gains +7 on his opponent\n", text)
        self.assertRegex(text, r"\nD +0  -3 +-6\.\.-3 +loss\n")

    def test_the_side_to_move_sees_itself(self):
        turned = "0-1-0-0-2-0-1-0-0-2-0-1-21-20-N"
        self.assertEqual(self.probe(turned, self.awari)["value_low"], 7)
        self.assertEqual(self.probe(turned, self.awari)["moves"][0]["move"], "a")

    def test_a_game_that_is_over_is_told(self):
        found = self.probe("1-0-0-0-0-0-0-0-0-0-0-0-25-22-S", self.abapa)
        self.assertEqual((found["over"], found["final_margin_low"], found["final_margin_high"]),
                         (True, 4, 4))
        self.assertIn("the game is over (target), final margin +4: win",
                      self.output("endgame", "probe", "1-0-0-0-0-0-0-0-0-0-0-0-25-22-S", "--table",
                                  self.abapa))

    def test_a_circle_leaves_the_value_open_where_rows_count(self):
        circling = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
        self.assertEqual(self.probe(circling, self.awari)["value_low"], 0)
        found = self.probe(circling, self.abapa)
        self.assertFalse(found["exact"])
        self.assertLessEqual(found["value_low"], found["value_high"])

    def test_other_targets_use_the_same_table(self):
        self.assertEqual(self.probe(POSITION, self.abapa, "--rules", "auale")["verdict"], "win")
        self.assert_refused(5, "endgame", "probe", POSITION, "--table", self.abapa, "--rules",
                            "awari", says="expected a table for the rules awari")

    def test_what_is_not_covered_is_refused(self):
        self.assert_refused(3, "endgame", "probe", START, "--table", self.awari,
                            says="at most 9 seeds in the pits")
        self.assert_refused(3, "endgame", "probe", "1-2", "--table", self.awari)
        self.assert_refused(4, "endgame", "probe", POSITION, "--table", WORK_DIR / "absent")

    def test_verification_names_a_sound_table_and_refuses_a_damaged_one(self):
        self.assertIn("all 293930 boards agree",
                      self.output("endgame", "verify", "--table", self.abapa))
        damaged = WORK_DIR / "damaged.eg"
        data = bytearray(self.abapa.read_bytes())
        data[-1] ^= 1
        damaged.write_bytes(data)
        self.assert_refused(4, "endgame", "verify", "--table", damaged, says="9 seeds are damaged")
        self.assert_refused(4, "endgame", "stats", "--table", DATA / "awari_histogram.csv",
                            says="no endgame table")

    def test_a_build_is_refused_in_one_line(self):
        out = WORK_DIR / "refused.eg"
        self.assert_refused(2, "endgame", "build", "--out", out, "--seeds", 0, says="--seeds")
        self.assert_refused(2, "endgame", "build", "--out", out, "--seeds", 32, says="--seeds")
        self.assert_refused(2, "endgame", "build", "--out", out, "--seeds", 20, "--memory", 1,
                            says="--memory: expected at least")
        self.assert_refused(6, "endgame", "build", "--out", WORK_DIR / "no" / "t.eg", "--seeds", 3)
        self.assert_refused(5, "endgame", "build", "--out", self.awari, "--seeds", 10)
        self.assertFalse(out.exists())

    def test_a_killed_build_goes_on(self):
        out = WORK_DIR / "killed.eg"
        command = [os.environ["AWALE"], "endgame", "build", "--seeds", "13", "--out", str(out)]
        building = Path(f"{out}.building")
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and (not building.exists()
                                              or building.stat().st_size < 1_000_000):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        self.assertFalse(out.exists())
        result = json.loads(self.output("endgame", "build", "--seeds", 13, "--out", out, "--json"))
        self.assertGreater(result["first_layer"], 5)
        whole = WORK_DIR / "whole.eg"
        self.output("endgame", "build", "--seeds", 13, "--out", whole)
        self.assertEqual(out.read_bytes(), whole.read_bytes())
        self.assertIn("nothing left to solve", self.output("endgame", "build", "--seeds", 13, "--out",
                                                      out))


if __name__ == "__main__":
    unittest.main()
