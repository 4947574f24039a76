#!/usr/bin/env bash
# From nothing to a trained, graded and exported network: installs, builds, trains with
# configs/quickstart.toml into runs/, then exports. Interrupted? Run it again, it goes on.
#
#   scripts/quickstart.sh
set -euo pipefail
# shellcheck source=scripts/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$AWALE_ROOT"
readonly AWALE=build/release/awale

build() {
  setup
  cmake --preset release
  build_release awale
}

# Sets `run` and `settings`: the first of runs/quickstart, runs/quickstart-2, ... that is not complete.
choose_run() {
  run=runs/quickstart settings=(--config configs/quickstart.toml)
  local n=1
  while is_complete "$run"; do
    n=$((n + 1))
    run=runs/quickstart-$n
  done
  if [[ -e $run/config.toml ]]; then
    settings=(--resume)  # its own: the file may have changed since
    echo "quickstart: going on with the interrupted $run" >&2
  fi
}

# `train` writes this file last, after the grading.
is_complete() { [[ -e $1/summary.json ]]; }

train() {
  "$AWALE" train --run "$run" "${settings[@]}"
}

# Beside the network that comes with the program, which has learnt for an hour.
compare() {
  "$AWALE" match "$run" pretrained --games 400 --simulations 64
}

export_all() {
  mkdir -p "$run/export"
  "$AWALE" export --checkpoint "$run" --format torchscript --out "$run/export/awale.pt"
  "$AWALE" export --checkpoint "$run" --format onnx --out "$run/export/awale.onnx"
  "$AWALE" export --checkpoint "$run" --format weights --out "$run/export/awale.h5"
}

closing_words() {
  cat <<END

run          $run ($((SECONDS / 60)) min $((SECONDS % 60)) s in all)
trajectories $run/shards/*.h5
exports      $run/export/awale.pt (TorchScript), awale.onnx (ONNX), awale.h5 (plain weights)

Next:
  $AWALE serve --checkpoint $run    # a board in the browser
  $AWALE report $run                # report.html: curves, grades, games
  $AWALE play --checkpoint $run --south human --north mcts
  $AWALE analyze 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S --checkpoint $run
  $AWALE evaluate --checkpoint $run --against minimax:8
  $AWALE inspect $run
END
}

build
choose_run
train
compare
export_all
closing_words
