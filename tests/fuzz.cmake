# Fuzz targets: fuzz_api_* of the library, the others of what the tool reads.

# What fuzz_api_* compare the library with: OpenSSL, through some of the tests' helpers.
find_package(PkgConfig)
pkg_check_modules(fuzz_libcrypto IMPORTED_TARGET libcrypto)
if(fuzz_libcrypto_FOUND)
    file(GLOB fuzz_support_sources CONFIGURE_DEPENDS support/*.c fake_cuda/*.c ${PROJECT_SOURCE_DIR}/tools/rows/*.c)
    list(FILTER fuzz_support_sources EXCLUDE REGEX "/fake_cuda/module\\.c$")
    # Where cases with known answers are: no target reads them.
    list(FILTER fuzz_support_sources EXCLUDE REGEX "/folders\\.c$")
    # Arithmetic that nothing here runs, which takes clang minutes with sanitizers.
    set(fuzz_measurements ${fuzz_support_sources})
    list(FILTER fuzz_measurements INCLUDE REGEX "/fake_cuda/measure_[^/]*$")
    set_source_files_properties(${fuzz_measurements} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
    add_library(fuzz_support STATIC ${fuzz_support_sources})
    target_include_directories(fuzz_support PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src
                               ${PROJECT_SOURCE_DIR}/tools/rows)
    target_link_libraries(fuzz_support PUBLIC gecc_cuda_host gecc_static PkgConfig::fuzz_libcrypto)
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/fuzz_*.c)
foreach(file ${fuzz_sources})
    get_filename_component(name ${file} NAME_WE)
    if(name MATCHES "^fuzz_api_" AND NOT fuzz_libcrypto_FOUND)
        message(WARNING "${name}: NOT BUILT, libcrypto is missing")
        continue()
    elseif(name MATCHES "^fuzz_api_")
        set(subject fuzz_support)
    elseif(TARGET gecc_tool)
        set(subject gecc_tool)
    else()
        message(WARNING "${name}: NOT BUILT, the tool is not built")
        continue()
    endif()
    add_executable(${name} ${file})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE ${subject})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endforeach()
