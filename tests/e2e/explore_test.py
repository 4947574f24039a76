"""The scripts that show how to read trajectories in Python draw their pictures.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/explore_test.py
"""

import subprocess
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import WORK, CommandTest, small_run, tearDownModule

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class Explore(CommandTest):
    def draw(self, script, source, says):
        picture = Path(WORK.name) / f"{script}.svg"
        done = subprocess.run(["/usr/bin/python3", SCRIPTS / f"{script}.py", source, "--out", picture],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, says)
        self.assertIn("</svg>", picture.read_text())

    def test_openings_of_a_run(self):
        run = Path(WORK.name) / "from_the_start"
        self.output("train", "--config", small_run() / "config.toml", "--run", run,
                    "--self_play.random_opening_share", 0)
        self.draw("explore_openings", run, r"^\d+ games of 1 shards; ")

    def test_values_of_a_shard(self):
        shard = next((small_run() / "shards").glob("*.h5"))
        self.draw("explore_values", shard, r"^\d+ searched plies; ")

    def test_what_is_no_run_or_shard_is_named(self):
        for script, says in (("explore_openings", "no shards in /nowhere/shards"),
                             ("explore_values", "/nowhere is no shard (HDF5)")):
            done = subprocess.run(["/usr/bin/python3", SCRIPTS / f"{script}.py", "/nowhere"],
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (1, f"{script}: {says}\n"))


if __name__ == "__main__":
    unittest.main()
