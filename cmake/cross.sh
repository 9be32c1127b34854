# shellcheck shell=sh disable=SC2154
# Sourced by determinism.sh and .ci/run, behind setup.sh: the library, the program and the tests for machines that are not
# this one, and what starts them here.

aarch64_packages="$library_packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
wasm_packages="$library_packages emscripten"
cross_options="-DCMAKE_BUILD_TYPE=Release -DSIDLE_PLAIN_TESTS=ON -DSIDLE_BUILD_BENCH=OFF"

# uses KIND OBJECT DISASSEMBLER INSTRUCTION...: vectors that fell apart into single floats would give the same bits.
uses()
{
    kind=$1 object=$2 disassembler=$3
    shift 3
    for instruction in "$@"; do
        count=$("$disassembler" -d "$object" | grep -cE "$instruction" || true)
        echo "$kind: $count x $instruction in $(basename "$object")"
        [ "$count" -gt 0 ] || return 1
    done
}

cross_aarch64() # TARGETS
{
    packages $aarch64_packages && build build/aarch64 "$1" --toolchain cmake/aarch64.cmake $cross_options || return 1
    uses NEON build/aarch64/src/CMakeFiles/sidle_width_4.dir/widths/width_4.c.o aarch64-linux-gnu-objdump \
        'fmul.*\.4s' 'fdiv.*\.4s' 'fsqrt.*\.4s'
}

cross_wasm() # TARGETS
{
    packages $wasm_packages && build build/wasm "$1" --toolchain cmake/wasm.cmake $cross_options || return 1
    # Emscripten comes with the tools of the LLVM that it is built on, under names that end in its version.
    disassembler=$(ls /usr/lib/llvm-14/bin/llvm-objdump 2>/dev/null || command -v llvm-objdump)
    uses SIMD128 build/wasm/src/CMakeFiles/sidle_width_4.dir/widths/width_4.c.o "$disassembler" \
        'f32x4\.mul' 'f32x4\.div' 'f32x4\.sqrt'
}

on_aarch64="qemu-aarch64 -L /usr/aarch64-linux-gnu build/aarch64/sidle"
on_wasm="node build/wasm/sidle.js"
