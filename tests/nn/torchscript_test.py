"""Loads an exported TorchScript model in Python and compares it with LibTorch in C++.

Usage: torchscript_test.py WRITE_EXPORTS (the program of write_exports.cpp). Exit code 77: torch is
missing.
"""
import os
import re
import sys

from export_samples import check, check_metadata, exported

try:
    import torch
except ImportError as error:
    print(f"skipped: {error} (Debian: python3-torch)")
    sys.exit(77)

README = os.path.join(os.path.dirname(__file__), "../../nn/README.md")
KEYS = ("encoder_version", "active_features", "features", "network", "rules", "feature_blocks")


def run_readme_example(directory):
    """The Python example, where the exports lie; returns the features it has built."""
    with open(README, encoding="utf-8") as file:
        source = re.search(r"```python\n(.*?)```", file.read(), re.DOTALL).group(1)
    before = os.getcwd()
    os.chdir(directory)
    variables = {}
    exec(source, variables)
    os.chdir(before)
    return variables["features"].tolist()


for preset in ("abapa", "awari"):
    directory, samples = exported(sys.argv[1], preset)
    model = torch.jit.load(os.path.join(directory.name, "awale.pt"))
    check_metadata({key: getattr(model, key) for key in KEYS}, preset, samples)
    features = torch.tensor([sample["features"] for sample in samples], dtype=torch.int64)
    with torch.no_grad():
        check(samples, *model(features))
        check(samples[:1], *model(features[:1]))
    if preset == "abapa":
        assert run_readme_example(directory.name) == [samples[0]["features"]]
