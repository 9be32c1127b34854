#!/bin/sh
# sh cmake/golden.sh AGENTS COMMAND...: do runs of COMMAND, the sidle program or what starts it, end in the states that
# tests/golden.txt has for so many agents? It must have one for each level.
set -eu
agents=$1
shift
levels='city terrain:256 dungeon'
differing=0 compared=''
while read -r level count ticks expected; do
    [ "$count" = "$agents" ] || continue
    # What starts the program must not read the lines that follow.
    output=$("$@" crowd "gen:$level" --agents "$count" --ticks "$ticks" --json 2>&1 </dev/null) ||
        { echo "$output"; echo "FAILED: $* crowd gen:$level"; exit 1; }
    hash=$(echo "$output" | sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p')
    compared="$compared $level"
    if [ -z "$hash" ] || [ "$hash" != "$expected" ]; then
        echo "FAILED: $level ends in ${hash:-no state}, not in $expected"
        differing=1
    fi
done <"$(dirname "$0")/../tests/golden.txt"
[ "$compared" = " $levels" ] ||
    { echo "FAILED: tests/golden.txt has, of $agents agents, not $levels, but:$compared"; exit 1; }
[ "$differing" = 0 ] && echo "$levels end in the golden states"
