#!/bin/sh
# Parses each public header with clang as MSVC would, as C17 and C++17: msvc.sh CLANG. clang brings stddef.h and stdint.h
# of its own, so no header of Windows is needed.
set -eu
cd "$(dirname "$0")/../.."

parse() # LANGUAGE STANDARD HEADER... [OPTION]
{
    language=$1 standard=$2
    shift 2
    "$clang" --target=x86_64-pc-windows-msvc -fms-compatibility -fms-extensions -ffreestanding -fsyntax-only \
        -Wall -Wextra -Wconversion -Werror -Iinclude -std="$standard" -x "$language" "$@" ||
        { echo "FAILED as $language"; exit 1; }
}

clang=$1
headers=$(find include/sidle -name '*.h')
for option in -USIDLE_SHARED -DSIDLE_SHARED; do
    parse c c17 $headers "$option"
    parse c++ c++17 $headers "$option"
done
parse c++ c++17 include/sidle/sidle.hpp -DSIDLE_SHARED

# What is no part of MSVC must be found.
echo 'int public_function(int count) { return ({ count; }) + __builtin_popcount(count) + missing; }' >"${work:=$(mktemp)}"
trap 'rm -f "$work"' EXIT
if "$clang" --target=x86_64-pc-windows-msvc -fsyntax-only -x c "$work" 2>/dev/null; then
    echo "FAILED: nothing is refused"
    exit 1
fi
