#!/usr/bin/python3
"""Trains variants of the recipe for the same processor time and compares what they reach.

    scripts/ablations.py --core-minutes 3 --out runs/ablations
    scripts/ablations.py --core-minutes 3 --out runs/ablations --only puct forks --seeds 1 2 3

Each file of configs/ablations/ but base.toml says what a variant changes; its first comment is its
description. Every one is trained by `awale train --config base.toml --config VARIANT.toml` for the
same time of all cores together, one after the other: 3 core-minutes are 1.5 minutes on two cores,
on a machine that does nothing else. One with a section [adjudication] is also given the endgame
table that both are graded with. Then it meets the base of the same seed, and both meet minimax and
are graded against perfect play. Options with a dot, as in --network.width 64, are given to every
`awale train`, where they win over the variant.

What is there already is not done again, so the command may be interrupted, and given more seeds,
variants or games later. A run of --out that was trained for another time or with other settings is
refused. Whatever can be refused is, before the first training.

Prints a table and writes it to OUT/ablations.md, .csv and .json: scripts/ablations_table.py says
what the numbers are. Elo is of the games against the base, at equal simulations (`--equal-time MS`:
at equal time a move instead).
"""

import argparse
import collections
import functools
import json
import math
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import ablations_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIGS = ROOT / "configs" / "ablations"
BASE = "base"
NO_TIME = 1e-9  # core-minutes: over before the first game
STOPPED = 130  # exit code of what was interrupted, awale and this

Job = collections.namedtuple("Job", "label run")


def fail(text):
    sys.exit(f"ablations: {text}")


def number(text, kind, low, wanted):
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not low <= value < math.inf:
        raise argparse.ArgumentTypeError(f"expected {wanted}, found '{text}'")
    return value


def amount(text):
    return number(text, float, math.ulp(0), "a number above 0")


def count(text):
    return number(text, int, 1, "a whole number above 0")


def seed_number(text):
    return number(text, int, 0, "a whole number, 0 or above")


def parse_arguments():
    # No abbreviations: a slip must not become another option.
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.error = fail
    parser.add_argument("--core-minutes", type=amount, default=3,
                        help="training time of each, of all its threads (3)")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for runs and tables")
    parser.add_argument("--seeds", type=seed_number, nargs="+", default=[1], help="each variant once a seed (1)")
    parser.add_argument("--only", nargs="+", default=[], metavar="VARIANT", help="not all variants")
    parser.add_argument("--games", type=count, default=400,
                        help="against the base, and against the opponent, a seed, even (400)")
    parser.add_argument("--opponent", default="minimax:12", metavar="PLAYER",
                        help="what all meet, because what beats its like need not beat others (minimax:12); "
                             "with --equal-time 10 e.g. minimax:10ms")
    parser.add_argument("--simulations", type=count, default=64, help="a move in games and grades (64)")
    parser.add_argument("--equal-time", type=count, metavar="MS",
                        help="milliseconds a move in games instead of simulations")
    parser.add_argument("--positions", type=count, default=6000, help="graded against perfect play (6000)")
    parser.add_argument("--awale", type=pathlib.Path, default=ROOT / "build" / "release" / "awale",
                        help="the program (build/release/awale)")
    arguments, arguments.train_options = parser.parse_known_args()
    check_arguments(arguments)
    return arguments


def check_arguments(arguments):
    for option in arguments.train_options:
        if option.startswith("--") and "." not in option.partition("=")[0]:
            fail(f"unknown option {option}; those for `awale train` have a dot, as in --network.width 64")
    for seed in arguments.seeds:
        if arguments.seeds.count(seed) > 1:
            fail(f"--seeds: {seed} is given more than once")
    if not shutil.which(arguments.awale):
        fail(f"--awale {arguments.awale}: there is no such program; build it or say where it is")
    if arguments.out.exists() and not arguments.out.is_dir():
        fail(f"--out {arguments.out}: is no directory")


def variants(only):
    found = sorted(path.stem for path in CONFIGS.glob("*.toml") if path.stem != BASE)
    for name in only:
        if name not in found:
            fail(f"--only {name}: expected some of {', '.join(found)}")
    return [name for name in found if not only or name in only]


def description(name):
    """The file's first comment, in one line."""
    lines = []
    for line in (CONFIGS / f"{name}.toml").read_text().splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines)


