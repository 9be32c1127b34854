#!/bin/sh
# sh cmake/golden.sh AGENTS COMMAND...: do runs of COMMAND, the sidle program or what starts it, end in the states that
# tests/golden.txt has for so many agents? It must have one for each level, and of 300 agents those that collide. Each run is
# repeated at the default width and at those that every machine has, or at $GOLDEN_LANES, with $GOLDEN_OPTIONS.
set -eu
agents=$1
shift
rows='city terrain:256 dungeon city--agents-collide dungeon--agents-collide city--steer'
[ "$agents" = 300 ] || rows='city terrain:256 dungeon'
differing=0 compared=''
while read -r level count ticks expected option; do
    [ "$count" = "$agents" ] || continue
    for lanes in ${GOLDEN_LANES:-0 1 4}; do
        # What starts the program must not read the lines that follow.
        output=$("$@" crowd "gen:$level" --agents "$count" --ticks "$ticks" ${option:+"$option"} --lanes "$lanes" \
            ${GOLDEN_OPTIONS:-} --json 2>&1 </dev/null) || { echo "$output"; echo "FAILED: $* crowd gen:$level $option"; exit 1; }
        hash=$(echo "$output" | sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p')
        if [ -z "$hash" ] || [ "$hash" != "$expected" ]; then
            echo "FAILED: $level $option ends in ${hash:-no state} at --lanes $lanes, not in $expected"
            differing=1
        fi
    done
    compared="$compared $level$option"
done <"$(dirname "$0")/../tests/golden.txt"
[ "$compared" = " $rows" ] ||
    { echo "FAILED: tests/golden.txt has, of $agents agents, not $rows, but:$compared"; exit 1; }
[ "$differing" = 0 ] && echo "$rows end in the golden states"
