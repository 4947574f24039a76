"""Positions analyzed in a stream, as a program that grades thousands of them does it.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/analysis_test.py
"""

import json
import subprocess
import unittest

# tearDownModule is for unittest, which looks for it here.
from cli_test import AWALE, CommandTest, awale, small_run, tearDownModule

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


def stream(*requests, flags=()):
    typed = "".join(json.dumps(request) + "\n" for request in requests)
    code, stdout, stderr = awale("analyze", "--stream", *flags, stdin=typed)
    return code, [json.loads(line) for line in stdout.splitlines()], stderr


class Stream(CommandTest):
    def answers(self, *requests, flags=()):
        code, found, stderr = stream(*requests, flags=flags)
        self.assertEqual((code, stderr), (0, ""))
        return found

    def test_an_answer_is_what_analyze_says_of_the_position(self):
        requests = [{"id": "a", "simulations": 100}, {"id": "b", "rules": "awari", "simulations": 30}]
        for request, found in zip(requests, self.answers(*requests)):
            alone = json.loads(self.output(
                "analyze", "start" if request["id"] == "a" else START, "--json", "--rules", request.get("rules", "abapa"),
                "--simulations", request["simulations"]))
            self.assertEqual(found, {"id": request["id"], **alone})

    def test_threads_and_batches_change_nothing(self):
        requests = [{"id": n, "moves": "FfBeBc"[:n % 6], "simulations": 20 + n} for n in range(40)]
        expected = self.answers(*requests)
        self.assertEqual([answer["id"] for answer in expected], list(range(40)))
        self.assertEqual(self.answers(*requests, flags=("--threads", "2", "--batch", "5")), expected)

    def test_whoever_waits_for_an_answer_gets_it_before_the_input_ends(self):
        with subprocess.Popen([AWALE, "analyze", "--stream"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, bufsize=1) as program:
            for n in range(3):
                program.stdin.write(json.dumps({"id": n, "simulations": 4}) + "\n")
                self.assertEqual(json.loads(program.stdout.readline())["id"], n)
            program.stdin.close()
            self.assertEqual(program.wait(), 0)

    def test_a_checkpoint_answers_for_its_own_rules_only(self):
        own, other = self.answers({}, {"rules": "awari"},
                                  flags=("--checkpoint", small_run(), "--simulations", "8"))
        self.assertEqual(own["simulations"], 8)
        self.assertIn("awari", other["error"])

    def test_a_position_or_a_stream(self):
        for arguments in ((), (START, "--stream")):
            self.assert_refused(2, "analyze", *arguments, says="a POSITION or --stream")
        self.assert_refused(2, "analyze", "--stream", "--batch", 0, says="1..4096")


if __name__ == "__main__":
    unittest.main()
