"""One learner and several followers on one run's folder, killed and started again.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/external_test.py
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

# As Debian's python3-h5py is found by Debian's Python alone.
READ_IDS = """
import h5py, sys
for name in sys.argv[1:]:
    with h5py.File(name) as file: print(*file["games/game_id"])
"""

AWALE = os.environ["AWALE"]

CONFIG = """\
[run]
seed = 3
threads = 1
iterations = 25
keep_every = 10
[rules]
ply_limit = 60
[network]
blocks = 1
width = 16
[search]
simulations = 4
[self_play]
games = 32
group_games = 16
plies_per_iteration = 25
[learner]
batch_rows = 64
warmup_rows = 200
window_rows = 3000
window_first_rows = 500
[evaluation]
games = 0
[grading]
games = 0
positions = 0
"""


class ExternalTest(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="awale-test-"))
        self.addCleanup(shutil.rmtree, self.work)
        self.config = self.work / "config.toml"
        self.config.write_text(CONFIG)
        self.run_path = self.work / "run"
        self.processes = []
        self.addCleanup(self.end_processes)

    def end_processes(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def start(self, *arguments):
        process = subprocess.Popen([AWALE, *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def learner(self, *arguments):
        resume = (self.run_path / "config.toml").exists()
        return self.start("train", "--external", "--run", self.run_path,
                          *(["--resume"] if resume else ["--config", self.config]), *arguments)

    def follower(self, *arguments):
        return self.start("selfplay", "--follow", self.run_path, *arguments)

    def kill(self, process):
        self.assertIsNone(process.poll(), "ended by itself")
        process.kill()
        process.communicate()

    def output(self, process, code=0):
        stdout, stderr = process.communicate(timeout=200)
        self.assertEqual(process.returncode, code, stderr)
        return stdout + stderr

    def wait_until(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)

    def newest(self):
        return max((int(file.stem) for file in (self.run_path / "checkpoints").glob("0*.h5")),
                   default=-1)

    def waiting(self):
        return list((self.run_path / "incoming").glob("0*.h5"))

    def game_ids(self, shards):
        done = subprocess.run(["/usr/bin/python3", "-c", READ_IDS, *shards], capture_output=True, text=True)
        if "ModuleNotFoundError" in done.stderr or "No such file" in done.stderr:
            self.skipTest("python3-h5py is not installed: game ids cannot be looked at")
        return [int(id) for id in done.stdout.split()]

    def inspect(self):
        done = subprocess.run([AWALE, "inspect", "--json", self.run_path], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Killed(ExternalTest):
    def test_followers_and_the_learner_are_killed_and_every_game_counts_once(self):
        learner = self.learner()
        followers = [self.follower(), self.follower()]
        self.wait_until(lambda: self.newest() >= 3)
        self.kill(followers[0])
        self.wait_until(lambda: self.newest() >= 6)
        self.kill(learner)
        self.wait_until(lambda: self.waiting())
        handed_over = self.work / "handed_over"
        shutil.copytree(self.run_path / "incoming", handed_over)
        followers.append(self.follower())
        self.wait_until(lambda: (self.run_path / "workers" / "000003").exists())
        learner = self.learner()
        self.assertIn("trained      25 iterations", self.output(learner))
        for follower in followers[1:]:
            self.assertIn("for " + str(self.run_path), self.output(follower))
        described = self.inspect()
        summary = json.loads((self.run_path / "summary.json").read_text())
        self.assertEqual(described["shards"]["games"], summary["games"])
        self.assertEqual(described["newest_checkpoint"]["iteration"], 25)
        self.assertEqual(sorted(file.name for file in (self.run_path / "workers").iterdir()),
                         ["000001", "000002", "000003"])
        self.assertFalse((self.run_path / "damaged").exists())
        lines = (self.run_path / "metrics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["iteration"] for line in lines], list(range(1, 26)))
        ids = self.game_ids((self.run_path / "shards").glob("0*.h5"))
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(len(ids), summary["games"])
        self.assertEqual({id >> 40 for id in ids}, {1, 2, 3})
        self.assertLessEqual(set(self.game_ids(handed_over.glob("0*.h5"))), set(ids))


class Followers(ExternalTest):
    def test_followers_wait_for_a_learner_that_is_gone(self):
        learner = self.learner("--run.most_waiting", "2")
        follower = self.follower()
        self.wait_until(lambda: self.newest() >= 1)
        self.kill(learner)
        self.wait_until(lambda: len(self.waiting()) == 3)
        time.sleep(1)
        self.assertEqual(len(self.waiting()), 3)
        follower.send_signal(signal.SIGINT)
        self.assertIn("waiting for it", self.output(follower))

    def test_a_damaged_shard_is_put_aside_and_a_learner_without_games_waits(self):
        learner = self.learner()
        self.wait_until(lambda: (self.run_path / "incoming").exists())
        (self.run_path / "incoming" / "000009-000001.h5").write_bytes(b"nothing")
        self.wait_until(lambda: (self.run_path / "damaged" / "000009-000001.h5").exists())
        time.sleep(2.5)
        learner.send_signal(signal.SIGINT)
        output = self.output(learner, code=130)
        self.assertEqual(output.count("warning: put aside"), 1)
        self.assertIn("to play: awale selfplay --follow", output)
        self.assertIn("--resume --external", output)

    def test_so_many_games_and_no_more(self):
        self.learner()
        self.assertIn("50 games in", self.output(self.follower("--games", 50, "--threads", 2)))

    def test_what_the_run_decides_is_refused(self):
        follower = self.follower("--simulations", 8)
        self.assertIn("--search.simulations: not with --follow", self.output(follower, code=2))


if __name__ == "__main__":
    unittest.main()
