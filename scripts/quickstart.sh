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

# Sets `run` and `resume`: the first of runs/quickstart, runs/quickstart-2, ... that is not complete.
choose_run() {
  run=runs/quickstart resume=()
  local n=1
  while is_complete "$run"; do
    n=$((n + 1))
    run=runs/quickstart-$n
  done
  if [[ -e $run ]]; then
    resume=(--resume)
    echo "quickstart: going on with the interrupted $run" >&2
  fi
}

is_complete() { [[ -e $1/complete ]]; }

# Progress goes to stderr; stdout ends with the path of the final checkpoint.
train() {
  checkpoint=$("$AWALE" train --config configs/quickstart.toml --run "$run" "${resume[@]}" | tail -n 1)
}

grade() {
  "$AWALE" evaluate --checkpoint "$checkpoint" --against minimax:4 --games 200 --simulations 64 --json >"$run/grade.json"
}

export_all() {
  mkdir -p "$run/export"
  "$AWALE" export --checkpoint "$checkpoint" --format torchscript --out "$run/export/awale.pt"
  "$AWALE" export --checkpoint "$checkpoint" --format onnx --out "$run/export/awale.onnx"
  "$AWALE" export --checkpoint "$checkpoint" --format weights --out "$run/export/awale.weights"
}

closing_table() {
  echo
  printf '%-18s %s\n' \
    run "$run" \
    checkpoint "$checkpoint" \
    'against minimax:4' "$(tr -d '\n' <"$run/grade.json")" \
    exports "$run/export/" \
    minutes "$((SECONDS / 60))"
}

build
choose_run
train
grade
export_all
closing_table
