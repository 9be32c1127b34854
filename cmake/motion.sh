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

# What stands between <!-- motion_table NAME --> and <!-- end --> is what the program prints for NAME. A table whose
# marker is gone would never be compared.
awk -v program="$program" '
    /^<!-- end -->$/ { skipping = 0 }
    !skipping { print }
    /^<!-- motion_table [a-z]+ -->$/ {
        skipping = 1; printed = 0; tables = tables " " $3
        print ""
        command = program " " $3
        while ((command | getline line) > 0) { print line; printed++ }
        if (close(command) != 0 || !printed) exit 1
        print ""
    }
    END { if (skipping || tables != " rows rates stairs widths vertical") exit 1 }' "$page" >"$work/motion.md" ||
    { echo "FAILED: $page lacks a marker, or $program prints nothing for one"; exit 1; }
mkdir "$work/motion"
"$program" plots "$work/motion"

if [ "${1:-}" = --check ]; then
    diff "$page" "$work/motion.md"
    diff -rq docs/motion "$work/motion"
else
    cp "$work/motion.md" "$page"
    mkdir -p docs/motion
    cp "$work"/motion/*.svg docs/motion/
fi
