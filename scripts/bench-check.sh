#!/usr/bin/env bash
# Checks that the engine still plays exactly as recorded: the benchmark's signature sums up what a fixed search
# of fixed positions found. After a change that is meant to alter play, write the new value into the file.
set -euo pipefail
cd "$(dirname "$0")/.."

recorded=benches/signature.txt
if [ ! -f "$recorded" ]; then
    echo "bench-check: $recorded is missing" >&2
    exit 1
fi
cargo build --release --quiet
expected=$(tr -d '[:space:]' <"$recorded")
actual=$("${CARGO_TARGET_DIR:-target}/release/keima" bench --signature-only | tr -d '[:space:]')
if [ "$actual" != "$expected" ]; then
    echo "bench-check: the signature is $actual, recorded in $recorded is $expected" >&2
    exit 1
fi
echo "bench-check: signature $actual as recorded"