def awale(arguments, *words):
    """Runs the program; what it prints. Where it fails, its last line is ours."""
    result = subprocess.run([arguments.awale, *map(str, words)], capture_output=True, text=True)
    if result.returncode in (-signal.SIGINT, STOPPED):
        raise KeyboardInterrupt
    if result.returncode < 0:
        fail(f"awale {words[0]}: ended by {signal.Signals(-result.returncode).name}")
    if result.returncode > 0:
        *_, last = ["", *result.stderr.splitlines()]
        fail(f"awale {words[0]}: {last.removeprefix('awale: error: ') or f'ended with {result.returncode}'}")
    return result.stdout


def read(path, parse):
    try:
        return parse(path.read_text())
    except ValueError as error:
        fail(f"{path}: damaged: {error}")


def run_of(arguments, name, seed):
    return arguments.out / f"{name}-{seed}"


def summary_of(arguments, name, seed):
    """Of a run that is complete; others have none."""
    return run_of(arguments, name, seed) / "summary.json"


def table_of(arguments):
    """Absolute, because a run remembers it."""
    return arguments.out.absolute() / "endgame.table"


def overlay(arguments, name):
    """The options that make a variant of the base."""
    if name == BASE:
        return []
    path = CONFIGS / f"{name}.toml"
    words = ["--config", path]
    own_table = any(option.startswith("--adjudication.table") for option in arguments.train_options)
    if "[adjudication]" in path.read_text().splitlines() and not own_table:
        words += ["--adjudication.table", table_of(arguments)]
    return words


def train_words(arguments, name, seed, run, core_minutes):
    return ["train", "--run", run, "--config", CONFIGS / f"{BASE}.toml", *overlay(arguments, name),
            "--run.core_minutes", core_minutes, "--run.seed", seed, *arguments.train_options]


def settings(arguments, name, folder):
    """All settings of a variant, as `awale train` writes them into a run that ends at once: with --external
    it does not even begin to play. The highest of the seeds is the one that may be too high."""
    run = folder / name
    awale(arguments, *train_words(arguments, name, max(arguments.seeds), run, NO_TIME), "--external")
    found = read(run / "config.toml", tomllib.loads)
    found["run"]["core_minutes"] = arguments.core_minutes
    return found


def flat(config):
    return {f"{section}.{key}": value for section, keys in config.items() for key, value in keys.items()}


def shown(value):
    return f"{value:g}" if isinstance(value, float) else value


def refuse_other_settings(run, wanted, seed):
    if not (run / "config.toml").exists():
        return
    found, wanted = flat(read(run / "config.toml", tomllib.loads)), flat(wanted) | {"run.seed": seed}
    changes = [f"{key} {shown(found.get(key, 'none'))} (asked for: {shown(wanted.get(key, 'none'))})"
               for key in wanted | found if found.get(key) != wanted.get(key)]
    if changes:
        fail(f"{run} was trained with {', '.join(changes)}; choose another --out, "
             "because these cannot be compared")


def rehearse(arguments, run):
    """What follows the trainings, with an untrained network and few games, the many being random ones."""
    awale(arguments, *match_words(arguments, run, arguments.opponent, 2))
    awale(arguments, "match", "random", "random", "--games", arguments.games)
    awale(arguments, *grade_words(arguments, run))


def check_before_training(arguments, names, folder):
    # The base's before the table, which takes a while: most slips are found there.
    wanted = {BASE: settings(arguments, BASE, folder)}
    arguments.out.mkdir(parents=True, exist_ok=True)
    if not table_of(arguments).exists():
        do([Job("solving the endgames", functools.partial(
            awale, arguments, "endgame", "build", "--out", table_of(arguments), "--seeds", 15))])
    wanted |= {name: settings(arguments, name, folder) for name in names if name != BASE}
    for name in names:
        for seed in arguments.seeds:
            refuse_other_settings(run_of(arguments, name, seed), wanted[name], seed)
    if not all(summary_of(arguments, name, seed).exists() for name in names for seed in arguments.seeds):
        rehearse(arguments, folder / BASE)


def do(jobs):
    begin = time.monotonic()
    for done, job in enumerate(jobs):
        left = (time.monotonic() - begin) / max(done, 1) * (len(jobs) - done)
        estimate = f", about {math.ceil(left / 60)} min left" if done else ""
        print(f"{job.label} ({done + 1} of {len(jobs)}{estimate})", file=sys.stderr, flush=True)
        job.run()


def train(arguments, name, seed):
    run = run_of(arguments, name, seed)
    resume = ["--resume"] if (run / "config.toml").exists() else []
    awale(arguments, *train_words(arguments, name, seed, run, arguments.core_minutes), *resume)


