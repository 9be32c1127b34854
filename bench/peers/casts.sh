#!/bin/sh
# Writes docs/performance/casts.md anew: casts.sh [OPTION...]. bench/peers/casts.c measures and has the options.
set -eu
cd "$(dirname "$0")/../.."
. cmake/setup.sh
packages $library_packages $program_packages g++ -- libbullet-dev libembree-dev
build build/release sidle_casts -DCMAKE_BUILD_TYPE=Release

page=docs/performance/casts.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
before=
if chrt -f 1 true 2>/dev/null; then
    before="chrt -f 1 taskset -c $(($(getconf _NPROCESSORS_ONLN) - 1))"
fi
$before build/release/bench/peers/sidle_casts "$@" >"$work/tables"

version() # PACKAGE
{
    dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo "of unknown version"
}
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
mkdir -p docs/performance
{
    cat <<END
# Casts beside Bullet and Embree

\`sh bench/peers/casts.sh${*:+ $*}\` measures and writes this page. All calls get the same triangles and the same casts, and run in turn on one
core, each the whole set. Times are processor time, and of each call the median round counts.

- The starts lie before random triangles, in random order, so neighbours in the set are far apart. Nothing overlaps a start.
- **sidle** runs with its defaults and one thread. Its casts are in an array before the clock runs.
- **Bullet** sweeps a \`btSphereShape\` by \`btCollisionWorld::objectQuerySingle\`, which \`convexSweepTest\` calls for each object that
  its broad phase finds. The level is one \`btBvhTriangleMeshShape\` with a margin of 0, and the allowed penetration is 0. Debian's
  libbullet $(version libbullet-dev). Its tree numbers
  triangles by 21 bits, so it has no row for \`gen:terrain:1024\`.
- **Embree** takes single rays in a scene with \`RTC_SCENE_FLAG_ROBUST\` and the default quality of its tree. \`rtcIntersect1\` returns
  the nearest hit, \`rtcOccluded1\` whether there is one. Debian's libembree $(version libembree-dev).

*Same hit or miss* is the share of casts where the call and \`sidle_cast_closest\` both hit or both miss. *Same t* is the share where the
times of impact agree, too, within .001 of the displacement.

Processor: ${processor:-unknown}; $(${CC:-cc} --version | head -n 1).

END
    cat "$work/tables"
} >"$page"
