#!/bin/sh
# sh cmake/golden.sh AGENTS COMMAND...: do runs of COMMAND, the sidle program or what starts it, end in the states that
# tests/golden.txt has for so many agents?
set -eu
agents=$1
shift
differing=0 compared=0
while read -r level count ticks expected; do
    [ "$count" = "$agents" ] || continue
    output=$("$@" crowd "gen:$level" --agents "$count" --ticks "$ticks" --json 2>&1) ||
        { echo "$output"; echo "FAILED: $* crowd gen:$level"; exit 1; }
    hash=$(echo "$output" | sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p')
    compared=$((compared + 1))
    [ "$hash" = "$expected" ] || { echo "FAILED: $level ends in $hash, not in $expected"; differing=1; }
done <"$(dirname "$0")/../tests/golden.txt"
[ "$compared" -gt 0 ] || { echo "FAILED: tests/golden.txt has no line of $agents agents"; exit 1; }
[ "$differing" = 0 ] && echo "$compared levels end in the golden states"
