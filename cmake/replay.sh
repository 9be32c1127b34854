#!/bin/sh
# sh cmake/replay.sh COMMAND...: does COMMAND, the sidle program or what starts it, replay what it captures, and notice
# what it did not?
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "FAILED: $1"; exit 1; }

for mode in walk slide fly; do
    file=$folder/$mode.txt
    "$@" crowd gen:dungeon --agents 40 --ticks 90 --mode "$mode" --capture "7@80=$file" --json >"$folder/out" ||
        fail "no capture"
    for lanes in 1 4 0; do
        "$@" replay "$file" --lanes "$lanes" >"$folder/out" || fail "$mode at $lanes lanes"
        grep -q '^bits *agree' "$folder/out" || fail "$mode: no word about the bits"
    done
    "$@" replay "$file" --json | grep -q '"agrees": 1' || fail "$mode as JSON"
done

"$@" crowd gen:dungeon --agents 500 --ticks 31 --agents-collide --capture "40@30=$folder/among.txt" --json >"$folder/out" ||
    fail "no capture of an agent that collides with others"
for lanes in 1 4 0; do
    "$@" replay "$folder/among.txt" --lanes "$lanes" >"$folder/out" || fail "among others at $lanes lanes"
    grep -q '^others *[1-9]' "$folder/out" || fail "no word about other agents"
done

sed 's/^move.displacement .*/move.displacement .5 0 .25/' "$folder/walk.txt" >"$folder/changed.txt"
if "$@" replay "$folder/changed.txt" >"$folder/out" 2>&1; then
    fail "another displacement is not noticed"
fi
grep -q 'is not what was captured' "$folder/out" || fail "nothing is said about a difference"
if "$@" replay "$folder/out" >"$folder/error" 2>&1; then
    fail "any file is a capture"
fi
grep -q 'out:1: this is no capture' "$folder/error" || fail "no sentence about what is no capture"
echo "captures replay"
