# `cmake --build build/release --target docs`: the reference as HTML; a warning of Doxygen's is an error.
find_program(SIDLE_DOXYGEN doxygen)
mark_as_advanced(SIDLE_DOXYGEN)
if(SIDLE_DOXYGEN)
    add_custom_target(docs
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
        COMMAND ${CMAKE_COMMAND} -E env SIDLE_DOCS=${PROJECT_BINARY_DIR}/docs SIDLE_VERSION=${PROJECT_VERSION}
            ${SIDLE_DOXYGEN} docs/Doxyfile
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM
        COMMENT "Reference: ${PROJECT_BINARY_DIR}/docs/html/index.html")
endif()
