#!/usr/bin/python3
"""Does the search know who wins? Its value against the outcome, and where it surprises the network.

    scripts/explore_values.py runs/quickstart/shards/000080.h5 --out values.svg

Reads one shard; fields: training/README.md. The cells (# %%) run one by one in an editor that knows
them. Needs h5py, numpy and matplotlib (Debian: python3-h5py python3-matplotlib).
"""

# %% What to read and where to draw
import argparse
import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("shard", type=pathlib.Path, help="a shard of a run")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("values.svg"), help="picture to write")
arguments = parser.parse_args()
if not arguments.shard.is_file() or not h5py.is_hdf5(arguments.shard):
    sys.exit(f"explore_values: {arguments.shard} is no shard (HDF5)")

# %% The searched plies, and how their games ended for the player to move
with h5py.File(arguments.shard) as file:
    plies = {name: file["plies"][name][()] for name in
             ("to_move", "ply", "flags", "policy", "prior", "root_value", "network_value")}
    margin_south = np.repeat(file["games"]["margin_south"][()].astype(int), file["games"]["plies"][()])
searched = plies["flags"] & 1 == 0
outcome = np.sign(margin_south * (1 - 2 * plies["to_move"].astype(int)))[searched]
plies = {name: values[searched] for name, values in plies.items()}


# %% Calibration: of the plies whose value lies in a bin, the mean outcome
def calibration(values, bins=20):
    places = np.clip(((values + 1) / 2 * bins).astype(int), 0, bins - 1)
    counts = np.bincount(places, minlength=bins)
    means = [np.bincount(places, weights=what, minlength=bins) / np.maximum(counts, 1) for what in (values, outcome)]
    return means[0][counts > 0], means[1][counts > 0]


# %% Surprise: KL(policy || prior) in nats, by ply
policy, prior = (plies[name] / 65535 for name in ("policy", "prior"))
with np.errstate(divide="ignore", invalid="ignore"):
    surprise = np.where(policy > 0, policy * np.log(policy / prior), 0).sum(axis=1)
by_ply = np.bincount(plies["ply"], weights=surprise) / np.maximum(np.bincount(plies["ply"]), 1)

# %% The picture
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5))
for name, label in (("network_value", "network"), ("root_value", "search")):
    left.plot(*calibration(plies[name]), marker=".", label=label)
left.plot([-1, 1], [-1, 1], color="grey", linewidth=0.5)
left.set(xlabel="value, of the player to move", ylabel="mean outcome", title="Calibration")
left.legend()
right.plot(by_ply)
right.set(xlabel="ply", ylabel="KL(policy, prior), nats", title="What the search adds to the network")
figure.savefig(arguments.out, bbox_inches="tight")
print(f"{len(outcome)} searched plies; {arguments.out}")
