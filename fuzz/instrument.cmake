# Included before there is a target: what is fuzzed must be compiled with it, down to the last kernel.
if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "sidle: the fuzzers need clang with libFuzzer (Debian: apt install clang-19 libclang-rt-19-dev); "
        "set CMAKE_C_COMPILER")
endif()
if(NOT SIDLE_BUILD_TESTS)
    message(FATAL_ERROR "sidle: the fuzzers use the tests' support; set SIDLE_BUILD_TESTS")
endif()
set(fuzz_checks address,undefined,float-cast-overflow)
add_compile_options(-fsanitize=fuzzer-no-link,${fuzz_checks} -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_link_options(-fsanitize=${fuzz_checks})
