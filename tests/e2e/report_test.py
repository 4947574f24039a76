"""The page that `awale report` writes: what is in it, and what it refuses.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/report_test.py
"""

import json
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import WORK, CommandTest, small_run, tearDownModule, write


class Report(CommandTest):
    def report(self, *arguments, name="report.html"):
        """The data of the page, and what was printed."""
        page = Path(WORK.name) / name
        printed = self.output("report", *arguments, "--out", page)
        text = page.read_text(encoding="utf-8")
        begin = text.index('<script id="awale-data" type="application/json">')
        data = text[text.index(">", begin) + 1:text.index("</script>", begin)]
        return json.loads(data), printed

    def test_a_run_is_in_it_as_its_files_have_it(self):
        directory = small_run()
        data, printed = self.report(directory)
        self.assertIn("1 run, ", printed)
        run, = data["runs"]
        lines = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(run["iterations"], len(lines))
        for name in ("iteration", "total_games", "loss_policy", "simulations_per_second"):
            self.assertEqual(run["series"][name], [line[name] for line in lines])
        self.assertEqual(run["series"]["finished/games"], [line["finished"]["games"] for line in lines])
        self.assertEqual(run["config"], (directory / "config.toml").read_text())
        self.assertEqual(run["summary"], json.loads((directory / "summary.json").read_text()))
        self.assertEqual(run["name"], directory.name)
        for game in data["games"]:
            self.assertEqual(len(game["game"]["plies"]), len(game["searches"]))

    def test_runs_of_one_name_are_told_apart(self):
        directory = small_run()
        data, _ = self.report(directory, f"{directory}/../{directory.name}")
        self.assertEqual(len({run["name"] for run in data["runs"]}), 2)

    def test_games_from_files(self):
        moves = write("games.txt", "FfBe\nAaBb\n")
        ogn = Path(WORK.name) / "games.ogn"
        self.output("convert", moves, ogn)
        data, _ = self.report(moves, ogn, "--games", 1)
        self.assertEqual(data["runs"], [])
        self.assertEqual([game["game"]["moves"] for game in data["games"]], ["FfBe", "FfBe"])
        self.assertEqual([game["title"] for game in data["games"]], ["games.txt, game 1", "games.ogn, game 1"])

    def test_what_it_refuses(self):
        page = Path(WORK.name) / "refused.html"
        self.assert_refused(4, "report", WORK.name, "--out", page, says="config.toml is missing")
        self.assert_refused(4, "report", "nowhere", "--out", page, says="nowhere")
        self.assert_refused(6, "report", small_run(), "--out", "/nowhere/report.html", says="/nowhere")
        self.assert_refused(3, "report", write("bad.txt", "FfX\n"), "--out", page, says="ply 3")
        self.assertFalse(page.exists())
        games = write("kept.txt", "FfBe\n")
        self.assert_refused(2, "report", games, "--out", games, says="is read for it")
        settings = small_run() / "config.toml"
        kept = settings.read_bytes()
        self.assert_refused(2, "report", small_run(), "--out", settings, says="is read for it")
        self.assertEqual(settings.read_bytes(), kept)


if __name__ == "__main__":
    unittest.main()
