#!/bin/sh
# Writes the tables and pictures of docs/motion.md anew: motion.sh.
# motion.sh --check PROGRAM only says whether they are what PROGRAM (motion_table) prints now.
set -eu
cd "$(dirname "$0")/.."

page=docs/motion.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1:-}" = --check ]; then
    program=$2
else
    . cmake/setup.sh
    packages $library_packages $program_packages
    build build/release motion_table -DCMAKE_BUILD_TYPE=Release -DSIDLE_BUILD_TESTS=ON
    program=build/release/tests/motion_table
fi

# What stands between <!-- motion_table NAME --> and <!-- end --> is what the program prints for NAME.
awk -v program="$program" '
    /^<!-- end -->$/ { skipping = 0 }
    !skipping { print }
    /^<!-- motion_table [a-z]+ -->$/ {
        skipping = 1
        print ""
        command = program " " $3
        while ((command | getline line) > 0) { print line; printed++ }
        if (close(command) != 0 || !printed) exit 1
        print ""
    }' "$page" >"$work/motion.md"
"$program" plots "$work"

if [ "${1:-}" = --check ]; then
    diff "$page" "$work/motion.md"
    for picture in "$work"/*.svg; do
        cmp "docs/motion/${picture##*/}" "$picture"
    done
else
    cp "$work/motion.md" "$page"
    mkdir -p docs/motion
    cp "$work"/*.svg docs/motion/
fi
