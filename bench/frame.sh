#!/bin/sh
# Milliseconds of a tick of a large crowd on one core, beside the frame of a game: the least of several rounds.
#     [LEVEL=LEVEL] [AGENTS=NUMBER] bench/frame.sh [ROUNDS [PROGRAM]]
# The agents pass through one another, collide, or are steered and collide, in each tick or in turns of six. They alternate within
# a round, so a slow minute of a shared machine hits all of them. The runs have a high priority where that is allowed, not a real-time one: the
# kernel stops such a program for 50 ms a second, which p99 would show. Ten seconds at 60 Hz are 600 ticks. The first tick
# also takes memory and fills the caches. It is the longest, and of 600 ticks no part of p99.
set -eu
rounds=${1:-3}
program=${2:-$(dirname "$0")/../build/release/sidle}
before=
if nice -n -15 true 2>/dev/null; then
    before="nice -n -15"
fi

# ask TITLE [OPTION]: prints "TITLE;P50;P99;MAX".
ask()
{
    title=$1
    shift
    $before "$program" crowd "${LEVEL:-gen:city}" --agents "${AGENTS:-10000}" --ticks 600 --threads 1 --json "$@" |
        awk -v title="$title" '{ gsub(/[",:]/, "") } $1 ~ /^(p50|p99|max)$/ { line = line ";" $2 } END { print title line }'
}

round=0
while [ "$round" -lt "$rounds" ]; do
    ask "pass through one another"
    ask "collide" --agents-collide
    ask "are steered in turns" --steer-period 6
    ask "are steered each tick" --steer
    round=$((round + 1))
done | awk -F ';' '
    !($1 in count) { rows[++row_count] = $1 }
    { for (i = 2; i <= 4; ++i) if (!count[$1] || $i < least[$1, i]) least[$1, i] = $i; ++count[$1] }
    END {
        printf "%-26s %8s %8s %8s  ms\n", "agents that", "p50", "p99", "longest"
        for (r = 1; r <= row_count; ++r) {
            name = rows[r]
            printf "%-26s %8.1f %8.1f %8.0f\n", name, least[name, 2], least[name, 3], least[name, 4]
        }
    }'
