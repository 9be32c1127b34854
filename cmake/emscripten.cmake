# Included by wasm.cmake and wasm_page.cmake: Debian's Emscripten, SIMD128 and the headers of SIMDe.
find_program(EMCC emcc REQUIRED)
get_filename_component(emcc_file "${EMCC}" REALPATH)
get_filename_component(emscripten_root "${emcc_file}" DIRECTORY)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)

# A newer node than Debian's own does not look where Debian's other packages put the modules that emcc needs to link.
set(CMAKE_C_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)

set(CMAKE_C_FLAGS_INIT -msimd128)
include(${CMAKE_CURRENT_LIST_DIR}/host_simde.cmake)
