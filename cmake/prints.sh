#!/bin/sh
# Runs a program and checks that a page shows what it prints: prints.sh PAGE COMMAND... In the page the lines are indented
# by four spaces.
set -eu
page=$1
shift
output=$("$@")
printf '%s\n' "$output" | tr -d '\r' | while read -r line; do
    grep -qxF "    $line" "$page" || { echo "FAILED: $page does not show \"$line\""; exit 1; }
done
