#!/bin/sh
# Parses each public header with clang as MSVC would, as C17 and C++17: msvc.sh CLANG. clang brings stddef.h and stdint.h
# of its own, so no header of Windows is needed.
set -eu
cd "$(dirname "$0")/../.."

parse() # LANGUAGE STANDARD HEADER [OPTION...]
{
    language=$1 standard=$2 header=$3
    shift 3
    "$clang" --target=x86_64-pc-windows-msvc -fms-compatibility -fms-extensions -ffreestanding -fsyntax-only \
        -Wall -Wextra -Wconversion -Werror -Iinclude -std="$standard" -x "$language" "$@" "$header" ||
        { echo "FAILED: $header as $language $*"; exit 1; }
}

clang=$1
for header in $(find include/sidle -name '*.h'); do
    for option in -USIDLE_SHARED -DSIDLE_SHARED; do
        parse c c17 "$header" $option
        parse c++ c++17 "$header" $option
    done
done
parse c++ c++17 include/sidle/sidle.hpp -DSIDLE_SHARED

# What is no part of MSVC must be found.
echo 'int public_function(int count) { return ({ count; }) + __builtin_popcount(count) + missing; }' >"${work:=$(mktemp)}"
trap 'rm -f "$work"' EXIT
if "$clang" --target=x86_64-pc-windows-msvc -fsyntax-only -x c "$work" 2>/dev/null; then
    echo "FAILED: nothing is refused"
    exit 1
fi
