"""`awale data`: recorded games checked, counted, merged, relabelled, drawn from.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/data_test.py
"""

import functools
import hashlib
import json
import resource
import shutil
import subprocess
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import AWALE, SMALL_CONFIG, WORK, CommandTest, awale, small_run, tearDownModule, write
from tables_test import table

RUN_CONFIG = SMALL_CONFIG.replace("iterations = 2", "iterations = 6\nsave_every = 2\nkeep_every = 2") + """\
[rules]
ply_limit = 40
"""


def path(name):
    return Path(WORK.name) / name


@functools.cache
def run():
    """A run of 6 iterations that saves every second one; others copy it."""
    directory = path("data-run")
    code, _, stderr = awale("train", "--config", write("data.toml", RUN_CONFIG), "--run", directory)
    assert code == 0, stderr
    return directory


def copy_of_run(name):
    shutil.copytree(run(), path(name))
    return path(name)


def shards(directory):
    return sorted((directory / "shards").glob("*.h5"))


def digest(file):
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def cut_short(file):
    file.write_bytes(file.read_bytes()[:-100])


class DataTest(CommandTest):
    def assert_fails(self, code, *arguments, says):
        """As assert_refused, of commands that may have warned of this machine's BLAS before."""
        found, stdout, stderr = awale(*arguments)
        self.assertEqual((found, stdout), (code, ""), stderr)
        errors = [line for line in stderr.splitlines() if line.startswith("awale: error: ")]
        self.assertEqual(len(errors), 1, stderr)
        for text in says:
            self.assertIn(text, errors[0])


class Verify(CommandTest):
    def test_a_sound_run_is_exit_code_0(self):
        found = json.loads(self.output("data", "verify", run(), "--json"))
        self.assertTrue(found["sound"])
        self.assertEqual((found["shards"], found["damaged"]), (3, []))
        self.assertRegex(self.output("data", "verify", *shards(run())), r"^sound: 3 shards with \d+ games")

    def test_a_damaged_run_is_mended_and_trained_on_to_the_same_bytes(self):
        damaged = copy_of_run("damaged-run")
        victim = shards(damaged)[1]
        cut_short(victim)
        code, stdout, stderr = awale("data", "verify", damaged)
        self.assertEqual(code, 4)
        self.assertEqual(stderr.count("\n"), 1)
        self.assertIn(f"1 damaged file, the first: '{victim}'", stderr)
        self.assertIn("iterations 3 to 6 are played again", stdout)
        code, stdout, _ = awale("data", "verify", damaged, "--set-aside", "--json")
        self.assertEqual(code, 4)
        self.assertEqual(json.loads(stdout)["damaged"][0]["set_aside"],
                         str(damaged / "shards" / "damaged" / victim.name))
        self.output("train", "--run", damaged, "--resume")
        for left, right in zip(shards(run()), shards(damaged), strict=True):
            self.assertEqual(digest(left), digest(right))
        self.assertIn("sound", self.output("data", "verify", damaged))

    def test_contradictions_are_exit_code_5(self):
        code, stdout, stderr = awale("data", "verify", shards(run())[0], shards(run())[0])
        self.assertEqual(code, 5)
        self.assertIn("contradiction: ", stdout)
        self.assertIn("stands in", stderr)
        self.assert_refused(4, "data", "verify", path("nowhere"), says="nowhere")


class Stats(CommandTest):
    def test_a_run_is_shown_on_a_screen_and_as_json(self):
        text = self.output("data", "stats", run())
        self.assertLess(text.count("\n"), 50)
        self.assertIn("surprise, nats", text)
        found = json.loads(self.output("data", "stats", run(), "--json"))
        inspected = json.loads(self.output("inspect", run(), "--json"))["shards"]
        for key in ("games", "distinct_games", "plies", "training_rows", "endings", "bytes"):
            self.assertEqual(found[key], inspected[key])
        self.assertGreater(found["surprise"]["mean"], 0)
        self.assert_refused(4, "data", "stats", path("nowhere"), says="nowhere")


class Merge(CommandTest):
    def test_shards_of_other_rules_merge_and_duplicates_are_refused_or_dropped(self):
        merged = path("merged.h5")
        other = shards(small_run())[-1]
        found = json.loads(self.output("data", "merge", run(), other, "--out", merged,
                                       "--drop-duplicates", "--json"))
        self.assertEqual((found["files"], found["rule_sets"]), (4, 2))
        self.assertTrue(json.loads(self.output("data", "verify", merged, "--json"))["sound"])
        counted = json.loads(self.output("data", "stats", merged, "--json"))
        self.assertEqual(counted["games"], found["games"])
        self.assertEqual(len(counted["rules"]), 2)
        self.assert_refused(4, "data", "merge", run(), "--out", merged, says="exists")
        self.assert_refused(5, "data", "merge", run(), shards(run())[0], "--out", path("x.h5"),
                            says=["game id", "--drop-duplicates"])
        text = self.output("data", "merge", run(), shards(run())[-1], "--out", path("x.h5"),
                           "--drop-duplicates")
        self.assertRegex(text, r"from 4 shards; \d+ duplicates dropped")
        self.assert_refused(6, "data", "merge", run(), "--out", "/proc/none/x.h5", says="/proc/none")


