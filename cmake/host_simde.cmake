# Included by the files for cross builds. SIMDe is headers alone, but they lie among the host's own, which must stay
# out of sight.
if(NOT SIDLE_SIMDE_INCLUDE_DIR)
    find_path(host_simde simde/x86/sse2.h PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    if(host_simde)
        file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host)
        file(CREATE_LINK ${host_simde}/simde ${CMAKE_BINARY_DIR}/host/simde SYMBOLIC)
        set(SIDLE_SIMDE_INCLUDE_DIR ${CMAKE_BINARY_DIR}/host CACHE PATH "")
    endif()
endif()
