// Loads an exported ONNX model in ONNX Runtime and compares it with LibTorch in C++.
//
// Usage: node onnx_test.mjs WRITE_EXPORTS (the program of write_exports.cpp). Exit code 77:
// onnxruntime-node is not installed (scripts/setup.sh --tests does).
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exit, argv } from "node:process";

const TOLERANCE = 1e-5;

const ort = await import("onnxruntime-node").catch((error) => {
  console.log(`skipped: ${error.message} (scripts/setup.sh --tests)`);
  exit(77);
});

function featuresOf(samples) {
  const values = samples.flatMap((sample) => sample.features.map(BigInt));
  return new ort.Tensor("int64", BigInt64Array.from(values), [samples.length, values.length / samples.length]);
}

// Every output of every sample, the margin on the heads' scale.
function check(samples, outputs) {
  let largest = 0;
  samples.forEach((sample, row) => {
    const pairs = [
      ...sample.policy_logits.map((value, i) => [value, outputs.policy_logits.data[row * 6 + i]]),
      ...sample.win_draw_loss.map((value, i) => [value, outputs.win_draw_loss.data[row * 3 + i]]),
      [sample.margin_seeds / 24, outputs.margin_seeds.data[row] / 24],
      ...sample.margin_distribution.map((value, i) => [value, outputs.margin_distribution.data[row * 97 + i]]),
      [sample.plies_left / 64, outputs.plies_left.data[row] / 64],
    ];
    for (const [expected, found] of pairs) {
      const difference = Math.abs(expected - found) / Math.max(1, Math.abs(expected));
      assert(difference <= TOLERANCE, `${sample.position}: expected ${expected}, found ${found}`);
      largest = Math.max(largest, difference);
    }
  });
  console.log(`${samples.length} positions, largest difference ${largest.toExponential(1)}`);
}

for (const preset of ["abapa", "awari"]) {
  const directory = mkdtempSync(join(tmpdir(), "awale-onnx-"));
  try {
    execFileSync(argv[2], [directory, preset]);
    const samples = JSON.parse(readFileSync(join(directory, "samples.json"), "utf8"));
    const session = await ort.InferenceSession.create(join(directory, "awale.onnx"));
    for (const batch of [samples, samples.slice(0, 1)]) {
      const outputs = await session.run({ features: featuresOf(batch) });
      assert.deepEqual([...outputs.policy_logits.dims], [batch.length, 6]);
      assert.deepEqual([...outputs.win_draw_loss.dims], [batch.length, 3]);
      assert.deepEqual([...outputs.margin_seeds.dims], [batch.length]);
      assert.deepEqual([...outputs.margin_distribution.dims], [batch.length, 97]);
      assert.deepEqual([...outputs.plies_left.dims], [batch.length]);
      check(batch, outputs);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}
