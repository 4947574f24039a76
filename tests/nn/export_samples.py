"""What the Python tests of exports share: a freshly exported network and its samples."""
import json
import os
import subprocess
import tempfile

TOLERANCE = 1e-5


def exported(write_exports, preset):
    """A temporary directory with awale.pt, awale.onnx and awale.weights, and their samples."""
    directory = tempfile.TemporaryDirectory()
    subprocess.run([write_exports, directory.name, preset], check=True)
    with open(os.path.join(directory.name, "samples.json"), encoding="utf-8") as file:
        return directory, json.load(file)


def check(samples, policy_logits, win_draw_loss, margin_seeds, margin_distribution, plies_left):
    """Compares arrays [B, 6], [B, 3], [B], [B, 97] and [B] with the samples; margin and plies on the
    heads' scale."""
    largest = 0
    for i, sample in enumerate(samples):
        pairs = list(zip(sample["policy_logits"], policy_logits[i]))
        pairs += list(zip(sample["win_draw_loss"], win_draw_loss[i]))
        pairs.append((sample["margin_seeds"] / 24, margin_seeds[i] / 24))
        pairs += list(zip(sample["margin_distribution"], margin_distribution[i]))
        pairs.append((sample["plies_left"] / 64, plies_left[i] / 64))
        assert len(margin_distribution[i]) == 97
        for expected, found in pairs:
            difference = abs(expected - float(found)) / max(1, abs(expected))
            assert difference <= TOLERANCE, (sample["position"], expected, found)
            largest = max(largest, difference)
    assert len(samples) == len(policy_logits) == len(win_draw_loss) == len(margin_seeds)
    print(f"{len(samples)} positions, largest difference {largest:.1e}")


def check_metadata(metadata, preset, samples):
    """The metadata (key -> text) describes the rules and the blocks of the samples' features."""
    assert int(metadata["encoder_version"]) == 3, metadata["encoder_version"]
    assert [rules["name"] for rules in json.loads(metadata["rules"])] == [preset]
    blocks = json.loads(metadata["feature_blocks"])
    assert len(blocks) == int(metadata["active_features"])
    assert blocks[-1]["first"] + blocks[-1]["size"] == int(metadata["features"])
    for sample in samples:
        for block, feature in zip(blocks, sample["features"]):
            assert block["first"] <= feature < block["first"] + block["size"], block["name"]
