#!/bin/sh
# The C block of README.md must be examples/hello.c, letter for letter, since that is what gets compiled and run.
set -eu
cd "$(dirname "$0")/.."
block=$(awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md)
[ -n "$block" ] || { echo "README.md has no C block"; exit 1; }
printf '%s\n' "$block" | diff -u examples/hello.c - || { echo "README.md differs from examples/hello.c"; exit 1; }
