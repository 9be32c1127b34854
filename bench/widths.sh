#!/bin/sh
# Nanoseconds a move and a cast at each width, on one core: the least of several rounds.
#     [LEVELS="LEVEL..."] bench/widths.sh [ROUNDS [PROGRAM]]
# The widths alternate within a round, so a slow minute of a shared machine hits all of them. The runs take the last
# processor, with real-time priority where that is allowed. 2,000 agents walk for 200 ticks; the 50,000 casts are rays,
# balls, ellipsoids and capsules in equal shares, .02 to 82 m long.
set -eu
rounds=${1:-7}
program=${2:-$(dirname "$0")/../build/release/sidle}
levels=${LEVELS:-gen:city gen:terrain:256 gen:dungeon}
before=
if chrt -f 1 true 2>/dev/null; then
    before="chrt -f 1"
fi
before="$before taskset -c $(($(getconf _NPROCESSORS_ONLN) - 1))"

# ask WHAT LEVEL LANES ARGUMENTS...: prints "WHAT LEVEL LANES NANOSECONDS", or nothing if the width does not run here.
ask()
{
    what=$1 level=$2 lanes=$3 with=
    shift 3
    [ "$lanes" != 8avx2 ] || with="env SIDLE_AVX512=0"
    $with $before "$program" "$what" "$level" --threads 1 --lanes "${lanes%avx2}" --json "$@" |
        sed -n 's/.*"\(moves\|casts\)_per_second": \([0-9.e+]*\).*/\2/p' |
        awk -v run="$what $level $lanes" '{ print run, 1e9 / $1 }'
}

round=0
while [ "$round" -lt "$rounds" ]; do
    for level in $levels; do
        for lanes in 4 8avx2 8 16; do
            ask crowd "$level" "$lanes" --agents 2000 --ticks 200
            ask cast "$level" "$lanes" --random 50000
        done
    done
    round=$((round + 1))
done | awk '
    { row = $1 " " $2 }
    !(row in known) { known[row] = 1; rows[++count] = row }
    !((row, $3) in least) || $4 < least[row, $3] { least[row, $3] = $4 }
    END {
        # Without AVX-512, plain 8 is AVX2 as well, and both columns agree up to noise.
        columns = split("4 8avx2 8 16", lanes, " ")
        printf "%-24s %8s %8s %8s %8s  ns\n", "", "4", "8 AVX2", "8", "16"
        for (r = 1; r <= count; ++r) {
            printf "%-24s", rows[r]
            for (c = 1; c <= columns; ++c) {
                printf " %8s", (rows[r], lanes[c]) in least ? sprintf("%.0f", least[rows[r], lanes[c]]) : "-"
            }
            print ""
        }
    }'
