#!/bin/sh
# Ten thousand agents that collide with one another and step aside walk through a generated city for ten seconds: installs what
# is missing, builds, runs, and leaves crowd.png. Arguments are added to the program's. docs/crowd.png is what this draws.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

packages $library_packages -- $program_packages
build build/release sidle_program -DCMAKE_BUILD_TYPE=Release
build/release/sidle crowd gen:city --agents 10000 --ticks 600 --agents-collide --steer-period 6 --picture crowd.png "$@"
