#!/bin/sh
# Builds and runs the tests: installs what is missing. Arguments go to ctest, as in `sh cmake/test.sh -R sweep`.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

packages $library_packages libcriterion-dev -- $program_packages $package_packages g++ libmpfr-dev binutils
build build/release all -DCMAKE_BUILD_TYPE=Release -DSIDLE_BUILD_TESTS=ON
ctest --test-dir build/release --parallel "$jobs" --output-on-failure --no-tests=error "$@"
