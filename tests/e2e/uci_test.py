"""The engine protocol as a board program meets it.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/uci_test.py
"""

import json
import re
import subprocess
import unittest

# tearDownModule is for unittest, which looks for it here.
from cli_test import AWALE, CommandTest, awale, small_run, tearDownModule

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"

# What Aualé understands (joansalasoler/auale, src/auale/uci/rules.py).
ANSWERS = re.compile(
    r"uciok|readyok|id (name|author) .+|bestmove (0000|[a-fA-F]( ponder [a-fA-F])?)"
    r"|option name \S+ type (check|spin|combo|button|string) default \S+( (min|max|var) -?\S+)*"
    r"|info string .+"
    r"|info depth \d+ nodes \d+ nps \d+ time \d+ score cp -?\d+ pv [a-fA-F]+")


def session(*lines):
    return awale("uci", stdin="".join(line + "\n" for line in lines))


def engine(*flags):
    return subprocess.Popen(
        [AWALE, "uci", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def line_of(process, start):
    """The next line that begins with `start`; those before are passed over."""
    for line in process.stdout:
        if line.startswith(start):
            return line
    raise AssertionError(f"the engine ended before it said '{start}'")


class Uci(CommandTest):
    def answers(self, *lines):
        code, stdout, stderr = session(*lines)
        self.assertEqual((code, stderr), (0, ""))
        for line in stdout.splitlines():
            self.assertRegex(line, re.compile(f"^({ANSWERS.pattern})$"))
        return stdout.splitlines()

    def test_a_board_program_gets_a_move(self):
        answers = self.answers(
            "uci", "setoption name Ponder value false", "ucinewgame", "isready",
            "position startpos moves FfBe", "go depth 6 movetime 60000")
        self.assertIn("uciok", answers)
        self.assertIn("readyok", answers)
        self.assertRegex(answers[-1], "^bestmove [A-F] ponder [a-f]$")

    def test_the_answer_is_that_of_analyze(self):
        for rules in ("abapa", "awari"):
            analysis = json.loads(
                self.output("analyze", START, "--rules", rules, "--simulations", "512", "--json"))
            answers = self.answers(f"setoption name Rules value {rules}", "go nodes 512")
            self.assertRegex(answers[-2], f" nodes 512 .* pv {analysis['line']}$")
            score = int(re.search(r"score cp (-?\d+)", answers[-2])[1])
            self.assertAlmostEqual(score, 100 * analysis["margin_seeds"], delta=0.51)

    def test_a_whole_game_against_itself_ends(self):
        moves = ""
        with engine() as playing:
            for _ in range(400):
                playing.stdin.write(f"position startpos moves {moves}\ngo depth 1\n")
                move = line_of(playing, "bestmove ").split()[1]
                if move == "0000":
                    break
                moves += move
            playing.stdin.write("quit\n")
        self.assertEqual(move, "0000")
        self.assertIn("over", self.output("show", START, moves))

    def test_a_table_and_a_checkpoint_are_taken(self):
        run = small_run()
        answers = self.answers(f"setoption name Checkpoint value {run}", "go depth 3")
        self.assertTrue(answers[-1].startswith("bestmove "))
        answers = self.answers("setoption name Checkpoint value /nowhere", "go depth 3")
        self.assertIn("info string error: ", answers[0])
        self.assertIn("/nowhere", answers[0])
        self.assertTrue(answers[-1].startswith("bestmove "))

    def test_an_evaluator_is_taken(self):
        for kind in ("torch", "cpu-fp32"):
            with engine("--evaluator", kind) as playing:
                playing.stdin.write("debug on\nsetoption name Threads value 2\ngo depth 4\nquit\n")
                self.assertIn(kind, line_of(playing, "info string evaluator "))
                line_of(playing, "bestmove ")

    def test_stop_and_quit_end_an_infinite_search(self):
        with engine() as searching:
            for last in ("stop", "quit"):
                searching.stdin.write("go infinite\n")
                line_of(searching, "info depth 9 ")
                searching.stdin.write(f"{last}\n")
                line_of(searching, "bestmove ")
            self.assertEqual(searching.wait(), 0)

    def test_bad_flags_are_refused_before_a_session_begins(self):
        for flags, code in ((("--threads", "7"), 2), (("--hash", "-1"), 2),
                            (("--checkpoint", "/nowhere"), 4),
                            (("--evaluator", "cpu-fp32", "--device", "cuda"), 2), (("--rules", "chess"), 2)):
            self.assertEqual(awale("uci", *flags, stdin="")[0], code)


if __name__ == "__main__":
    unittest.main()
