#!/usr/bin/env bash
# Builds everything and runs the tests.
#
#   scripts/test.sh [ctest arguments]      e.g. scripts/test.sh -R mcts
set -euo pipefail
# shellcheck source=scripts/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

setup --tests
cd "$AWALE_ROOT"
cmake --preset release -DAWALE_TESTS=ON
build_release all
ctest --preset release --output-on-failure "$@"
