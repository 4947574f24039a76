#!/usr/bin/env bash
# Makes the network that comes with the program, nn/pretrained/awale.h5, anew: trains
# configs/all_rules.toml (an hour on 2 cores), exports it and prints the numbers of its card,
# nn/pretrained/README.md. Interrupted? Run it again, it goes on.
#
#   scripts/pretrained.sh [RUN]        RUN: the run's directory (runs/all_rules)
set -euo pipefail
# shellcheck source=scripts/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$AWALE_ROOT"
readonly AWALE=build/release/awale
readonly RUN=${1:-runs/all_rules}
readonly NETWORK=nn/pretrained/awale.h5
readonly PRESETS=(abapa auale valencian wari_caribbean beginner awari codingame)
readonly TABLE_SEEDS=15

build() {
  setup
  cmake --preset release
  build_release awale
}

train() {
  local words=(--config configs/all_rules.toml)
  if [[ -e $RUN/config.toml ]]; then words=(--resume); fi
  "$AWALE" train --run "$RUN" "${words[@]}"
}

# Points against minimax and results lost in endgames, a line a preset.
print_card() {
  local preset opponent table=$RUN/endgame.table
  for preset in "${PRESETS[@]}"; do
    printf '\n%s\n' "$preset"
    for opponent in minimax:8 minimax:12; do
      "$AWALE" match pretrained "$opponent" --games 400 --simulations 64 --rules "$preset"
    done
    "$AWALE" endgame build --seeds "$TABLE_SEEDS" --rules "$preset" --out "$table" 2> /dev/null
    "$AWALE" grade --checkpoint pretrained --table "$table" --rules "$preset" --positions 20000 --games 0 --simulations 64
    rm "$table"
  done
}

build
train
"$AWALE" export --checkpoint "$RUN" --format weights --out "$NETWORK"
build_release awale # which holds it
print_card
