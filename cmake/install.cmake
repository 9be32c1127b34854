# What `cmake --install` lays down, how others find it there, and the Debian packages that CPack makes of it:
# libsidle0 (a shared build only), libsidle-dev and sidle, the program.
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sidle)
install(TARGETS sidle sidle_intersect EXPORT sidle-targets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/sidle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
if(SIDLE_BUILD_TOOLS)
    install(TARGETS sidle_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

# find_package(sidle CONFIG): the targets sidle::sidle and sidle::intersect
install(EXPORT sidle-targets NAMESPACE sidle:: DESTINATION ${config_folder} COMPONENT development)
configure_package_config_file(cmake/sidle-config.cmake.in ${PROJECT_BINARY_DIR}/sidle-config.cmake
    INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sidle-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sidle-config.cmake ${PROJECT_BINARY_DIR}/sidle-config-version.cmake
    DESTINATION ${config_folder} COMPONENT development)

# pkg-config sidle, pkg-config sidle-intersect.
# Relative to the file, so that the whole prefix may move; absolute folders (as some distributions set) stay.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_way_up "/prefix/${pc_folder}" "/prefix")
string(REGEX REPLACE "/$" "" pc_way_up "${pc_way_up}")
set(pc_prefix "\${pcfiledir}/${pc_way_up}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
endif()
foreach(folder INCLUDEDIR LIBDIR)
    set(pc_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
        set(pc_${folder} ${CMAKE_INSTALL_${folder}})
    endif()
endforeach()
# sidle_pc(NAME LIBRARY DESCRIPTION OWN_LIBRARIES): what only the library itself needs is private where it is shared.
function(sidle_pc pc_name pc_library pc_description own_libraries)
    if(BUILD_SHARED_LIBS)
        set(pc_flags "-DSIDLE_SHARED ")
        set(pc_private "Libs.private: ${own_libraries}\n")
    else()
        set(pc_libraries " ${own_libraries}")
    endif()
    configure_file(cmake/sidle.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${pc_folder} COMPONENT development)
endfunction()

set(sidle_own_libraries -lm)
if(SIDLE_POOL)
    string(APPEND sidle_own_libraries " -pthread")
endif()
sidle_pc(sidle sidle "${PROJECT_DESCRIPTION}" "${sidle_own_libraries}")
sidle_pc(sidle-intersect sidle_intersect "Intersection tests between shapes" -lm)

set(components development)
if(BUILD_SHARED_LIBS)
    list(APPEND components runtime)
endif()
if(SIDLE_BUILD_TOOLS)
    list(APPEND components program)
endif()
set(package_of_development libsidle-dev)
set(package_of_runtime libsidle${PROJECT_VERSION_MAJOR})
set(package_of_program sidle)
foreach(component ${components})
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package_of_${component}}
        RENAME copyright COMPONENT ${component})
endforeach()

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The sidle authors <sidle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${package_of_development})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${package_of_runtime})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ${package_of_program})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
if(BUILD_SHARED_LIBS)
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${package_of_runtime} (= ${PROJECT_VERSION})")
endif()
include(CPack)