class Relabel(CommandTest):
    def test_a_newer_network_searches_every_ply_again(self):
        out = path("searched")
        before = [digest(file) for file in shards(run())]
        arguments = ("data", "relabel", run(), "--checkpoint", run(), "--simulations", 8, "--out", out)
        found = json.loads(self.output(*arguments, "--threads", 2, "--json"))
        self.assertEqual([digest(file) for file in shards(run())], before)
        counted = json.loads(self.output("data", "stats", run(), "--json"))
        self.assertEqual(found["searched"], counted["training_rows"])
        self.assertEqual(found["files"], 3)
        self.assertRegex(self.output("inspect", out / "000006.h5"),
                         r"relabelled_by: network [0-9a-f]{16} \(000006.h5\), 8 simulations of gumbel\n")
        # One thread writes the same bytes; what is there is skipped, what is missing is written.
        one = path("searched-one")
        self.output(*arguments[:-1], one, "--threads", 1)
        self.assertEqual([digest(file) for file in sorted(out.iterdir())],
                         [digest(file) for file in sorted(one.iterdir())])
        kept = digest(out / "000004.h5")
        (out / "000004.h5").unlink()
        again = json.loads(self.output(*arguments, "--json"))
        self.assertEqual((again["files"], again["files_skipped"]), (1, 2))
        self.assertEqual(digest(out / "000004.h5"), kept)
        self.assertIn("3 there already", self.output(*arguments))
        self.assert_refused(4, *arguments[:-3], 9, "--out", out,
                            says=["000002.h5", "exists and is not relabelled by network"])

    def test_bad_arguments_are_one_line(self):
        shard = shards(run())[0]
        self.assert_refused(2, "data", "relabel", shard, "--out", path("y.h5"), says="found neither")
        self.assert_refused(2, "data", "relabel", shard, "--out", path("y.h5"), "--table", table(),
                            "--checkpoint", run(), says="found both")
        self.assert_refused(2, "data", "relabel", shard, "--out", path("y.h5"), "--table", table(),
                            "--simulations", 8, says="requires --checkpoint")
        self.assert_refused(5, "data", "relabel", shard, "--out", path("y.h5"), "--checkpoint",
                            small_run(), says="ply_limit=40")
        self.assert_refused(4, "data", "relabel", shard, "--out", shard, "--checkpoint", run(),
                            says="is the original")


class Sample(CommandTest):
    def test_rows_are_read_with_h5py(self):
        out = path("rows.h5")
        total = json.loads(self.output("data", "stats", run(), "--json"))["training_rows"]
        text = self.output("data", "sample", run(), "--rows", 200, "--seed", 3, "--out", out)
        self.assertEqual(text, f"200 of {total} rows in {out}\n")
        self.output("data", "sample", run(), "--rows", 200, "--seed", 3, "--out", path("same.h5"))
        self.assertEqual(digest(out), digest(path("same.h5")))
        self.assert_refused(4, "data", "sample", run(), "--rows", 1, "--out", out, says="exists")
        self.assert_refused(5, "data", "sample", run(), "--rows", total + 1, "--out", path("z.h5"),
                            says=f"expected at most the {total}")
        self.assert_refused(2, "data", "sample", run(), "--rows", 0, "--out", path("z.h5"), says="--rows")
        self.assert_refused(2, "data", "sample", run(), shards(run())[0], "--rows", 1, "--out", path("z.h5"),
                            says="expected each shard once")
        script = Path(__file__).with_name("read_rows.py")
        done = subprocess.run(["/usr/bin/python3", script, out, *shards(run())],
                              capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class FullDisk(DataTest):
    """Nothing half-written is ever read: what a full disk has stopped is not there."""

    def test_merge_relabel_and_sample_on_a_full_disk(self):
        disk = path("disk")
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True)
        if mount.returncode != 0:
            self.skipTest("a tiny tmpfs cannot be mounted here: needs root")
        self.addCleanup(subprocess.run, ["umount", disk])
        for arguments in (("merge", run()), ("sample", run(), "--rows", 500),
                          ("relabel", shards(run())[-1], "--checkpoint", run())):
            self.assert_fails(6, "data", *arguments, "--out", disk / "out.h5",
                              says=["No space left on device"])
            self.assertEqual(list(disk.iterdir()), [])

    def test_a_file_over_the_users_limit(self):
        done = subprocess.run(
            [AWALE, "data", "merge", run(), "--out", path("large.h5")], capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual((done.returncode, done.stdout), (6, ""), done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(list(path("").glob("*large.h5*")), [])


class Lock(DataTest):
    def test_a_second_process_is_told_who_trains(self):
        directory = copy_of_run("locked-run")
        (directory / "summary.json").unlink()
        process = subprocess.Popen(
            [AWALE, "train", "--run", directory, "--resume", "--iterations", "100000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            for line in process.stderr:
                if "iteration" in line or "settings" in line:
                    break
            self.assert_fails(4, "train", "--run", directory, "--resume",
                              says=["another process is training in it", f"pid {process.pid} on "])
            self.assert_refused(4, "data", "verify", directory, "--set-aside",
                                says=f"pid {process.pid} on ")
        finally:
            process.kill()
            process.communicate()
        # The lock died with the process. It has set the iterations for good.
        self.output("train", "--run", directory, "--resume", "--iterations", 1)


if __name__ == "__main__":
    unittest.main()
