#!/bin/sh
# Checks the order of includes in src/ and include/: layers.sh [ROOT]. Prints every violation; fails if there is one.
set -eu
cd "${1:-.}"

# Not in a pipe, which would forget that it failed.
files=$(find src include -name '*.c' -o -name '*.h' -o -name '*.inl')
[ -n "$files" ] || { echo "FAILED: no sources in $PWD"; exit 1; }

echo "$files" | LC_ALL=C sort | xargs awk '
BEGIN {
    # base <- jobs <- bvh <- mesh <- world <- narrow <- {query, crowd <- capture}; simd <- wide <- kernels. A folder may include
    # its own files, those of the folders named here, and the single headers named after them. There are two libraries:
    # intersect, and sidle, which is everything else. They share simd, wide and headers of base that need no object file.
    may["base"]      = ""
    may["jobs"]      = "base"
    may["bvh"]       = "base jobs simd/float4.h"
    may["mesh"]      = "base jobs bvh"
    may["world"]     = "base jobs bvh mesh"
    may["narrow"]    = "base jobs bvh mesh world simd/quad.h kernels/kernels.h kernels/rim_contact.h kernels/core_contact.h"
    may["query"]     = "base jobs bvh mesh world narrow simd/float4.h simd/quad.h kernels/kernels.h kernels/rim_contact.h kernels/core_contact.h"
    may["crowd"]     = "base jobs bvh mesh world narrow simd/float4.h simd/quad.h kernels/kernels.h"
    may["capture"]   = "base jobs bvh mesh world narrow crowd kernels/kernels.h"
    may["simd"]      = "base"
    may["wide"]      = "base simd"
    may["kernels"]   = "base simd wide bvh/node.h mesh/packet.h"
    may["intersect"] = "base/bounds.h base/exact.h base/fp_environment.h base/inlining.h base/vector.h simd wide"
    # What is compiled once per width, as one translation unit.
    may["widths"]    = "base simd wide kernels narrow query crowd"
    heap = "(malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|memalign|valloc|strdup|strndup)"
}

function violation(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; found = 1 }

function exists(path,    line, answer) {
    if (!(path in known)) { answer = (getline line < path); close(path); known[path] = (answer >= 0) }
    return known[path]
}

# The line without comments, and without what strings hold.
function code_of(line,    out, at) {
    out = ""
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            if (!at) return out
            line = substr(line, at + 2); in_comment = 0
        } else if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"/)) {
            out = out substr(line, 1, RSTART - 1)
            if (substr(line, RSTART, 2) == "//") return out
            if (substr(line, RSTART, 2) == "/*") in_comment = 1; else out = out "\"\""
            line = substr(line, RSTART + RLENGTH)
        } else return out line
    }
    return out
}

# The public headers of intersect; of sidle, all others but base.h, which is of both.
function of_intersect(name) { return name ~ /^sidle\/intersect(\.h$|\/)/ }

function check_library(name) {
    if (name !~ /^sidle\// || name == "sidle/base.h") return
    if (in_intersect && !of_intersect(name)) violation("intersect is a library of its own and may not include \"" name "\"")
    if (!in_intersect && of_intersect(name)) violation("sidle may not include \"" name "\" of the library intersect")
}

function check_public(name) {
    if (name !~ /^sidle\// || !exists("include/" name))
        violation("a public header may include sidle/ headers only, not \"" name "\"")
}

# Quotes mean our own files: beside the including one, below src/, or public.
function check_own(name,    path, target, allowed, count, i) {
    if (name ~ /\.\./) { violation("\"" name "\": name the folder, not the steps to it"); return }
    path = FILENAME; sub(/[^\/]*$/, name, path)
    if (exists(path)) return
    if (exists("include/" name)) return
    if (!exists("src/" name)) { violation("\"" name "\" is neither in src/ nor in include/"); return }
    target = name; sub(/\/.*/, "", target)
    if (target == folder) return
    count = split(may[folder], allowed, " ")
    for (i = 1; i <= count; i++) if (allowed[i] == target || allowed[i] == name) return
    violation(folder " may not include \"" name "\"")
}

function check_system(name) {
    if (name ~ /^simde\// && folder != "simd") violation("only src/simd includes SIMDe")
    if (name ~ /^(pthread|threads)\.h$/ && FILENAME != "src/jobs/pool.c") violation("only src/jobs/pool.c includes <" name ">")
    if (name ~ /^sidle\//) { if (!exists("include/" name)) violation("<" name "> is not in include/") }
    else if (public && name !~ /^(stddef|stdint|stdbool)\.h$/) violation("a public header may not include <" name ">")
}

FNR == 1 {
    in_comment = 0
    split(FILENAME, parts, "/")
    public = (parts[1] == "include"); folder = parts[2]
    in_intersect = public ? of_intersect(substr(FILENAME, 9)) : folder == "intersect"
    if (!public && !(folder in may)) violation("src/" folder " has no place in the order of layers (cmake/layers.sh)")
}

{
    was_comment = in_comment
    code = code_of($0)
    if (!was_comment && match($0, /^[ \t]*#[ \t]*include[ \t]*/)) {
        rest = substr($0, RLENGTH + 1); name = rest; sub(/^["<]/, "", name); sub(/[">].*/, "", name)
        if (rest ~ /^</) check_system(name)
        else if (rest !~ /^"/) violation("an include through a macro cannot be checked")
        else if (public) check_public(name)
        else check_own(name)
        check_library(name)
    }
    # A member called free is a call through an allocator: that is what all other code should do. Any other mention may
    # end in a call, as f = malloc does; only where a public header declares that member it is none.
    if (public) gsub(/\(\*free\)/, "", code)
    if (FILENAME !~ /^src\/base\/memory\.[ch]$/ && match(code, "(^|[^A-Za-z0-9_.>])" heap "([^A-Za-z0-9_]|$)"))
        violation("only src/base/memory touches the heap")
    # gcc 12 deletes calls of a function that only prefetches, unless it is inlined (base/inlining.h).
    if (code ~ /^static .*prefetch[a-z_]*\(/) violation("a function that prefetches is FORCE_INLINE")
}

END { exit found }'
