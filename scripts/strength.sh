#!/usr/bin/env bash
# Plays, or goes on with, one of the matches behind the README's tables.
#
#   scripts/strength.sh NAME FOLDER [GAMES]
#
# NAME is KIND-SIZE, for instance gnugo-9 or intermediate-beginner-13; KIND one of
#   gnugo                  advanced, one second a move and one thread, against GNU Go 3.8 level 10
#   advanced-intermediate  advanced with few visits a move (3000 up to 8x8, 1000 up to 12x12, 400 beyond), a floor for its strength,
#                          against intermediate
#   intermediate-beginner, intermediate-gnugo, beginner-gnugo
#   beginner-random        against a player that moves at random (cargo build --release --example random_player; or RANDOM_PLAYER)
# Results go to FOLDER/NAME.tsv and the games beside it; a match that was stopped goes on where it was. Only the kind gnugo
# depends on time: let nothing else run on its core. OPENINGS may name a folder of openings, played in pairs.
set -euo pipefail
if [ $# -lt 2 ]; then
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0" >&2
    exit 2
fi
name=$1 folder=$2 games=${3:-100}
kind=${name%-*} size=${name##*-}
keima="${KEIMA:-$(dirname "$0")/../target/release/keima} --threads 1 --seed %SEED"
random=${RANDOM_PLAYER:-$(dirname "$0")/../target/release/examples/random_player %SEED}
gnugo="${GNUGO:-gnugo} --mode gtp --chinese-rules --level 10 --positional-superko"

case $kind in
gnugo) first="$keima --time 1" second=$gnugo ;;
advanced-intermediate)
    # The network, from 9x9 on, makes a visit worth more and slower.
    visits=$((size <= 8 ? 3000 : size <= 12 ? 1000 : 400))
    first="$keima --playouts $visits" second="$keima --level intermediate"
    ;;
intermediate-beginner) first="$keima --level intermediate" second="$keima --level beginner" ;;
intermediate-gnugo) first="$keima --level intermediate" second=$gnugo ;;
beginner-gnugo) first="$keima --level beginner" second=$gnugo ;;
beginner-random) first="$keima --level beginner" second=$random ;;
*) echo "strength: no match of the kind $kind" >&2 && exit 2 ;;
esac

mkdir -p "$folder"
exec "${keima%% *}" match --black "$first" --white "$second" --games "$games" --size "$size" --concurrency 1 \
    ${OPENINGS:+--openings "$OPENINGS"} --scorer "$gnugo" --output "$folder/$name.tsv" --sgf "$folder/$name"
