#!/usr/bin/python3
"""How does self-play begin? First moves and the first player's score over a run's iterations.

    scripts/explore_openings.py runs/quickstart --out openings.svg

Reads the run's shards; fields: training/README.md. The cells (# %%) run one by one in an editor that
knows them. Needs h5py, pandas and matplotlib (Debian: python3-h5py python3-pandas python3-matplotlib).
"""

# %% What to read and where to draw
import argparse
import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("run", type=pathlib.Path, help="directory of a run")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("openings.svg"), help="picture to write")
arguments = parser.parse_args()
shards = sorted((arguments.run / "shards").glob("*.h5"))
if not shards:
    sys.exit(f"explore_openings: no shards in {arguments.run / 'shards'}")


# %% A row a game: its first searched move from the start, the first player's points
def games_of(path):
    with h5py.File(path) as file:
        games = pd.DataFrame({name: file["games"][name][()] for name in ("first_ply", "margin_south", "start_to_move")})
        first = games["first_ply"]
        games["move"] = file["plies"]["move"][()][first]
        searched = file["plies"]["flags"][()][first] & 1 == 0
        games["iteration"] = file.attrs["iteration"]
    margin = games["margin_south"] * (1 - 2 * games["start_to_move"].astype(int))
    games["points"] = (margin > 0) + 0.5 * (margin == 0)
    return games[searched]


games = pd.concat(map(games_of, shards))
if games.empty:
    sys.exit(f"explore_openings: no game of {arguments.run} has been searched from the start")

# %% Shares of the first moves, mean points of whoever began
moves = pd.crosstab(games["iteration"], games["move"], normalize="index").rename(columns=dict(enumerate("ABCDEF")))
points = games.groupby("iteration")["points"].mean()

# %% The picture
figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(8, 6))
moves.plot.area(ax=top, linewidth=0)
top.set(ylabel="share of games from the start", ylim=(0, 1), title=f"Self-play of {arguments.run}")
top.legend(title="first move", loc="upper left", bbox_to_anchor=(1, 1))
points.plot(ax=bottom)
bottom.axhline(0.5, color="grey", linewidth=0.5)
bottom.set(xlabel="iteration", ylabel="points of who begins", ylim=(0, 1))
figure.savefig(arguments.out, bbox_inches="tight")
print(f"{len(games)} games of {len(shards)} shards; {arguments.out}")
