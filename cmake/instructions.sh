#!/bin/sh
# Counts instructions a move, a steering and a cast of fixed scenes and compares them with tests/instructions.txt:
#     sh cmake/instructions.sh             fails if a scene takes more than 3 % over its stored count
#     sh cmake/instructions.sh --update    stores the counts of this build instead
# Counts do not depend on the machine's load, and hardly on the machine: valgrind simulates AVX2 (no AVX-512). They do
# depend on the compiler, so only gcc 12 can fail and be stored; counts of another compiler are printed beside.
# FOLDER in the environment is the build to count; default build/release.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

LIMIT=3 # %: the compiler's own choices move counts by about 1 % when unrelated code changes
levels='gen:city gen:terrain:256 gen:dungeon'
stored=tests/instructions.txt
folder=${FOLDER:-build/release}
update=
case ${1:-} in
    --update) update=1 ;;
    '') ;;
    *) echo "usage: sh cmake/instructions.sh [--update]" >&2; exit 2 ;;
esac

if ! command -v valgrind >/dev/null; then
    echo "instructions.sh: valgrind is missing, so nothing is counted (Debian: apt install valgrind)" >&2
    exit 2
fi
if [ "$(uname -m)" != x86_64 ]; then
    echo "instructions.sh: the stored counts are of x86-64, and this is $(uname -m)" >&2
    exit 2
fi
# Without a C++ compiler, or without Google Benchmark, only this program of bench/ is built.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build "$folder" sidle_instructions -DCMAKE_BUILD_TYPE=Release -DSIDLE_BUILD_BENCH=ON >"$work/build" ||
    { cat "$work/build"; exit 1; }
program=$folder/bench/sidle_instructions
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$folder/CMakeCache.txt")
version=$(echo __clang__ __GNUC__ | "$compiler" -E -P -)
is_stored_compiler=
[ "$version" = '__clang__ 12' ] && is_stored_compiler=1
if [ -n "$update" ] && [ -z "$is_stored_compiler" ]; then
    echo "instructions.sh: only counts of gcc 12 are stored, and $folder was built with $("$compiler" --version | head -n 1)" >&2
    exit 2
fi

# count LEVEL: a line "LEVEL SCENE COUNT" for each scene
count()
{
    rm -f "$work"/dump*
    if ! SIDLE_AVX512=0 valgrind --tool=callgrind --callgrind-out-file="$work/dump" --toggle-collect='counted_*' \
        --dump-after=scene_ends "$program" "$1" >"$work/scenes" 2>"$work/log" </dev/null; then
        cat "$work/log" >&2
        return 1
    fi
    number=0
    while read -r level name items; do
        number=$((number + 1))
        total=$(sed -n 's/^totals: *//p' "$work/dump.$number")
        [ "${total:-0}" -gt 0 ] || { echo "instructions.sh: callgrind counted nothing in $level $name" >&2; return 1; }
        echo "$level $name $(((total + items / 2) / items))"
    done <"$work/scenes"
}

for level in $levels; do
    count "$level" >>"$work/counts"
done

touch "$work/nothing"
[ -n "$is_stored_compiler" ] || LIMIT=1000000
before=$work/nothing
[ ! -f "$stored" ] || before=$stored
awk -v limit="$LIMIT" -v counts="$work/counts" '
    /^#/ { next }
    FILENAME != counts { before[$1, $2] = $3; next }
    !header++ { printf "%-16s %-14s %8s %8s %8s\n", "level", "scene", "stored", "now", "change" }
    !(($1, $2) in before) {
        printf "%-16s %-14s %8s %8d\n", $1, $2, "none", $3
        failed = 1
        next
    }
    {
        change = 100 * ($3 / before[$1, $2] - 1)
        printf "%-16s %-14s %8d %8d %+7.1f %%%s\n", $1, $2, before[$1, $2], $3, change,
            (change > limit ? "  MORE" : "")
        failed = failed || change > limit
        delete before[$1, $2]
    }
    END {
        for (key in before) {
            split(key, words, SUBSEP)
            printf "%-16s %-14s is stored, but is no scene any more\n", words[1], words[2]
            failed = 1
        }
        exit failed
    }' "$before" "$work/counts" && differs= || differs=1

if [ -n "$update" ]; then
    {
        echo "# level, scene, instructions a move, a steering or a cast with gcc 12; written by \`sh cmake/instructions.sh --update\`"
        cat "$work/counts"
    } >"$stored"
    echo "wrote $stored"
elif [ -z "$is_stored_compiler" ]; then
    echo "not gcc 12, so any count passes: $("$compiler" --version | head -n 1)"
elif [ -n "$differs" ]; then
    echo "FAILED: more than $LIMIT % over $stored, or other scenes. If that is meant: sh cmake/instructions.sh --update"
    exit 1
fi
