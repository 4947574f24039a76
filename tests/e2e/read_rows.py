"""Reads rows that `awale data sample` has drawn, as people who train in Python do, and works their
targets out again from the shards. Exit code 77: h5py is missing.

Usage: read_rows.py ROWS SHARD...
"""
import os
import sys
from pathlib import Path

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

LAMBDA = 0.97


def targets_of(shard):
    """{(game id, ply): (board, policy, win - loss, margin)} by the formulas of training/targets.hpp."""
    with h5py.File(shard) as file:
        games = {name: column[()] for name, column in file["games"].items()}
        plies = {name: column[()] for name, column in file["plies"].items()}
    found = {}
    for game, first, count, south in zip(games["game_id"], games["first_ply"], games["plies"],
                                         games["margin_south"].astype(int)):
        value = margin = None
        for row in range(int(first + count) - 1, int(first) - 1, -1):
            mine = south if plies["to_move"][row] == 0 else -south
            if value is None:
                value, margin = float(np.sign(mine)), float(mine)
            else:
                weight = 1 if plies["flags"][row] & 1 else LAMBDA
                value = (1 - weight) * plies["root_value"][row] - weight * value
                margin = (1 - weight) * plies["root_margin"][row] - weight * margin
            if plies["flags"][row] & 1:
                continue
            total = plies["policy"][row].sum()
            policy = plies["policy"][row] / total if total else np.zeros(6)
            found[int(game), int(plies["ply"][row])] = (plies["board"][row], policy, value, margin)
    return found


def main():
    with h5py.File(sys.argv[1]) as file:
        assert file.attrs["kind"].decode() == "rows"
        assert abs(file.attrs["lambda"] - LAMBDA) < 1e-9
        blocks = file.attrs["features"]
        rows = {name: column[()] for name, column in file["rows"].items()}
        assert all(column.attrs["description"].decode() for column in file["rows"].values())
    check_readme(sys.argv[1])
    expected = {}
    for shard in sys.argv[2:]:
        expected.update(targets_of(shard))
    seen = set()
    for i in range(len(rows["ply"])):
        name = int(rows["game_id"][i]), int(rows["ply"][i])
        assert name not in seen, name
        seen.add(name)
        board, policy, value, margin = expected[name]
        assert rows["board"][i].tolist() == board.tolist(), name
        assert np.allclose(rows["policy"][i], policy, atol=1e-6), name
        win, draw, loss = rows["win_draw_loss"][i]
        assert abs(win + draw + loss - 1) < 1e-6 and abs(win - loss - value) < 1e-5, name
        assert abs(rows["margin"][i] - margin) < 1e-4, name
        check_features(rows["features"][i], board, blocks)
    print(f"{len(seen)} rows read")


def check_readme(path):
    """Runs the lines of training/README.md as they stand there, beside a file of that name."""
    readme = Path(__file__).parents[2] / "training" / "README.md"
    lines = readme.read_text().split("```python\n")[2].split("```")[0]
    assert Path(path).name == "rows.h5"
    os.chdir(Path(path).parent)
    found = {}
    exec(lines, found)  # of our own repository
    assert found["features"].shape == (len(found["margin"]), 56)


def check_features(features, board, count):
    """The first fourteen blocks of the encoder: 25 features a pit (24 stands for more), 49 a store."""
    assert len(features) == 56 and features[-1] < count
    assert all(a < b for a, b in zip(features, features[1:]))
    for pit in range(12):
        assert features[pit] == 25 * pit + min(int(board[pit]), 24)
    assert features[12] == 300 + board[12] and features[13] == 349 + board[13]


main()
