#!/bin/sh
# Which width for what: moves of a crowd and casts a second on one core at each width, the best of rounds in alternation:
# what else runs on a machine only takes away.
#     [LEVELS="LEVEL..."] bench/widths.sh [ROUNDS [PROGRAM]]
# On the last processor and, where that is allowed, before everything else that wants it.
set -eu
rounds=${1:-7}
program=${2:-$(dirname "$0")/../build/release/sidle}
levels=${LEVELS:-gen:city gen:terrain:256 gen:dungeon}
before=
if chrt -f 1 true 2>/dev/null; then
    before="chrt -f 1"
fi
before="$before taskset -c $(($(getconf _NPROCESSORS_ONLN) - 1))"

ask() # WHAT LEVEL LANES ARGUMENTS...: one line, its last word the figure
{
    what=$1 level=$2 lanes=$3 with=
    shift 3
    [ "$lanes" != 8avx2 ] || with="env SIDLE_AVX512=0" # eight are those of AVX-512 where there is
    figure=$($with $before "$program" "$what" "$level" --threads 1 --lanes "${lanes%avx2}" --json "$@" |
        sed -n 's/.*"\(moves\|casts\)_per_second": \([0-9.e+]*\).*/\2/p')
    [ -z "$figure" ] || echo "$what $level $lanes $figure" # empty: the width does not run here
}

round=0
while [ "$round" -lt "$rounds" ]; do
    for level in $levels; do
        for lanes in 1 4 8avx2 8 16; do
            ask crowd "$level" "$lanes" --agents 2000 --ticks 200
            ask cast "$level" "$lanes" --random 50000
        done
    done
    round=$((round + 1))
done | sort -k 1,1 -k 2,2 -k 3,3V -k 4,4gr | awk '
    { key = sprintf("%-5s %-16s %5s lanes", $1, $2, $3) }
    key != last { printf "%s %12.0f a second\n", key, $4; last = key }'
