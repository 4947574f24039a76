"""Training as it goes wrong: killed, interrupted, on a full disk, with damaged files.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/training_test.py
"""

import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

AWALE = os.environ["AWALE"]

ITERATIONS = 8
SAVE_EVERY = 2
CONFIG = f"""\
[run]
seed = 3
iterations = {ITERATIONS}
save_every = {SAVE_EVERY}
keep_every = {SAVE_EVERY}
[rules]
ply_limit = 60
[network]
blocks = 1
width = 16
[search]
simulations = 4
[self_play]
games = 64
group_games = 16
plies_per_iteration = 25
[learner]
batch_rows = 64
warmup_rows = 200
window_rows = 3000
window_first_rows = 500
[evaluation]
games = 0
"""


class TrainingTest(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="awale-test-"))
        self.addCleanup(shutil.rmtree, self.work)
        self.config = self.work / "config.toml"
        self.config.write_text(CONFIG)

    def command(self, run, *arguments):
        if (run / "config.toml").exists():
            return [AWALE, "train", "--run", run, "--resume", *arguments]
        return [AWALE, "train", "--run", run, "--config", self.config, *arguments]

    def train(self, run, *arguments):
        return subprocess.run(
            self.command(run, *arguments), capture_output=True, text=True, timeout=300
        )

    def start(self, run, *arguments):
        return subprocess.Popen(
            self.command(run, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )

    def assert_trained(self, run, *arguments):
        done = self.train(run, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_same_files(self, left, right):
        for i in range(SAVE_EVERY, ITERATIONS + 1, SAVE_EVERY):
            for kind in ("shards", "checkpoints"):
                name = Path(kind) / f"{i:06}.h5"
                self.assertEqual((left / name).read_bytes(), (right / name).read_bytes(), name)


def files_of(run):
    """Names and sizes of everything in a run: what changes when it writes."""
    found = []
    for path in run.rglob("*"):
        try:
            found.append((str(path), path.stat().st_size))
        except FileNotFoundError:  # renamed just now
            pass
    return sorted(found)


def wait_for_changes(process, run, count):
    """Returns once the files of `run` have changed `count` times, or the process has ended."""
    before = files_of(run)
    while count > 0 and process.poll() is None:
        now = files_of(run)
        if now != before:
            before, count = now, count - 1
        time.sleep(0.001)


class Kill(TrainingTest):
    def test_a_run_killed_again_and_again_equals_the_uninterrupted_one(self):
        whole, killed = self.work / "whole", self.work / "killed"
        self.assert_trained(whole)
        moments = random.Random(1)
        kills = 0
        for _ in range(12):
            process = self.start(killed)
            wait_for_changes(process, killed, moments.randrange(1, 12))
            kills += process.poll() is None
            process.kill()
            process.communicate()
            for shard in (killed / "shards").glob("0*.h5"):
                code = subprocess.run([AWALE, "inspect", shard], capture_output=True)
                self.assertEqual(code.returncode, 0, code.stderr)
        self.assertGreater(kills, 3)
        self.assert_trained(killed)
        self.assert_same_files(whole, killed)
        lines = (killed / "metrics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["iteration"] for line in lines],
                         list(range(1, ITERATIONS + 1)))
        self.assertEqual(list(killed.rglob("*.tmp-*")), [])


class Interrupt(TrainingTest):
    def test_ctrl_c_finishes_the_iteration_and_says_how_to_go_on(self):
        whole, stopped = self.work / "whole", self.work / "stopped"
        self.assert_trained(whole)
        process = self.start(stopped)
        wait_for_changes(process, stopped, 8)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertIn(f"awale train --run {stopped} --resume", stdout)
        self.assertFalse((stopped / "summary.json").exists())
        self.assert_trained(stopped)
        self.assertTrue((stopped / "summary.json").exists())
        self.assert_same_files(whole, stopped)

    def test_ctrl_c_while_grading_leaves_it_for_later(self):
        for section in ("grading", "evaluation"):
            run = self.work / section
            process = self.start(run, f"--{section}.games", "10000", f"--{section}.opponents", "minimax:6")
            while not (run / "checkpoints" / f"{ITERATIONS:06}.h5").exists():
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            stdout, stderr = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 130, stderr)
            self.assertIn(f"interrupted before all was graded; go on with: awale train --run {run} --resume", stdout)
            self.assertFalse((run / "summary.json").exists())
            self.assert_trained(run, f"--{section}.games", "2")
            self.assertTrue((run / "summary.json").exists())


class Threads(TrainingTest):
    def test_one_thread_and_two_with_caches_write_the_same_bytes(self):
        one, two = self.work / "one", self.work / "two"
        self.assert_trained(one, "--threads", "1")
        self.assert_trained(two, "--threads", "2", "--evaluator.cache", "5000")
        self.assert_same_files(one, two)


class Damage(TrainingTest):
    def refused(self, done, code, *texts):
        self.assertEqual(done.returncode, code, done.stderr)
        errors = [line for line in done.stderr.splitlines() if line.startswith("awale: error: ")]
        self.assertEqual(len(errors), 1, done.stderr)
        for text in texts:
            self.assertIn(text, errors[0])

    def test_a_truncated_shard_is_named(self):
        run = self.work / "run"
        self.assert_trained(run, "--iterations", "4")
        shard = run / "shards" / "000004.h5"
        shard.write_bytes(shard.read_bytes()[:-100])
        self.refused(self.train(run, "--iterations", "6"), 4, "000004.h5")

    def test_a_truncated_checkpoint_is_named(self):
        run = self.work / "run"
        self.assert_trained(run, "--iterations", "4")
        checkpoint = run / "checkpoints" / "000004.h5"
        checkpoint.write_bytes(checkpoint.read_bytes()[:5000])
        self.refused(self.train(run, "--iterations", "6"), 4, "000004.h5")

    def test_another_config_is_not_resumed(self):
        run = self.work / "run"
        self.assert_trained(run, "--iterations", "2")
        self.refused(self.train(run, "--iterations", "6", "--search.c_puct", "0.7"), 5, "c_puct")

    def test_a_run_goes_on_at_another_rate_and_shows_what_changes(self):
        run = self.work / "run"
        self.assert_trained(run, "--iterations", "2")
        done = self.assert_trained(run, "--iterations", "3", "--learner.learning_rate", "0.0005")
        changes = [line for line in done.stderr.splitlines() if " -> " in line]
        self.assertEqual(changes, ["learner.learning_rate: 0.001 -> 5e-04", "run.iterations: 2 -> 3"])

    def test_a_run_that_diverges_leaves_the_batch_and_goes_on_at_a_lower_rate(self):
        run = self.work / "run"
        done = self.train(run, "--learner.learning_rate", "9e8", "--learner.warmup_steps", "0")
        self.refused(done, 7, "--resume --learner.learning_rate 4.5e+08")
        (batch,) = (run / "diverged").iterdir()
        self.assertIn(str(batch), done.stderr)
        code = subprocess.run([AWALE, "inspect", batch], capture_output=True)
        self.assertEqual(code.returncode, 0, code.stderr)
        for newer in sorted((run / "checkpoints").glob("0*.h5"))[1:]:
            newer.unlink()  # finite, but spoilt
        self.assert_trained(run, "--learner.learning_rate", "0.001")

    def test_a_run_is_not_trained_over(self):
        run = self.work / "run"
        self.assert_trained(run, "--iterations", "2")
        done = subprocess.run([AWALE, "train", "--config", self.config, "--run", run],
                              capture_output=True, text=True)
        self.refused(done, 4, "--resume")

    def test_a_directory_that_cannot_be_made_is_named(self):
        self.refused(self.train(Path("/proc/nowhere/run")), 6, "/proc/nowhere/run")


class FullDisk(TrainingTest):
    def test_a_full_disk_stops_with_one_line_and_loses_nothing(self):
        disk = self.work / "disk"
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", disk],
                               capture_output=True)
        if mount.returncode != 0:
            self.skipTest("a tiny tmpfs cannot be mounted here: needs root")
        self.addCleanup(subprocess.run, ["umount", disk])
        whole, run = self.work / "whole", disk / "run"
        self.assert_trained(whole)
        done = self.train(run)
        self.assertEqual(done.returncode, 6, done.stderr)
        errors = [line for line in done.stderr.splitlines() if line.startswith("awale: error: ")]
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertIn("No space left on device", errors[0])
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        self.assert_trained(run)
        self.assert_same_files(whole, run)


if __name__ == "__main__":
    unittest.main()
