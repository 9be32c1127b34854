# Cross build for 64-bit Windows on Debian (apt install gcc-mingw-w64-x86-64 libsimde-dev, and wine64 wine to run it):
#     cmake -S . -B build/mingw --toolchain cmake/mingw-w64.cmake -DSIDLE_PLAIN_TESTS=ON
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Programs carry the runtime and its threads with them.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)

include(${CMAKE_CURRENT_LIST_DIR}/host_simde.cmake)

# ctest runs the programs under wine, if it is there.
find_program(WINE NAMES wine64 wine NO_CMAKE_FIND_ROOT_PATH)
if(WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${WINE})
endif()
