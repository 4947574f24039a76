#!/usr/bin/env python3
"""Breaks one rule at a time and looks whether the tests of env notice.

    tests/mutations/run.py [NAME...]      all mutations of mutations.py, or those whose names contain a NAME

Works on a copy of the tree in build/mutations, never on the tree itself. Exits 1 when a mutation
survives, does not apply to the present text, or does not compile.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import time

from mutations import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutations"
TREE = WORK / "tree"
BUILD = WORK / "build"
PROGRAMS = ["awale_tests_env", "awale_tests_fuzz"]
SECONDS_AT_MOST = 300  # a mutant that goes round for ever is caught, too


def copy_tree():
    """What git knows or would add; a file that has not changed keeps its time, so that it is not built anew."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, TREE / name
        if not source.is_file():
            continue
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def build():
    """The compiler's output if it fails, else None."""
    done = subprocess.run(["cmake", "--build", BUILD, "--target", *PROGRAMS], capture_output=True, text=True)
    return done.stdout if done.returncode else None


def first_failure():
    """Where the tests fail first, None if they pass."""
    for program in PROGRAMS:
        path = next(BUILD.glob(f"tests/*/{program}"))
        try:
            done = subprocess.run([path, "--abort", "--reporter", "compact"], capture_output=True, text=True,
                                  errors="replace", timeout=SECONDS_AT_MOST)
        except subprocess.TimeoutExpired:
            return f"{program} does not end"
        if done.returncode < 0:
            return f"{program} killed by signal {-done.returncode}"
        if done.returncode:
            failed = re.search(r"([^/\s]+:\d+): failed", done.stdout)
            return failed[1] if failed else f"{program} exits with {done.returncode}"
    return None


def judge(mutation):
    """(whether all is well, what to print)"""
    file = TREE / mutation.file
    text = file.read_text()
    if text.count(mutation.old) != 1:
        return False, f"DOES NOT APPLY: its text occurs {text.count(mutation.old)} times in {mutation.file}"
    file.write_text(text.replace(mutation.old, mutation.new))
    try:
        errors = build()
        if errors:
            return False, "DOES NOT COMPILE\n" + errors[-2000:]
        failure = first_failure()
        return failure is not None, f"caught: {failure}" if failure else "SURVIVES"
    finally:
        file.write_text(text)


def main():
    wanted = [mutation for mutation in MUTATIONS
              if not sys.argv[1:] or any(text in mutation.name for text in sys.argv[1:])]
    copy_tree()
    subprocess.run(["cmake", "-G", "Ninja", "-S", TREE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release"],
                   check=True, stdout=subprocess.DEVNULL)
    problem = build() or first_failure()
    if problem:
        sys.exit(f"mutations: the tests fail without any mutation: {problem}")
    bad = 0
    for number, mutation in enumerate(wanted, 1):
        start = time.monotonic()
        well, verdict = judge(mutation)
        bad += not well
        print(f"{number:3}/{len(wanted)} {mutation.name}: {verdict} ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"{len(wanted) - bad} of {len(wanted)} mutations caught")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