def trainings(arguments, names):
    return [Job(f"training {name}, seed {seed}", functools.partial(train, arguments, name, seed))
            for seed in arguments.seeds for name in names
            if not summary_of(arguments, name, seed).exists()]


def match_words(arguments, run, opponent, games):
    budget = (["--equal-time", arguments.equal_time] if arguments.equal_time
              else ["--simulations", arguments.simulations])
    return ["match", run, opponent, "--games", games, *budget, "--json"]


def grade_words(arguments, run):
    return ["grade", "--checkpoint", run, "--table", table_of(arguments), "--positions", arguments.positions,
            "--games", 0, "--simulations", arguments.simulations, "--json"]


class Measurement:
    """What `awale match` or `awale grade` found out about a run, kept in a file together with what it
    is of. Runs are told apart by their summaries and not by their paths, so that a run made anew is
    measured anew, and OUT may be written in another way."""

    def __init__(self, arguments, label, file, words, runs):
        self.label, self.words, self.arguments = label, words, arguments
        self.path = arguments.out / f"{file}.json"
        self.made_of = {"options": [word for word in words if not isinstance(word, pathlib.Path)],
                        "runs": [read(summary_of(arguments, *run), json.loads) for run in runs]}

    def report(self):
        """None if there is none of just this."""
        stored = read(self.path, json.loads) if self.path.exists() else {}
        return stored["report"] if stored.get("made_of") == self.made_of else None

    def make(self):
        report = json.loads(awale(self.arguments, *self.words))
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(json.dumps({"made_of": self.made_of, "report": report}))
        temporary.rename(self.path)


def match(arguments, name, seed, opponent, met):
    """Against a player, or the run `met` where the player is one of ours."""
    pace = f"{arguments.equal_time}ms" if arguments.equal_time else arguments.simulations
    file = f"{name}-{seed}.{pathlib.Path(opponent).name}-{pace}-{arguments.games}"
    words = match_words(arguments, run_of(arguments, name, seed), opponent, arguments.games)
    label = f"{name}, seed {seed} meets {met[0] if met else opponent}"
    return Measurement(arguments, label, file, words, [(name, seed), *([met] if met else [])])


def grade(arguments, name, seed):
    file = f"{name}-{seed}.grade-{arguments.simulations}-{arguments.positions}"
    words = grade_words(arguments, run_of(arguments, name, seed))
    return Measurement(arguments, f"{name}, seed {seed} is graded", file, words, [(name, seed)])


def measurements(arguments, name, seed):
    found = {"opponent": match(arguments, name, seed, arguments.opponent, None),
             "grade": grade(arguments, name, seed)}
    if name != BASE:
        found["base"] = match(arguments, name, seed, run_of(arguments, BASE, seed), (BASE, seed))
    return found


def reports(arguments, name, seed, measured):
    found = {what: measurement.report() for what, measurement in measured.items()}
    return found | {"summary": read(summary_of(arguments, name, seed), json.loads)}


def compare(arguments, names):
    measured = {(name, seed): measurements(arguments, name, seed)
                for name in names for seed in arguments.seeds}
    do([Job(each.label, each.make) for of_run in measured.values() for each in of_run.values()
        if each.report() is None])
    rows = [ablations_table.row_of(name, description(name), [reports(arguments, name, seed, measured[name, seed])
                                                             for seed in arguments.seeds])
            for name in names]
    return ablations_table.write(rows, arguments)


def ablate(arguments):
    names = [BASE, *variants(arguments.only)]
    with tempfile.TemporaryDirectory(prefix="ablations-") as folder:
        check_before_training(arguments, names, pathlib.Path(folder))
    do(trainings(arguments, names))
    text = compare(arguments, names)
    # A stream of its own, closed here: so a full disk shows now and not when Python ends.
    with open(sys.stdout.fileno(), "w", closefd=False) as stream:
        stream.write(text)


def interrupt(*_):
    """Once: a second Ctrl-C must not end what the first one has begun, the end."""
    watch_interrupt(signal.SIG_IGN)
    raise KeyboardInterrupt


def watch_interrupt(handler):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def main():
    watch_interrupt(interrupt)
    try:
        ablate(parse_arguments())
    except KeyboardInterrupt:
        print("ablations: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(STOPPED)
    except OSError as error:
        fail(": ".join(str(part) for part in (error.filename, error.strerror) if part))


if __name__ == "__main__":
    main()
