"""What an endgame table does outside `awale endgame`, as a user meets it.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/tables_test.py
"""

import functools
import hashlib
import json
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import SMALL_CONFIG, WORK, CommandTest, awale, small_run, tearDownModule, write

# Games of auale end at few seeds only.
LONG = SMALL_CONFIG.replace("iterations = 2", "iterations = 2\nsave_every = 2") + """\
[rules]
preset = "auale"
"""
COVERED = "1-0-0-2-0-1-0-1-0-0-1-0-21-21-S"


def path(name):
    return Path(WORK.name) / name


@functools.cache
def table(rules="abapa", seeds=8):
    file = path(f"{rules}-{seeds}.eg")
    code, _, stderr = awale("endgame", "build", "--rules", rules, "--seeds", seeds, "--out", file)
    assert code == 0, stderr
    return file


@functools.cache
def adjudicated_run():
    run = path("adjudicated")
    config = write("long.toml", LONG.replace("iterations = 2", "iterations = 4"))
    code, _, stderr = awale("train", "--config", config, "--run", run, "--adjudication.table",
                            table("auale"), "--adjudication.play_out_share", 0)
    assert code == 0, stderr
    return run


def digest(file):
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def shards(run):
    return sorted((run / "shards").glob("*.h5"))


class Adjudication(CommandTest):
    def test_a_run_counts_and_names_what_a_table_ended(self):
        found = json.loads(self.output("inspect", adjudicated_run(), "--json"))
        self.assertGreater(found["shards"]["endings"]["adjudicated"], 0)
        text = self.output("inspect", shards(adjudicated_run())[-1])
        self.assertRegex(text, r"adjudicated_by: auale, up to 8 seeds, checksum [0-9a-f]{16}\n")
        finished = [json.loads(line)["finished"]["endings"]["adjudicated"]
                    for line in (adjudicated_run() / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(sum(finished), found["shards"]["endings"]["adjudicated"])

    def test_a_run_goes_on_with_the_same_table_wherever_it_lies(self):
        run = path("resumed")
        settings = ("--adjudication.play_out_share", 0, "--run", run)
        config = write("short.toml", LONG)
        self.output("train", "--config", config, "--adjudication.table", table("auale"), *settings)
        moved = path("moved.eg")
        moved.write_bytes(table("auale").read_bytes())
        again = ("train", "--config", write("long.toml", LONG.replace("iterations = 2",
                                                                      "iterations = 4")),
                 "--resume", *settings, "--adjudication.table")
        code, _, stderr = awale(*again, table("auale", 6))
        self.assertEqual(code, 5, stderr)
        self.assertRegex(stderr, "content of adjudication.table cannot change .* up to 8 .* up to 6 seeds")
        self.output(*again, moved)
        self.assertEqual([digest(file) for file in shards(run)],
                         [digest(file) for file in shards(adjudicated_run())])

    def test_selfplay_stops_games_too(self):
        checkpoint = ("selfplay", "--checkpoint", adjudicated_run(), "--simulations", 2, "--games",
                      20, "--self_play.games", 10, "--self_play.group_games", 10)
        for share, low, high in ((0, 1, 20), (1, 0, 0)):
            out = path(f"games{share}")
            self.output(*checkpoint, "--out", out, "--adjudication.table", table("auale"),
                        "--adjudication.play_out_share", share)
            found = json.loads(self.output("inspect", out, "--json"))["shards"]
            self.assertEqual(found["games"], 20)
            self.assertTrue(low <= found["endings"]["adjudicated"] <= high, found["endings"])

    def test_wrong_tables_and_shares_leave_no_run_behind(self):
        run = path("none")
        train = ("train", "--config", write("small.toml", SMALL_CONFIG), "--run", run)
        for code, value, says in ((4, path("missing.eg"), "missing.eg"),
                                  (5, table("awari", 3), "expected a table for the rules abapa")):
            self.assert_refused(code, *train, "--adjudication.table", value, says=says)
        self.assert_refused(2, *train, "--adjudication.play_out_share", 2,
                            says="adjudication.play_out_share")
        self.assertFalse(run.exists())


class Relabel(CommandTest):
    def test_copies_say_what_was_done_and_the_originals_stay(self):
        files = shards(adjudicated_run())
        before = [digest(file) for file in files]
        out = path("relabelled")
        arguments = ("data", "relabel", *files, "--table", table("auale"))
        found = json.loads(self.output(*arguments, "--out", out, "--json"))
        self.assertEqual([digest(file) for file in files], before)
        self.assertEqual(sorted(file.name for file in out.iterdir()), [f.name for f in files])
        self.assertEqual((found["files"], found["files_left"]), (len(files), 0))
        self.assertEqual((found["table"]["rules"], found["table"]["seeds"]), ("auale", 8))
        self.assertGreaterEqual(found["covered"], found["exact"])
        self.assertGreater(found["exact"], 0)
        self.assertGreater(found["mean_margin_error_seeds"], 0)
        text = self.output(*arguments, "--out", path("text"))
        self.assertIn(f"changed sign  {found['changed_sign']:10}", text)
        described = self.output("inspect", out / files[-1].name)
        self.assertIn(f"relabelled_by: auale, up to 8 seeds, checksum {found['table']['checksum']}",
                      described)

    def test_one_shard_may_become_a_file_and_can_be_relabelled_again(self):
        one, two = path("one.h5"), path("two.h5")
        self.output("data", "relabel", shards(adjudicated_run())[-1], "--table", table("auale", 6),
                    "--out", one)
        found = json.loads(self.output("data", "relabel", one, "--table", table("auale"), "--out", two,
                                       "--json"))
        self.assertGreater(found["exact"], 0)
        self.assertIn("up to 6 seeds", self.output("inspect", two))
        self.assertIn("up to 8 seeds", json.loads(self.output("inspect", two, "--json"))
                      ["relabelled_by"])

    def test_bad_input_is_one_line(self):
        shard = shards(small_run())[-1]
        to = ("--table", table(), "--out")
        self.assert_refused(5, "data", "relabel", shard, "--table", table("awari", 3), "--out", path("x.h5"),
                            says=[str(shard), "played by the rules abapa", "for awari"])
        self.assert_refused(4, "data", "relabel", shard, *to, shard, says="is the original")
        self.assert_refused(4, "data", "relabel", shard, *to, shard.parent, says="is the original")
        self.assert_refused(2, "data", "relabel", shard, shard, *to, path("twice"), says="twice")
        self.assert_refused(4, "data", "relabel", path("none.h5"), *to, path("x.h5"), says="none.h5")
        self.assert_refused(4, "data", "relabel", table(), *to, path("x.h5"), says=str(table()))
        self.assert_refused(4, "data", "relabel", shard, "--table", shard, "--out", path("x.h5"),
                            says="no endgame table")
        self.assert_refused(2, "data", "relabel", shard, "--table", table(), says="--out")
        self.assert_refused(6, "data", "relabel", shard, *to, "/proc/none/x.h5", says="/proc/none")
        self.assertFalse(path("x.h5").exists())


class Lookups(CommandTest):
    def test_analysis_shows_the_table_beside_the_search(self):
        arguments = ("analyze", COVERED, "--study", "--simulations", 50)
        found = json.loads(self.output(*arguments, "--table", table(), "--json"))
        probed = json.loads(self.output("endgame", "probe", COVERED, "--table", table(), "--json"))
        self.assertEqual((found["table_low"], found["table_high"], found["table_verdict"]),
                         (probed["final_margin_low"], probed["final_margin_high"],
                          probed["verdict"]))
        self.assertTrue(found["table_certain"])
        for move, said in zip(found["moves"], probed["moves"], strict=True):
            self.assertEqual((move["move"], move["table_low"], move["table_high"]),
                             (said["move"], said["final_margin_low"], said["final_margin_high"]))
        self.assertIn("table: final margin ", self.output(*arguments, "--table", table()))
        without = json.loads(self.output(*arguments, "--json"))
        self.assertFalse([key for key in without if key.startswith("table")])
        self.assertNotIn("table_low", without["moves"][0])

    def test_moves_that_are_not_searched_are_listed_too(self):
        position = "1-0-0-0-1-1-0-0-1-0-0-1-22-21-S"  # A wins, E and F lose
        found = json.loads(
            self.output("analyze", position, "--table", table(), "--simulations", 20, "--json"))
        self.assertEqual([move["move"] for move in found["moves"]], ["A", "E", "F"])
        self.assertIn(0, [move["visits"] for move in found["moves"]])

    def test_a_position_beyond_the_table_is_searched_with_it(self):
        start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
        found = json.loads(self.output("analyze", start, "--table", table(), "--json"))
        self.assertNotIn("table_low", found)
        self.assertNotIn("table:", self.output("analyze", start, "--table", table()))

    def test_players_that_search_use_it(self):
        play = ("play", "--south", "uniform-mcts:8", "--north", "minimax:2")
        self.assertIn("seeds", self.output(*play, "--table", table()))
        self.assert_refused(5, *play, "--rules", "awari", "--table", table(), says="abapa")

    def test_tables_of_other_rules_are_refused(self):
        self.assert_refused(5, "analyze", COVERED, "--study", "--table", table("awari", 3),
                            says=["abapa", "awari"])
        self.assert_refused(2, "analyze", COVERED, "--study", "--table", table(), "--search.solve",
                            "false", says="solve")


if __name__ == "__main__":
    unittest.main()
