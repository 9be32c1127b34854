#!/bin/sh
# Writes docs/performance/throughput.md and its plots anew: throughput.sh [--quick].
# bench/throughput.c measures. The runs have real-time priority where that is allowed, for machines that others use, too.
# A million agents take 11 GB of memory; --quick stops at 100,000 and runs all once.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh
packages $library_packages $program_packages
build build/release throughput -DCMAKE_BUILD_TYPE=Release

page=docs/performance/throughput.md
folder=docs/performance/throughput
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
before=
if chrt -f 1 true 2>/dev/null; then
    before="chrt -f 1"
fi
$before build/release/bench/throughput "$work" "$@" >"$work/tables"

mkdir -p "$folder"
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
{
    cat <<END
# Throughput

How the speed depends on triangles, agents, density and workers. \`sh bench/throughput.sh\` measures and writes this page. Agents are
ellipsoids of .4 .9 .4 m that wander at 1.4 to 3 m/s, 60 ticks a second. Those that collide have \`SIDLE_TICK_AGENTS_COLLIDE\`. Times
are processor time of one thread unless stated. What is compared runs in turn, and of each tick the least time of several runs counts.
\`build/release/bench/crowd_cost\` prints some of these figures, each beside a bar, and MISSED where it is beyond.

Processor: ${processor:-unknown}, $(getconf _NPROCESSORS_ONLN) cores; $(${CC:-cc} --version | head -n 1).

END
    cat "$work/tables"
} >"$page"
cp "$work"/*.svg "$folder/"
