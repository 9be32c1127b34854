#!/bin/sh
# Writes docs/performance/peers.md anew: peers.sh [OPTION...]. bench/peers/sidle_peers.c measures and has the options.
set -eu
cd "$(dirname "$0")/../.."
. cmake/setup.sh
packages $library_packages $program_packages g++ libbullet-dev libirrlicht-dev
build build/release sidle_peers -DCMAKE_BUILD_TYPE=Release

page=docs/performance/peers.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
before=
if chrt -f 1 true 2>/dev/null; then
    before="chrt -f 1 taskset -c $(($(getconf _NPROCESSORS_ONLN) - 1))"
fi
$before build/release/bench/peers/sidle_peers "$@" >"$work/tables"

version() # PACKAGE
{
    dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo "of unknown version"
}
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
mkdir -p docs/performance
{
    cat <<END
# Beside Bullet and Irrlicht

\`sh bench/peers/peers.sh${*:+ $*}\` measures and writes this page. All libraries get the same triangles, starts and displacements, and run in
turn, ten ticks each, in one process. Times are processor time.

- **sidle** walks with the defaults of a profile: steps of .45 m, slopes of 45 degrees, gravity.
- **Bullet** is \`btKinematicCharacterController\` with the same step, slope and gravity, moved by \`updateAction\` alone. It has no
  ellipsoid, so its capsule has the same radius and height, and it is compared with sidle's capsule. World sweeps test other characters
  along the whole path; ghost sweeps, the default, test those near the start. Debian's libbullet $(version libbullet-dev).
- **Irrlicht** is \`getCollisionResultPosition\` with an octree selector. It takes no steps, has no slope limit and ignores other
  characters. Debian's libirrlicht $(version libirrlicht-dev).

*Path* is the mean horizontal speed, *blocked* the share of moves that came less than half as far as asked. They show how far all do the
same work. *Overlap* counts characters inside another one by more than 4 mm: in a dense crowd Bullet's characters come farther because
they enter one another.

Processor: ${processor:-unknown}; $(${CC:-cc} --version | head -n 1).

END
    cat "$work/tables"
} >"$page"
