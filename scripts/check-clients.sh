#!/usr/bin/env bash
# Lets programs that are not ours use Keima: GNU Go as the opponent in `keima match`, and Sabaki's protocol library
# (@sabaki/gtp) as the controller. What is not installed is left out, and said to be.
#
# usage: scripts/check-clients.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
keima=${1:-$target/release/keima}
library=@sabaki/gtp@3.0.0
folder=$target/clients
options='--playouts 200 --threads 1 --net none --seed 1'
export PATH="$PATH:/usr/games"

skip() {
    echo "check-clients: $1; left out" >&2
}

if command -v gnugo >/dev/null; then
    gnugo='gnugo --mode gtp --level 1 --chinese-rules --positional-superko'
    "$keima" match --games 2 --size 9 --black "$keima $options" --white "$gnugo" --scorer "$gnugo" --concurrency 1
else
    skip 'gnugo is not installed'
fi

if command -v node >/dev/null && command -v npm >/dev/null; then
    if [ -d "$folder/node_modules/@sabaki/gtp" ] || npm install --silent --no-audit --no-fund --prefix "$folder" "$library"; then
        # shellcheck disable=SC2086 # the options are words
        NODE_PATH="$folder/node_modules" node gtp-tests/clients/sabaki.js "$keima" $options
    else
        skip "$library could not be fetched"
    fi
else
    skip 'node and npm are not installed'
fi
