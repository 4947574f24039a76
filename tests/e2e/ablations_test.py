"""scripts/ablations.py with runs of a few iterations: trains, compares, goes on where it was.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/ablations_test.py
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

AWALE = os.environ["AWALE"]
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "ablations.py"
SMALL = ["--run.iterations", "3", "--network.blocks", "1", "--network.width", "16",
         "--search.simulations", "4", "--self_play.games", "64", "--self_play.group_games", "32",
         "--self_play.fast_simulations", "4", "--learner.batch_rows", "64",
         "--learner.warmup_rows", "200"]


class Ablations(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp(prefix="awale-test-"))
        self.addCleanup(shutil.rmtree, self.out)

    def run_script(self, *arguments):
        return subprocess.run(
            [SCRIPT, "--awale", AWALE, "--out", self.out, "--games", "20", "--simulations", "4",
             "--opponent", "minimax:2", "--positions", "300", *arguments], capture_output=True, text=True, timeout=300)

    def test_variants_are_compared_and_nothing_is_done_twice(self):
        chosen = ["--only", "adjudication", "puct", "--seeds", "1", "2", *SMALL]
        done = self.run_script(*chosen)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("training "), 6)
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

    def test_an_unknown_variant_is_refused_with_those_there_are(self):
        done = self.run_script("--only", "nonsense")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--only nonsense: expected some of", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
