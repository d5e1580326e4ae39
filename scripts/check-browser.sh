#!/usr/bin/env bash
# Plays on the board of `keima serve` in a real browser: gtp-tests/browser. What is not installed is said, and nothing is checked then.
#
# usage: scripts/check-browser.sh [PROGRAM [TEST...]]
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
keima=$(realpath "${1:-$target/release/keima}")
shift || true
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(gtp-tests/browser/*.test.js)
libraries=(playwright-core@1.65.1 axe-core@4.14.1)
folder=$target/browser

skip() {
    echo "check-browser: $1; the page is not checked" >&2
    exit 0
}

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip 'chromium is not installed'
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    skip 'node and npm are not installed'
fi
if ! [ -d "$folder/node_modules/axe-core" ] || ! [ -d "$folder/node_modules/playwright-core" ]; then
    npm install --silent --no-audit --no-fund --prefix "$folder" "${libraries[@]}" || skip "${libraries[*]} could not be fetched"
fi

# One file at a time: each has a server and a browser of its own.
for test in "${tests[@]}"; do
    echo "check-browser: $test" >&2
    KEIMA=$keima CHROMIUM=$chromium NODE_PATH=$(realpath "$folder")/node_modules node --test "$test"
done
