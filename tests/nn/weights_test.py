"""Runs exported weights with nothing but h5py and numpy and compares them with LibTorch in C++.

Usage: weights_test.py WRITE_EXPORTS (the program of write_exports.cpp). Exit code 77: h5py is
missing.
"""
import os
import sys

from export_samples import check, check_metadata, exported

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"skipped: {error} (Debian: python3-h5py)")
    sys.exit(77)


def run(network, features):
    """The network of nn/README.md. features [B, K] -> [B, 10], [B, 98]"""

    def tensor(name):
        return network[name][()]

    def linear(layer, x):
        return x @ tensor(layer + ".weight").T + tensor(layer + ".bias")

    def relu(x):
        return np.maximum(x, 0)

    x = relu(tensor("input.weight")[features].sum(axis=1) + tensor("input.bias"))
    for block in range(network.attrs["blocks"]):
        name = f"blocks.{block}"
        x = relu(x + linear(name + ".linear2", relu(linear(name + ".linear1", x))))
    return linear("heads", x), linear("auxiliary", x)


def softmax(logits):
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


for preset in ("abapa", "awari"):
    directory, samples = exported(sys.argv[1], preset)
    with h5py.File(os.path.join(directory.name, "awale.weights")) as file:
        assert file["rules/0"].attrs["name"] == preset.encode()
        assert file["network"].attrs["encoder_version"] == 3
        assert file["network"].attrs["auxiliary_columns"] == 98
        heads, auxiliary = run(file["network"], np.array([sample["features"] for sample in samples]))
    check(samples, heads[:, :6], softmax(heads[:, 6:9]), heads[:, 9] * 24,
          softmax(auxiliary[:, :97]), np.maximum(auxiliary[:, 97], 0) * 64)
