#!/usr/bin/python3
"""Draws a training run: losses, rates and grades over time, points before and after.

    scripts/plot_run.py runs/quickstart --out quickstart.svg

Reads metrics.jsonl, grades.jsonl and evaluation.json of the run. Needs matplotlib (Debian: python3-matplotlib).
"""

import argparse
import json
import pathlib
import statistics
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot_run: matplotlib is missing; on Debian: apt-get install python3-matplotlib")
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "awale"  # the same run gives the same file
import matplotlib.pyplot as plt


def read_metrics(run):
    path = run / "metrics.jsonl"
    if not path.exists():
        sys.exit(f"plot_run: {path} is missing; expected the directory of a run")
    return [json.loads(line) for line in path.read_text().splitlines()]


def read_truth(run):
    """[(iteration, the grade's "truth")] of the kept checkpoints."""
    path = run / "grades.jsonl"
    if not path.exists():
        return []
    grades = [json.loads(line) for line in path.read_text().splitlines()]
    return [(grade["iteration"], grade["truth"]) for grade in grades if "truth" in grade]


def read_grades(run):
    path = run / "evaluation.json"
    return json.loads(path.read_text()) if path.exists() else []


POINTS = 100  # of a curve


def means(values):
    """Of as many neighbours as leave POINTS values: single iterations are short and of chance."""
    size = max(len(values) // POINTS, 1)
    parts = (values[i:i + size] for i in range(0, len(values), size))
    return [statistics.fmean(part) for part in parts]


def plot_losses(axes, metrics):
    learned = [m for m in metrics if m["steps"] > 0]
    minutes = [m["run_seconds"] / 60 for m in learned]
    excess = [m["loss_policy"] - m["policy_target_entropy"] for m in learned]
    axes.plot(means(minutes), means(excess), label="policy above its target's entropy")
    axes.plot(means(minutes), means([m["loss_wdl"] for m in learned]), label="win/draw/loss")
    axes.set(title="Loss (nats)", xlabel="minutes of training", ylim=(0, None))
    axes.legend()


def plot_rates(axes, metrics):
    minutes = [m["run_seconds"] / 60 for m in metrics]
    for what in ("simulations", "evaluations"):
        rates = [m[f"{what}_per_second"] / 1000 for m in metrics]
        axes.plot(means(minutes), means(rates), label=what)
    axes.set(title="Self-play (thousands a second)", xlabel="minutes of training", ylim=(0, None))
    axes.legend()


def plot_truth(axes, truth, metrics):
    minutes = {m["iteration"]: m["run_seconds"] / 60 for m in metrics}
    for key in (key for key in truth[0][1] if key.endswith("_lost")):
        player = key[: -len("_lost")]
        if player.startswith("search_"):
            player = player[len("search_"):] + " simulations"
        axes.plot([minutes.get(iteration, 0) for iteration, _ in truth],
                  [100 * grade[key] for _, grade in truth], marker="o", label=player)
    axes.set(title="Results lost in endgames (%)", xlabel="minutes of training", ylim=(0, None))
    axes.legend()


def plot_points(axes, grades):
    for offset, key in ((-0.2, "untrained"), (0.2, "trained")):
        points = [grade[key]["points_percent"] for grade in grades]
        low = [grade[key]["points_percent"] - grade[key]["points_percent_low"] for grade in grades]
        high = [grade[key]["points_percent_high"] - grade[key]["points_percent"] for grade in grades]
        places = [i + offset for i in range(len(grades))]
        axes.bar(places, points, 0.38, yerr=[low, high], capsize=4, label=key)
    axes.set_xticks(range(len(grades)), [grade["opponent"] for grade in grades])
    axes.set(title="Points against (%, 95 % interval)", ylim=(0, 105))
    axes.legend(loc="center left")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, help="directory of a run")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="picture: .svg, .png or .pdf")
    arguments = parser.parse_args()
    metrics = read_metrics(arguments.run)
    grades = read_grades(arguments.run)
    truth = read_truth(arguments.run)
    panels = [lambda axes: plot_losses(axes, metrics), lambda axes: plot_rates(axes, metrics)]
    if truth:
        panels.append(lambda axes: plot_truth(axes, truth, metrics))
    if grades:
        panels.append(lambda axes: plot_points(axes, grades))
    figure, all_axes = plt.subplots(1, len(panels), figsize=(4.3 * len(panels), 4),
                                    layout="constrained")
    for axes, draw in zip(all_axes, panels):
        draw(axes)
    figure.savefig(arguments.out, metadata={"Date": None} if arguments.out.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
