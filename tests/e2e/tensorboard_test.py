"""Event files for TensorBoard, read with nothing of the program's and nothing of TensorFlow's.

Run by ctest, a class at a time; by hand: AWALE=build/release/awale python3 tests/e2e/tensorboard_test.py
"""

import json
import struct
import unittest
from pathlib import Path

# tearDownModule is for unittest, which looks for it here.
from cli_test import WORK, CommandTest, small_run, tearDownModule

CASTAGNOLI = 0x82F63B78


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (CASTAGNOLI if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    """The payloads of a TFRecord file, their checksums checked."""
    while data:
        length, length_crc = struct.unpack("<QI", data[:12])
        assert masked(data[:8]) == length_crc
        payload, data_crc = data[12:12 + length], struct.unpack("<I", data[12 + length:16 + length])[0]
        assert masked(payload) == data_crc
        yield payload
        data = data[16 + length:]


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Number and value of each field of a protobuf message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack("<d", data[at:at + 8])[0], at + 8
        elif kind == 5:
            value, at = struct.unpack("<f", data[at:at + 4])[0], at + 4
        else:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield number, value


def events(file):
    """(step, what) of each event: a version, a session status, or its scalars by tag."""
    for payload in records(Path(file).read_bytes()):
        event = dict(fields(payload))
        step = event.get(2, 0)
        if 3 in event:
            yield step, event[3].decode()
        elif 7 in event:
            yield step, dict(fields(event[7]))[1]
        else:
            scalars = [dict(fields(value)) for number, value in fields(event.get(5, b"")) if number == 1]
            yield step, {scalar[1].decode(): scalar.get(2, 0.0) for scalar in scalars}


def as_float(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


class TensorBoard(CommandTest):
    def check_files(self, run, firsts):
        """Every iteration of metrics.jsonl stands once in the files; firsts: where each begins."""
        files = sorted((run / "tensorboard").iterdir())
        seen = {}
        for file, first in zip(files, firsts, strict=True):
            self.assertIn("tfevents", file.name)
            found = list(events(file))
            self.assertEqual(found[:2], [(0, "brain.Event:2"), (first, 1)])
            seen = {step: scalars for step, scalars in seen.items() if step < first}
            for step, scalars in found[2:]:
                seen.setdefault(step, {}).update(scalars)
        for line in map(json.loads, (run / "metrics.jsonl").read_text().splitlines()):
            scalars = seen[line["iteration"]]
            for tag, value in (("run/total_games", line["total_games"]),
                               ("loss/policy", line["loss_policy"]),
                               ("finished/plies", line["finished"]["plies"]),
                               ("finished/endings/target", line["finished"]["endings"]["target"])):
                if value is None:
                    self.assertNotIn(tag, scalars)
                else:
                    self.assertEqual(scalars[tag], as_float(value))
        return seen

    def test_a_run_is_shown_and_a_resumed_one_goes_on(self):
        run = Path(WORK.name) / "events"
        self.output("train", "--config", small_run() / "config.toml", "--run", run,
                    "--iterations", 3, "--grading.games", 2)
        self.check_files(run, [1])
        self.output("train", "--run", run, "--resume", "--iterations", 5)
        seen = self.check_files(run, [1, 4])
        for line in map(json.loads, (run / "grades.jsonl").read_text().splitlines()):
            for match in line["matches"]:
                self.assertEqual(seen[line["iteration"]][f"{match['opponent']}/points_percent"],
                                 as_float(match["points_percent"]))


if __name__ == "__main__":
    unittest.main()
