#!/bin/sh
# The least time of each benchmark over many repetitions, for machines that others use, too:
#     bench/least.sh FILTER [REPETITIONS [PROGRAM]]
# Each line: name, nanoseconds for one item, and how many times faster than the published form that repetition was
# (x_fauerby, and x_fauerby_given where there is one: bench_tick.c describes both).
# The runs take the last processor, with real-time priority where that is allowed.
set -eu
filter=$1
repetitions=${2:-25}
program=${3:-$(dirname "$0")/../build/release/bench/sidle_bench}
before=
if chrt -f 1 true 2>/dev/null; then
    before="chrt -f 1"
fi
last=$(($(getconf _NPROCESSORS_ONLN) - 1))
$before taskset -c "$last" "$program" --benchmark_filter="$filter" --benchmark_min_time=0.03 \
    --benchmark_repetitions="$repetitions" --benchmark_format=csv 2>/dev/null |
    awk -F , '
        function times(baseline) { return column[baseline] && $column[baseline] != "" ? sprintf(" %8.2f", $column[baseline]) : "" }
        { gsub(/"/, "") }
        $1 == "name" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
        !/\/manual_time,/ { next } # a mean, a median
        {
            name = $1
            sub(/\/manual_time$/, "", name)
            if (!(name in least)) order[++count] = name
            if (!(name in least) || $column["each"] < least[name]) {
                least[name] = $column["each"]
                ratio[name] = times("x_fauerby") times("x_fauerby_given")
            }
        }
        END {
            for (i = 1; i <= count; ++i) {
                name = order[i]
                printf "%-22s %9.2f%s\n", name, 1e9 * least[name], ratio[name]
            }
        }'
