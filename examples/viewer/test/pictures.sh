#!/bin/sh
# Makes the pictures of docs/viewer anew: test/pictures.test.js, and pngquant, which makes them a third as large.
set -eu
cd "$(dirname "$0")/../../.."
. cmake/setup.sh

packages $library_packages $viewer_packages chromium pngquant
build build/release sidle_program -DCMAKE_BUILD_TYPE=Release
build build/viewer viewer --preset viewer
npm ci --prefix examples/viewer --no-audit --no-fund --silent
rm -rf build/viewer/pictures
(cd examples/viewer && node --test test/pictures.test.js)
mkdir -p docs/viewer
for picture in build/viewer/pictures/*.png; do
    pngquant --force --strip --output "docs/viewer/$(basename "$picture")" 160 "$picture"
done
ls -l docs/viewer
