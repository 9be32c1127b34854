# Cross build for a page in a browser, with SIMD128 and threads (Debian: apt install emscripten libsimde-dev). See
# examples/viewer/README.md:
#     cmake --preset viewer && cmake --build --preset viewer
include(${CMAKE_CURRENT_LIST_DIR}/emscripten.cmake)
string(APPEND CMAKE_C_FLAGS_INIT " -pthread")

set(SIDLE_BUILD_TESTS OFF CACHE BOOL "")
set(SIDLE_BUILD_BENCH OFF CACHE BOOL "")
set(SIDLE_INSTALL OFF CACHE BOOL "")
