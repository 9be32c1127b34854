# Cross build for WebAssembly with SIMD128 on Debian (apt install emscripten libsimde-dev; node comes with it). The
# programs are JavaScript files that node runs:
#     cmake -S . -B build/wasm --toolchain cmake/wasm.cmake -DSIDLE_PLAIN_TESTS=ON
#     node build/wasm/sidle.js crowd gen:city
include(${CMAKE_CURRENT_LIST_DIR}/emscripten.cmake)

# One thread: a browser gives threads only to pages that ask for it in their headers.
set(SIDLE_POOL OFF CACHE BOOL "")
set(SIDLE_BUILD_EXAMPLES OFF CACHE BOOL "")

# The code lies within the JavaScript. Emscripten 3.1 would otherwise fetch it by calls that newer nodes do not support.
# Files are the host's, memory grows with the level, main's answer is the exit code.
# -O1: what Binaryen does to a program beyond that takes 8 s for each of a hundred tests and hardly makes one faster.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O1 -sSINGLE_FILE=1 -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1")

# ctest runs the programs with node.
find_program(NODE NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)
if(NODE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${NODE})
endif()
