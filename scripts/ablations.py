#!/usr/bin/python3
"""Trains variants of the recipe for the same processor time and compares what they reach.

    scripts/ablations.py --core-minutes 3 --out runs/ablations
    scripts/ablations.py --core-minutes 3 --out runs/ablations --only puct forks --seeds 1 2 3

Each file of configs/ablations/ but base.toml says what a variant changes; its first comment is its
description. Every one is trained by `awale train --config base.toml --config VARIANT.toml` for the
same time of all cores together, one after the other: 3 core-minutes are 1.5 minutes on two cores,
on a machine that does nothing else. One with a section [adjudication] is also given the endgame
table that both are graded with. Then it meets the base of the same seed, and both meet minimax and
are graded against perfect play. What is there already is not done again, so the command may be
interrupted, and given more seeds, variants or games later. Options that it does not know are given
to every `awale train`, where they win over the variant.

Prints a table and writes it to OUT/ablations.md, .csv and .json. Elo is of the games against the
base, at equal simulations (`--equal-time MS`: at equal time a move instead); intervals are 95 %,
from the pairs of games (`awale match`). Several seeds are pooled: their spread is what training
itself adds, so its standard error is in the interval, too.
"""

import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIGS = ROOT / "configs" / "ablations"
BASE = "base"
Z95 = 1.959964
PAIR_POINTS = (0, 0.25, 0.5, 0.75, 1)  # of a pair's two games, as a share


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core-minutes", type=float, default=3,
                        help="training time of each, of all its threads (3)")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for runs and tables")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="each variant once a seed (1)")
    parser.add_argument("--only", nargs="+", default=[], metavar="VARIANT", help="not all variants")
    parser.add_argument("--games", type=int, default=400,
                        help="against the base, and against the opponent, a seed (400)")
    parser.add_argument("--opponent", default="minimax:12", metavar="PLAYER",
                        help="what all meet, because what beats its like need not beat others (minimax:12)")
    parser.add_argument("--simulations", type=int, default=64, help="a move in games and grades (64)")
    parser.add_argument("--equal-time", type=float, metavar="MS",
                        help="milliseconds a move in games instead of simulations")
    parser.add_argument("--positions", type=int, default=6000, help="graded against perfect play (6000)")
    parser.add_argument("--awale", type=pathlib.Path, default=ROOT / "build" / "release" / "awale",
                        help="the program (build/release/awale)")
    arguments, arguments.train_options = parser.parse_known_args()
    return arguments


def fail(text):
    sys.exit(f"ablations: {text}")


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


def awale(arguments, *words, quiet=True):
    """Runs the program; its result as JSON, or None for what prints none."""
    command = [str(arguments.awale), *map(str, words)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.PIPE if quiet else None)
    if result.returncode != 0:
        fail(f"{' '.join(command)} ended with {result.returncode}\n{result.stderr or ''}".rstrip())
    return json.loads(result.stdout) if "--json" in words else None


def run_of(arguments, name, seed):
    return arguments.out / f"{name}-{seed}"


def overlay(name, table, train_options):
    """The options that make a variant of the base."""
    if name == BASE:
        return []
    path = CONFIGS / f"{name}.toml"
    words = ["--config", path]
    own_table = any(option.startswith("--adjudication.table") for option in train_options)
    if "adjudication" in tomllib.loads(path.read_text()) and not own_table:
        words += ["--adjudication.table", table]
    return words


def train(arguments, name, seed, table):
    run = run_of(arguments, name, seed)
    if (run / "summary.json").exists():
        return
    words = ["train", "--run", run, "--config", CONFIGS / f"{BASE}.toml",
             *overlay(name, table, arguments.train_options)]
    words += ["--run.core_minutes", arguments.core_minutes, "--run.seed", seed, *arguments.train_options]
    if (run / "config.toml").exists():
        words.append("--resume")
    print(f"training {name}, seed {seed}", file=sys.stderr, flush=True)
    awale(arguments, *words)


def cached(path, compute):
    """The JSON in `path`, made by compute() unless it is there."""
    if not path.exists():
        result = compute()
        temporary = path.with_suffix(".tmp")
        temporary.write_text(json.dumps(result))
        temporary.rename(path)
    return json.loads(path.read_text())


def match(arguments, name, seed, opponent):
    if arguments.equal_time:
        budget, label = ["--equal-time", arguments.equal_time], f"{arguments.equal_time:g}ms"
    else:
        budget, label = ["--simulations", arguments.simulations], str(arguments.simulations)
    path = arguments.out / f"{name}-{seed}.{pathlib.Path(opponent).name}-{label}-{arguments.games}.json"
    return cached(path, lambda: awale(
        arguments, "match", run_of(arguments, name, seed), opponent,
        "--games", arguments.games, *budget, "--json"))


def grade(arguments, name, seed, table):
    """{simulations: (lost, positions)} at the positions whose result hangs on the move."""
    path = arguments.out / f"{name}-{seed}.grade-{arguments.simulations}-{arguments.positions}.json"
    report = cached(path, lambda: awale(
        arguments, "grade", "--checkpoint", run_of(arguments, name, seed), "--table", table,
        "--positions", arguments.positions, "--games", 0, "--simulations", arguments.simulations,
        "--json"))
    players = report["sets"][0]["players"]
    return {player["simulations"]: (round(player["all"]["lost"]["value"] * player["all"]["lost"]["n"]),
                                    player["all"]["lost"]["n"]) for player in players}


