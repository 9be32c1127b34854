#!/bin/sh
# Compiles owners.cpp without a warning with each C++ compiler that is here, and runs it: cpp.sh LIBRARY CXX [FLAG...].
# The flags are those that the library was built with.
set -eu
cd "$(dirname "$0")"
library=$1 cxx=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

warnings="-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
for compiler in "$cxx" g++ clang++ clang++-19; do
    if command -v "$compiler" >"$work/found"; then
        "$compiler" $warnings -I../../include -fsyntax-only owners.cpp
        echo "$compiler: no warning"
    fi
done
"$cxx" "$@" $warnings -I../../include owners.cpp "$library" -lm -pthread -o "$work/owners"
"$work/owners"
