#!/bin/sh
# Writes the tables and pictures of docs/crowd anew: crowd.sh.
# crowd.sh --check [PROGRAM] fails if tables or plots differ from what PROGRAM (crowd_table of build/release) prints now. It skips
# square.png, since its compression and fonts differ between machines.
set -eu
cd "$(dirname "$0")/.."

page=docs/crowd/figures.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/crowd"

if [ "${1:-}" = --check ]; then
    program=${2:-build/release/tests/crowd_table}
else
    . cmake/setup.sh
    packages $library_packages $program_packages
    build build/release "crowd_table sidle_program" -DCMAKE_BUILD_TYPE=Release -DSIDLE_BUILD_TESTS=ON
    program=build/release/tests/crowd_table
fi

# The text between <!-- crowd_table NAME --> and <!-- end --> is what the program prints for NAME. All three markers have to
# be there: a table without its marker would never be compared.
awk -v program="$program" '
    /^<!-- end -->$/ { skipping = 0 }
    !skipping { print }
    /^<!-- crowd_table [a-z]+ -->$/ {
        skipping = 1; printed = 0; tables = tables " " $3
        print ""
        command = program " " $3
        while ((command | getline line) > 0) { print line; printed++ }
        if (close(command) != 0 || !printed) exit 1
        print ""
    }
    END { if (skipping || tables != " scenes doors rates") exit 1 }' "$page" >"$work/crowd/figures.md" ||
    { echo "FAILED: $page lacks a marker, or $program prints nothing for one"; exit 1; }
"$program" plots "$work/crowd"

if [ "${1:-}" = --check ]; then
    diff "$page" "$work/crowd/figures.md"
    # Other programs write the rest of the folder.
    for file in "$work"/crowd/*; do
        cmp "$file" "docs/crowd/${file##*/}"
    done
else
    build/release/sidle crowd gen:city:1 --agents 800 --agents-collide --picture "$work/crowd/square.png"
    cp "$work"/crowd/* docs/crowd/
fi
