# What every file of sidle is compiled with, and which compilers and targets can keep the promise of equal bits.
include(CheckCSourceCompiles)

if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    message(FATAL_ERROR "sidle: ${CMAKE_C_COMPILER_ID} is not supported; use gcc 12 or clang 14 or later")
endif()

# Asked of the compiler, because a cross build or -m32 is not the processor that CMake names. Compiled, not linked: a
# missing C library must not look like the wrong processor.
set(try_compile_target_type "${CMAKE_TRY_COMPILE_TARGET_TYPE}")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
check_c_source_compiles("
    #if defined(__arm__)
    #error
    #endif
    int main(void) { return 0; }" SIDLE_TARGET_IS_NOT_ARM32)
if(NOT SIDLE_TARGET_IS_NOT_ARM32)
    message(FATAL_ERROR "sidle: 32-bit ARM is not supported: its NEON has no exact division or square root, "
        "so results could not have the same bits as elsewhere. Build for aarch64.")
endif()
check_c_source_compiles("
    #if defined(__i386__) && !defined(__SSE2_MATH__)
    #error
    #endif
    int main(void) { return 0; }" SIDLE_TARGET_IS_NOT_X87)
if(NOT SIDLE_TARGET_IS_NOT_X87)
    message(FATAL_ERROR "sidle: the x87 unit rounds differently from everything else. Build for x86-64, or add "
        "-msse2 -mfpmath=sse to CMAKE_C_FLAGS.")
endif()
check_c_source_compiles("
    #if !defined(__x86_64__)
    #error
    #endif
    int main(void) { return 0; }" SIDLE_TARGET_IS_X86_64)
check_c_source_compiles("
    #if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
    #error
    #endif
    int main(void) { return 0; }" SIDLE_MATH_IS_AS_WRITTEN)
if(NOT SIDLE_MATH_IS_AS_WRITTEN)
    message(FATAL_ERROR "sidle: with -ffast-math, -Ofast or -ffinite-math-only the compiler computes something else than "
        "what is written, and results would not have the same bits as elsewhere. Build without.")
endif()
set(CMAKE_TRY_COMPILE_TARGET_TYPE "${try_compile_target_type}")

# For all of sidle's own code, tests included: a test that contracts a*b+c checks other bits than the library's.
# -fno-math-errno changes no bit either; it lets sqrt be the one instruction that it is. gcc 12 needs watching: where it
# vectorises straight code (SLP), it may take (double)(float)x for x, so that x - (double)(float)x is 0. Seen with 12.2;
# doing without costs nothing that can be measured. clang 14 for WebAssembly needs the same: there straight code that is
# made of vectors gave a wrong triple product (Emscripten 3.1.6, seen in tests/test_invariants.c). -Wno-psabi: compilers
# note how vectors of 32 bytes are passed where there is no AVX; none is, from one file to another.
function(sidle_own_code target)
    target_compile_features(${target} PRIVATE c_std_17)
    set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF C_STANDARD_REQUIRED ON C_VISIBILITY_PRESET hidden)
    target_compile_options(${target} PRIVATE
        -ffp-contract=off -fno-math-errno -Wno-psabi $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
        $<$<BOOL:${EMSCRIPTEN}>:-fno-slp-vectorize>
        -Wall -Wextra -Wshadow -Wconversion -pedantic
        $<$<BOOL:${SIDLE_WERROR}>:-Werror>)
    if(MINGW) # C99's printf; the warnings are about its own macros, and formats that it takes for another printf's
        target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1)
        target_compile_options(${target} PRIVATE -Wno-float-conversion -Wno-format -Wno-format-extra-args)
    endif()
endfunction()

# Programs around the library may ask the system for time, terminals and files.
function(sidle_own_program target)
    sidle_own_code(${target})
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
endfunction()
