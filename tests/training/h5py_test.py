"""Opens a shard as other people will, with h5py, and replays its games by rules written anew here.

Usage: h5py_test.py WRITE_SHARD (the program of write_shard.cpp). Exit code 77: h5py is missing.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def sow(pits, move):
    """The board after `move`, both stores untouched: (pits, seeds captured); abapa's rules."""
    pits = list(pits)
    seeds, pits[move] = pits[move], 0
    at = move
    while seeds:
        at = (at + 1) % 12
        if at != move:
            pits[at] += 1
            seeds -= 1
    taken = []
    while at >= 6 and pits[at] in (2, 3):
        taken.append(at)
        at -= 1
    captured = sum(pits[pit] for pit in taken)
    if captured == sum(pits[6:]):  # a grand slam takes nothing
        return pits, 0
    for pit in taken:
        pits[pit] = 0
    return pits, captured


def legal_moves(pits):
    moves = [move for move in range(6) if pits[move]]
    if sum(pits[6:]) == 0:
        moves = [move for move in moves if sum(sow(pits, move)[0][6:])]
    return moves


def play(board, move):
    """The board (14 numbers) as the next player sees it, and the seeds captured."""
    pits, captured = sow(board[:12], move)
    return pits[6:] + pits[:6] + [board[13], board[12] + captured], captured


def replay(file, row):
    games, plies = file["games"], file["plies"]
    first, count = int(games["first_ply"][row]), int(games["plies"][row])
    rows = slice(first, first + count)
    columns = {name: column[rows] for name, column in plies.items()}
    board = [int(seeds) for seeds in games["start_board"][row]]
    side = int(games["start_to_move"][row])
    history, quiet = [], 0
    for ply in range(count):
        assert columns["board"][ply].tolist() == board, (row, ply)
        assert columns["to_move"][ply] == side
        assert columns["ply"][ply] == ply
        assert columns["quiet_plies"][ply] == quiet
        assert columns["repetitions"][ply] == history.count((board, side))
        moves = legal_moves(board[:12])
        assert columns["legal"][ply] == sum(1 << move for move in moves)
        assert columns["move"][ply] in moves
        visits = columns["visits"][ply]
        assert all(visits[move] == 0 for move in range(6) if move not in moves)
        assert (visits.sum() == 0) == bool(columns["flags"][ply] & 1)
        policy = columns["policy"][ply]
        assert all(policy[move] == 0 for move in range(6) if move not in moves)
        assert (policy.sum() == 0) == bool(columns["flags"][ply] & 5)  # no search or a fast one
        prior = columns["prior"][ply]
        known = moves if visits.sum() else []
        assert [move for move in range(6) if prior[move]] == known
        values = columns["move_values"][ply]
        assert all(values[move] == 0 for move in range(6) if visits[move] == 0)
        history.append((board, side))
        board, captured = play(board, int(columns["move"][ply]))
        side, quiet = 1 - side, quiet + 1
        if captured:
            history, quiet = [], 0
    check_outcome(games, row, board, side, history)


def check_outcome(games, row, board, side, history):
    reason = {
        1: max(board[12:]) >= 25,
        2: not legal_moves(board[:12]),
        3: (board, side) in history,
    }
    assert reason[int(games["reason"][row])], row
    # Under abapa every ending gives each player the seeds of his row.
    margin = board[12] + sum(board[:6]) - board[13] - sum(board[6:12])
    assert games["margin_south"][row] == (margin if side == 0 else -margin), row


def check_layout(file):
    assert file.attrs["kind"].decode() == "trajectories"
    assert file.attrs["schema_version"] == 4
    assert file.attrs["checkpoint"].decode() == "000001.h5"
    assert list(file["rules"]) == ["0"]
    assert file["rules/0"].attrs["name"].decode() == "abapa"
    assert not np.any(file["games/rules"])
    for table in ("games", "plies"):
        rows = {len(column) for column in file[table].values()}
        assert len(rows) == 1, table
        for name, column in file[table].items():
            assert column.attrs["description"].decode(), name
            assert column.fletcher32, name
    types = {name: column.dtype.str for name, column in file["plies"].items()}
    assert types["board"] == "|u1" and types["visits"] == "<u4" and types["root_value"] == "<f4"
    assert types["policy"] == types["prior"] == types["network_draw"] == "<u2"
    assert types["move_values"] == "<i2"
    assert np.all(file["plies/board"][()].sum(axis=1) == 48)
    assert np.all(np.abs(file["plies/root_value"][()]) <= 1)


def check_pandas(directory):
    """Runs the lines of training/README.md as they stand there, on a file of that name."""
    try:
        import pandas  # noqa: F401
    except ImportError:
        print("pandas is missing: its lines of the README are not tried")
        return
    readme = Path(__file__).parents[2] / "training" / "README.md"
    lines = readme.read_text().split("```python\n")[1].split("```")[0]
    os.chdir(directory)
    tables = {}
    exec(lines, tables)  # of our own repository
    games, plies = tables["games"], tables["plies"]
    assert len(plies) == games["plies"].sum()
    assert plies["move"].between(0, 5).all()
    assert len(plies["prior"][0]) == 6


def main():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "000012.h5")
        subprocess.run([sys.argv[1], path, "abapa", "100"], check=True)
        with h5py.File(path, "r") as file:
            check_layout(file)
            games = len(file["games/game_id"])
            assert games == 100
            for row in range(games):
                replay(file, row)
            print(f"{games} games, {len(file['plies/move'])} plies replayed")
        check_pandas(directory)


main()
