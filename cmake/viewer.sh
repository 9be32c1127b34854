#!/bin/sh
# The crowd in a browser: installs what is missing, builds the page of examples/viewer and serves it. PORT=8080.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

packages $library_packages $viewer_packages
build build/viewer viewer --preset viewer
cd examples/viewer
npm ci --omit=dev --no-audit --no-fund --silent
exec node server.js
