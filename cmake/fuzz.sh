#!/bin/sh
# Fuzzes every reader and the geometry for FUZZ_SECONDS (15) each, one after the other; or just those that are named, as
# in `fuzz.sh blob`. What it learns stays in build/fuzz/corpus, where the next run goes on; what breaks one, in
# build/fuzz/found.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

compiler=clang-19
if ! packages $library_packages clang-19 libclang-rt-19-dev || ! command -v clang-19 >/dev/null; then
    compiler=clang
    packages $library_packages clang libclang-rt-dev
fi
packages -- $program_packages
build build/fuzz fuzz --preset fuzz -DCMAKE_C_COMPILER="$compiler"

cd build/fuzz
fuzz/fuzz_seeds seeds
mkdir -p found
[ $# -gt 0 ] || set -- blob agents queries world level replay bake sweep project slide crowd sleep place among
for name in "$@"; do
    mkdir -p "corpus/$name" "seeds/$name"
    folders="corpus/$name seeds/$name"
    [ ! -d "../../fuzz/corpus/$name" ] || folders="$folders ../../fuzz/corpus/$name"
    # Two settings against its habit of boiling inputs down until no binary format survives: without them a fault put
    # into the map reader took far longer. It says so much that it goes to a file; the last lines count.
    if ! "fuzz/fuzz_$name" -reduce_inputs=0 -mutate_depth=3 -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
        -max_total_time="${FUZZ_SECONDS:-15}" -print_final_stats=1 -artifact_prefix="found/$name-" \
        $folders >"$name.log" 2>&1; then
        tail -n 40 "$name.log"
        echo "FAILED: fuzz_$name; the whole of it is in build/fuzz/$name.log"
        exit 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log")
    [ "${runs:-0}" -gt 0 ] || { echo "FAILED: fuzz_$name has run nothing: build/fuzz/$name.log"; exit 1; }
    printf '%-8s %10s runs, %s\n' "$name" "$runs" \
        "$(sed -n 's/.*\(DONE\|pulse\|NEW\|REDUCE\) *\(cov: [0-9]* ft: [0-9]*\).*/\2/p' "$name.log" | tail -n 1)"
done