def wilson(count, total):
    """Wilson's interval of a share, as (share, low, high)."""
    share, z2 = count / total, Z95 * Z95
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z95 * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    return share, max(0, middle - half), min(1, middle + half)


def elo(points):
    points = min(max(points, 1e-3), 1 - 1e-3)
    return 400 * math.log10(points / (1 - points))


def pooled_points(matches):
    """(points, low, high) of several seeds, each a list of pair counts with 0, 1/2, 1, 3/2, 2 points."""
    means, variances = [], []
    for pairs in matches:
        total = sum(pairs)
        mean = sum(count * points for count, points in zip(pairs, PAIR_POINTS)) / total
        spread = sum(count * (points - mean) ** 2 for count, points in zip(pairs, PAIR_POINTS))
        means.append(mean)
        variances.append(spread / (total * max(total - 1, 1)))
    mean = statistics.fmean(means)
    error = math.sqrt(sum(variances)) / len(means)
    if len(means) > 1:
        error = max(error, statistics.stdev(means) / math.sqrt(len(means)))
    return mean, mean - Z95 * error, mean + Z95 * error


def last_metrics(run):
    return json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])


def add_points(row, key, reports):
    points = pooled_points([report["pairs"] for report in reports])
    row |= dict(zip((key, f"{key}_low", f"{key}_high"), points))


def row_of(arguments, name, table):
    metrics = [last_metrics(run_of(arguments, name, seed)) for seed in arguments.seeds]
    row = {"variant": name, "changes": description(name),
           "games": statistics.fmean(m["total_games"] for m in metrics),
           "rows": statistics.fmean(m["total_rows"] for m in metrics)}
    if name != BASE:
        reports = [match(arguments, name, seed, run_of(arguments, BASE, seed))
                   for seed in arguments.seeds]
        add_points(row, "points", reports)
        row |= {f"elo{end}": elo(row[f"points{end}"]) for end in ("", "_low", "_high")}
        row["ms_a_move"] = statistics.fmean(report["first_ms_per_move"] for report in reports)
    add_points(row, "opponent_points",
               [match(arguments, name, seed, arguments.opponent) for seed in arguments.seeds])
    grades = [grade(arguments, name, seed, table) for seed in arguments.seeds]
    for simulations in sorted(grades[0]):
        lost = [sum(numbers) for numbers in zip(*(each[simulations] for each in grades))]
        key = "network" if simulations == 0 else "search"
        row |= dict(zip((f"{key}_lost", f"{key}_lost_low", f"{key}_lost_high"), wilson(*lost)))
    return row


def interval(row, key, scale, form):
    if key not in row:
        return ""
    low, high = row[f"{key}_low"] * scale, row[f"{key}_high"] * scale
    return f"{row[key] * scale:{form}} [{low:{form}}, {high:{form}}]"


def to_markdown(rows, arguments):
    seeds = len(arguments.seeds)
    opponents = (f"{arguments.equal_time:g} ms" if arguments.equal_time
                 else f"{arguments.simulations} simulations")
    lines = [f"{arguments.core_minutes:g} core-minutes of training each, {seeds} seed{'s' if seeds > 1 else ''}; "
             f"{arguments.games} games a seed and opponent with {opponents} a move; results lost "
             f"at {arguments.positions} endgame positions; 95 % intervals.", "",
             f"| variant | Elo | points against base, % | against `{arguments.opponent}`, % "
             "| results lost by the network, % | by the search, % | thousand games |",
             "|---|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| `{row['variant']}` | {interval(row, 'elo', 1, '+.0f')} "
                     f"| {interval(row, 'points', 100, '.1f')} "
                     f"| {interval(row, 'opponent_points', 100, '.1f')} "
                     f"| {interval(row, 'network_lost', 100, '.2f')} "
                     f"| {interval(row, 'search_lost', 100, '.2f')} | {row['games'] / 1000:.1f} |")
    return "\n".join(lines) + "\n"


def write(rows, arguments):
    rows = rows[:1] + sorted(rows[1:], key=lambda row: -row["elo"])
    text = to_markdown(rows, arguments)
    (arguments.out / "ablations.md").write_text(text)
    (arguments.out / "ablations.json").write_text(json.dumps(rows, indent=2) + "\n")
    with open(arguments.out / "ablations.csv", "w", newline="") as stream:
        fields = list(dict.fromkeys(key for row in rows for key in row))
        writer = csv.DictWriter(stream, fields)
        writer.writeheader()
        writer.writerows(rows)
    return text


def main():
    arguments = parse_arguments()
    if not arguments.awale.exists():
        fail(f"--awale {arguments.awale}: there is no such program; build it or say where it is")
    arguments.out.mkdir(parents=True, exist_ok=True)
    names = variants(arguments.only)
    table = arguments.out / "endgame.table"
    if not table.exists():
        awale(arguments, "endgame", "build", "--out", table, "--seeds", 15)
    for seed in arguments.seeds:
        for name in [BASE, *names]:
            train(arguments, name, seed, table)
    print(write([row_of(arguments, name, table) for name in [BASE, *names]], arguments), end="")


if __name__ == "__main__":
    main()
