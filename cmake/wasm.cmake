# Cross build for WebAssembly with SIMD128 on Debian (apt install emscripten libsimde-dev; node comes with it). The
# programs are JavaScript files that node runs:
#     cmake -S . -B build/wasm --toolchain cmake/wasm.cmake -DSIDLE_PLAIN_TESTS=ON
#     node build/wasm/sidle.js crowd gen:city
find_program(EMCC emcc REQUIRED)
get_filename_component(emcc_file "${EMCC}" REALPATH)
get_filename_component(emscripten_root "${emcc_file}" DIRECTORY)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)

# A newer node than Debian's own does not look where Debian's other packages put the modules that emcc needs to link.
set(CMAKE_C_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)

# One thread: a browser gives threads only to pages that ask for it in their headers.
set(SIDLE_POOL OFF CACHE BOOL "")
set(SIDLE_BUILD_EXAMPLES OFF CACHE BOOL "")

set(CMAKE_C_FLAGS_INIT -msimd128)
# The code lies within the JavaScript. Emscripten 3.1 would otherwise fetch it by calls that newer nodes do not support.
# Files are the host's, memory grows with the level, main's answer is the exit code.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-sSINGLE_FILE=1 -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1")

include(${CMAKE_CURRENT_LIST_DIR}/host_simde.cmake)

# ctest runs the programs with node.
find_program(NODE NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)
if(NODE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${NODE})
endif()
