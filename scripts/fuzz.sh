#!/usr/bin/env bash
# Looks for games in which the implementations of the rules differ, on all cores, until the time is up.
#
#   scripts/fuzz.sh [SECONDS]      600 seconds unless given
#
# Begins with tests/fuzz/corpus and keeps what it finds in build/fuzz/corpus, so that the next call
# goes on from there. Exits 1 when an input fails, and says where it lies and how to run it again; the
# next call removes it.
#
#   scripts/fuzz.sh --merge        puts the least set of inputs that reaches the same into tests/fuzz/corpus
set -euo pipefail
# shellcheck source=scripts/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

readonly CORPUS=tests/fuzz/corpus FOUND=build/fuzz/corpus FUZZER=build/fuzz/tests/fuzz/awale_fuzz_rules

build_fuzzer() {
  setup --fuzz
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz --parallel "$(build_jobs)"
}

# Into an empty folder, because -merge=1 only adds. Counted by what is reached, not how often: a tenth
# of the inputs.
merge() {
  local least
  least=$(mktemp -d)
  "$FUZZER" -merge=1 -use_counters=0 "$least" "$FOUND" "$CORPUS"
  rm -rf "$CORPUS"
  mv "$least" "$CORPUS"
  chmod 755 "$CORPUS"
  say "$(find "$CORPUS" -type f | wc -l) inputs, $(du -sbh "$CORPUS" | cut -f1) in $CORPUS"
}

fuzz() {
  local seconds=$1 failures=build/fuzz/failures jobs
  jobs=$(nproc)
  rm -rf "$failures"
  mkdir -p "$failures"
  # Each worker writes fuzz-N.log into the working folder.
  (cd "$failures" && "$AWALE_ROOT/$FUZZER" "$AWALE_ROOT/$FOUND" "$AWALE_ROOT/$CORPUS" -artifact_prefix=./ \
    -jobs="$jobs" -workers="$jobs" -max_total_time="$seconds" -print_final_stats=1 >/dev/null 2>&1) || true
  grep -h -A 4 -E "what\(\): |ERROR: [A-Z][A-Za-z]*Sanitizer|runtime error: " "$failures"/fuzz-*.log >&2 || true
  grep -h -E "^stat::(number_of_executed_units|average_exec_per_sec)" "$failures"/fuzz-*.log || true
  local failed
  mapfile -t failed < <(find "$failures" -type f ! -name '*.log' ! -name 'slow-unit-*')
  if ((${#failed[@]})); then
    say "inputs that fail: ${failed[*]}"
    say "again: $FUZZER ${failed[0]}"
    return 1
  fi
}

if [[ ! ${1:-600} =~ ^([0-9]+|--merge)$ ]]; then
  say "expected a number of seconds or --merge, found '$1'"
  exit 2
fi
cd "$AWALE_ROOT"
build_fuzzer
mkdir -p "$FOUND" "$CORPUS"
case ${1:-} in
  --merge) merge ;;
  *) fuzz "${1:-600}" ;;
esac
