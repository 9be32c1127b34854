#!/bin/sh
# Proves that layers.sh can fail: plants one violation after another in a copy of the sources.
set -eu
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R src include "$copy"

sh cmake/layers.sh "$copy" || { echo "the untouched copy fails already"; exit 1; }

# plant accepted|refused FILE LINE: what the check says once FILE holds LINE
plant()
{
    mkdir -p "$(dirname "$copy/$2")"
    printf '%s\n' "$3" >"$copy/$2"
    if found=$(sh cmake/layers.sh "$copy"); then said=accepted; else said=refused; fi
    rm "$copy/$2"
    if [ "$said" != "$1" ]; then echo "$2 with '$3' was $said"; exit 1; fi
    if [ "$said" = refused ] && [ "${found#*"$2":1:}" = "$found" ]; then
        echo "$2 with '$3' was refused without naming it: $found"
        exit 1
    fi
}

for folder in base jobs bvh mesh world narrow simd wide kernels crowd capture intersect; do
    mkdir -p "$copy/src/$folder"
    : >"$copy/src/$folder/planted.h"
done
mkdir -p "$copy/tools" "$copy/tests"
: >"$copy/tools/planted.h"
: >"$copy/tests/planted.h"
for header in src/kernels/kernels.h src/bvh/node.h src/mesh/packet.h; do
    [ -f "$copy/$header" ] || : >"$copy/$header"
done

plant refused src/base/planted.c '#include "jobs/planted.h"'
plant refused src/jobs/planted.c '#include "bvh/planted.h"'
plant refused src/bvh/planted.c '#include "mesh/planted.h"'
plant refused src/mesh/planted.h '#  include "world/planted.h" /* for once */'
plant refused src/world/planted.inl '#include "narrow/planted.h"'
plant refused src/narrow/planted.c '#include "crowd/planted.h"'
plant refused src/query/planted.c '#include "crowd/planted.h"'
plant refused src/crowd/planted.c '#include "capture/planted.h"'
plant refused src/crowd/planted.c '#include "kernels/planted.h"'
plant refused src/wide/planted.inl '#include "kernels/planted.h"'
plant refused src/intersect/planted.c '#include "kernels/planted.h"'
plant refused src/intersect/planted.c '#include "base/planted.h"'
plant refused src/intersect/planted.c '#include "sidle/crowd.h"'
plant refused src/intersect/planted.c '#include <sidle/sidle.h>'
plant refused src/crowd/planted.c '#include "intersect/planted.h"'
plant refused src/crowd/planted.c '#include "sidle/intersect/box.h"'
plant refused include/sidle/planted.h '#include "sidle/intersect.h"'
plant refused include/sidle/intersect/planted.h '#include "sidle/mesh.h"'
plant refused src/crowd/planted.c '#include "simd/planted.h"'
plant refused src/simd/planted.c '#include "kernels/kernels.h"'
plant refused src/kernels/planted.c '#include "narrow/planted.h"'
plant refused src/kernels/planted.c '#include "mesh/planted.h"'
plant refused src/kernels/planted.c '#include <simde/x86/sse2.h>'
plant refused src/jobs/planted.c '#include <pthread.h>'
plant refused src/crowd/planted.c '#include <threads.h>'
plant refused src/crowd/planted.c 'void *p(void) { return malloc(8); }'
plant refused src/world/planted.c 'void f(void *p) { /* sorry */ free (p); }'
plant refused src/crowd/planted.c 'void *(*f)(size_t) = malloc;'
plant refused src/crowd/planted.c 'void *p(void) { return (malloc)(8); }'
plant refused src/crowd/planted.c 'void f(void *p) { (*free)(p); }'
plant refused src/mesh/planted.c '#include "../tools/planted.h"'
plant refused src/mesh/planted.c '#include "tools/planted.h"'
plant refused src/mesh/planted.c '#include "tests/planted.h"'
plant refused src/mesh/planted.c '#include HEADER'
plant refused src/elsewhere/planted.c 'int x;'
plant refused include/sidle/planted.h '#include "base/planted.h"'
plant refused include/sidle/planted.h '#include <stdlib.h>'
plant refused src/crowd/planted.c 'static inline void prefetch_next(const char *p)'

plant accepted src/crowd/planted.c 'FORCE_INLINE void prefetch_next(const char *p)'
plant accepted src/crowd/planted.c '#include "kernels/kernels.h"'
plant accepted src/intersect/planted.c '#include "wide/planted.h"'
plant accepted src/intersect/planted.c '#include "base/vector.h"'
plant accepted src/intersect/planted.c '#include "sidle/intersect/box.h"'
plant accepted src/kernels/planted.c '#include "wide/planted.h"'
plant accepted include/sidle/intersect/planted.h '#include "sidle/base.h"'
plant accepted src/crowd/planted.c '#include "narrow/planted.h"'
plant accepted src/crowd/planted.c '#include "sidle/sidle.h"'
plant accepted src/kernels/planted.c '#include "bvh/node.h"'
plant accepted src/kernels/planted.c '#include "mesh/packet.h"'
plant accepted src/simd/planted.h '#include <simde/x86/sse2.h>'
plant accepted src/world/planted.c 'void f(A *a, void *p) { a->free(a->user, p, 8); } /* not free(p) */'
plant accepted src/world/planted.c 'const char *text = "malloc(8)";'
plant accepted src/world/planted.c 'int free_slots, is_free; /* the next free one */ // calls free'
plant accepted include/sidle/planted.h 'struct planted { void (*free)(void *user); };'

mkdir -p "$copy/nothing" "$copy/empty/src" "$copy/empty/include" "$copy/half"
cp -R "$copy/include" "$copy/half"
for root in nothing empty half; do
    if sh cmake/layers.sh "$copy/$root" >/dev/null 2>&1; then echo "a root with $root in it was accepted"; exit 1; fi
done
echo "the layer check accepts what it should and refuses 38 kinds of violation, and no sources"
