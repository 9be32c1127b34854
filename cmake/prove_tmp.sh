#!/bin/sh
# The long proofs, a quarter of an hour on two cores: a million queries a kernel against the oracles, real and generated
# levels at full length, equal bits over threads, lanes and compilers, fuzzed readers. Leaves what each run printed in
# build/proofs.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh
. cmake/checks.sh

packages $library_packages $program_packages libcriterion-dev $map_packages

program=build/release/sidle
results=build/proofs
build build/release sidle_program >/dev/null
crowd city-1-threads-1-lanes gen:city --agents 2000 --ticks 300 --lanes 1 --threads 1
echo "== the same bits from any compiler, optimised or not"
names=
for compiler in gcc clang clang-19; do
    command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
    for level in 0 1 2 3; do
        name=$compiler-O$level
        build "build/bits-$name" sidle_program -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None \
            -DCMAKE_C_FLAGS="-O$level" -DSIDLE_BUILD_TESTS=OFF -DSIDLE_BUILD_BENCH=OFF -DSIDLE_BUILD_EXAMPLES=OFF \
            >/dev/null
        program=build/bits-$name/sidle
        crowd "$name" gen:city --agents 2000 --ticks 300 --lanes 4
        names="$names $name"
    done
done
same_bits $names city-1-threads-1-lanes
