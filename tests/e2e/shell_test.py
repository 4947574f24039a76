"""Completion in bash and zsh, and the manual page, as shells and readers use them.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/shell_test.py
"""

import re
import shutil
import subprocess
import unittest

# tearDownModule is for unittest, which looks for it here.
from cli_test import CommandTest, tearDownModule, write

BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_awale
printf '%s\\n' "${COMPREPLY[@]}"
"""

# What zsh's completion system would do with the answer.
ZSH = """
compadd() { shift; print -rl -- "$@" }
compdef() { }
_files() { print -r -- FILES }
source "$1"; shift
words=("$@"); CURRENT=${#words}
_awale
"""


class Completion(CommandTest):
    def check(self, complete, files):
        subcommands = complete("awale", "")
        self.assertIn("train", subcommands)
        self.assertIn("completion", subcommands)
        self.assertNotIn("--help", subcommands)
        self.assertEqual(complete("awale", "data", ""),
                         ["verify", "stats", "merge", "relabel", "sample"])
        options = complete("awale", "match", "--")
        self.assertIn("--games", options)
        self.assertIn("--simulations", options)
        self.assertNotIn("--search.simulations", options)
        self.assertIn("awari", complete("awale", "play", "--rules", "awa"))
        self.assertNotIn("--help", complete("awale", "play", "--rules", "awa"))
        self.assertIn("cpu-bf16", complete("awale", "play", "--evaluator", "cpu"))
        self.assertEqual(complete("awale", "completion", ""), ["bash", "zsh"])
        self.assertEqual(complete("awale", "match", "runs/"), files)

    def test_bash(self):
        script = write("completion.bash", self.output("completion", "bash"))

        def bash_complete(*words):
            done = subprocess.run(["bash", "-c", BASH, "bash", script, *words],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

        self.check(bash_complete, [])
        self.assertEqual(bash_complete("awale", "play", "--rules", "=", "awa"), ["awari"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        script = write("_awale", self.output("completion", "zsh"))

        def zsh_complete(*words):
            done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", script, *words],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

        self.check(zsh_complete, ["FILES"])

    def test_other_shells_are_refused(self):
        self.assert_refused(2, "completion", "fish", says="fish")


class Manual(CommandTest):
    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_page_has_every_subcommand_and_no_fault(self):
        page = self.output("manual")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-P-c"], input=page,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        text = re.sub(".\b", "", done.stdout)  # bold is a letter over itself
        for name in ("awale train", "awale data verify", "awale uci", "--out PATH",
                     "awale match [OPTIONS] A B", "awale analyze [OPTIONS] [POSITION]",
                     "--run DIR (required)", "EXIT STATUS"):
            self.assertTrue(name in text, f"{name} is not in the page")


if __name__ == "__main__":
    unittest.main()
