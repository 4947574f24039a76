#!/usr/bin/env bash
# Runs a test of the pages, or says why it cannot (exit status 77).
#
#   run.sh FILE.test.mjs     in Chromium
#   run.sh built             builds the pages anew: training/web/dist must be what comes out
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

skip() {
  echo "skipped: $* (scripts/setup.sh --tests)"
  exit 77
}

require_node() {
  command -v node >/dev/null || skip "node is not installed"
  [[ -d $1/node_modules ]] || skip "the npm packages of $1 are not installed"
}

in_browser() {
  require_node .
  command -v chromium >/dev/null || skip "chromium is not installed"
  node --test "$1"
}

# Vite needs Node 20; who has an older one cannot build the pages, and need not.
built() {
  require_node ../../training/web
  (($(node -p 'process.versions.node.split(".")[0]') >= 20)) || skip "node is older than 20"
  fresh=$(mktemp -d)
  trap 'rm -rf "$fresh"' EXIT
  cp -r ../../training/web/. "$fresh"
  rm -rf "$fresh/dist"
  (cd "$fresh" && npm run --silent build >build.log 2>&1) || { tail -n 20 "$fresh/build.log"; exit 1; }
  local page
  for page in play report; do
    cmp "$fresh/dist/$page.html" "../../training/web/dist/$page.html" ||
      { echo "training/web/dist is not of its sources: run npm run build there"; exit 1; }
  done
}

if [[ $1 == built ]]; then built; else in_browser "$1"; fi
