#!/usr/bin/env bash
# Checks the dependency order of the modules in src/: each may use what stands to its left, and its own family
# (board.rs, board/*.rs). Test files may use everything before `playout` as well, to have games to test with.
set -euo pipefail
cd "$(dirname "$0")/.."

# The order, lowest layer first. This is its only place: lib.rs draws it, nothing else states it.
export ORDER='
color geometry score rng
zobrist board rules game scoring
tactics life
playout
features move_model net
time tree search
status
level engine
lines sgf review gtp terminal analysis collection referee adjudicate learn teacher judge shards selfplay serve bench cli
main
'

find "${1:-src}" -name '*.rs' ! -name lib.rs | sort | xargs awk '
function complain(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    failed = 1
}
BEGIN {
    count = split(ENVIRON["ORDER"], names)
    for (i = 1; i <= count; i++) place[names[i]] = i
}
FNR == 1 {
    family = FILENAME
    sub(/^(.*\/)?src\//, "", family)
    top = family ~ /^[^\/]*$/
    test = family ~ /\/(tests|reference|perft)(\.rs|\/)/
    sub(/[\/.].*/, "", family)
    if (!(family in place)) complain("module `" family "` has no place in the order of scripts/check-layers.sh")
    limit = place[family]
    if (test && limit < place["playout"]) limit = place["playout"] - 1
}
{
    rest = $0
    sub(/\/\/.*/, "", rest)
    # At the top of a top-level file `super` is another name for the crate, which would slip through.
    if (top && rest ~ /^(pub )?use super::/) complain("write `crate::` instead of `super::`")
    while (match(rest, /(^|[^A-Za-z0-9_])crate::[A-Za-z0-9_{*]+/)) {
        used = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/.*crate::/, "", used)
        if (used ~ /^[A-Z{*]/) complain("name the module: `crate::module::...`, one on a line")
        else if (!(used in place)) complain("`" used "` has no place in the order of scripts/check-layers.sh")
        else if (place[used] > limit) complain("`" family "` may not use `" used "`, which stands to its right")
    }
}
END { exit failed }
'
