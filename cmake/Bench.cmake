# gecc-gpu-check: one backend of this library beside another. It is carried to machines with a GPU: the libraries are found
# from where it is.

file(GLOB check_sources CONFIGURE_DEPENDS bench/check/*.c tools/measure/*.c tools/rows/*.c)
add_executable(gecc-gpu-check ${check_sources})
target_include_directories(gecc-gpu-check PRIVATE tools/measure tools/rows)
target_link_libraries(gecc-gpu-check PRIVATE gecc ${CMAKE_DL_LIBS} m)
set_target_properties(gecc-gpu-check PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    BUILD_RPATH_USE_ORIGIN ON)
if(GECC_CUDA)
    add_dependencies(gecc-gpu-check gecc_cuda)
endif()

# gecc-senders: transactions from memory to senders. gecc-keys: verifications where signers come back. gecc-queue: rows that
# come one at a time.

foreach(name senders keys queue)
    file(GLOB ${name}_sources CONFIGURE_DEPENDS bench/${name}/*.c bench/common/*.c tools/measure/summary.c)
    add_executable(gecc-${name} ${${name}_sources})
    target_include_directories(gecc-${name} PRIVATE bench/common tools/measure)
    target_link_libraries(gecc-${name} PRIVATE gecc Threads::Threads)
    set_target_properties(gecc-${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
        BUILD_RPATH_USE_ORIGIN ON)
endforeach()
if(GECC_CUDA)
    add_dependencies(gecc-queue gecc_cuda)
endif()
if(TARGET PkgConfig::libcrypto)
    target_compile_definitions(gecc-keys PRIVATE HAVE_OPENSSL)
    target_link_libraries(gecc-keys PRIVATE PkgConfig::libcrypto)
endif()

# gecc-compare: this library beside the others.

file(GLOB bench_sources CONFIGURE_DEPENDS bench/compare/*.c)
if(NOT TARGET PkgConfig::libsodium)
    list(FILTER bench_sources EXCLUDE REGEX "/library_libsodium\\.c$")
endif()
if(NOT bench_sources)
    return()
endif()
if(NOT TARGET PkgConfig::libcrypto OR NOT TARGET PkgConfig::libsecp256k1)
    message(STATUS "gecc-compare: not built, it needs OpenSSL and libsecp256k1")
    return()
endif()

file(GLOB rows_sources CONFIGURE_DEPENDS tools/rows/*.c)
add_executable(gecc-compare ${bench_sources} ${rows_sources} tools/measure/summary.c)
target_include_directories(gecc-compare PRIVATE tools/measure tools/rows)
target_link_libraries(gecc-compare PRIVATE gecc PkgConfig::libcrypto PkgConfig::libsecp256k1 Threads::Threads)
if(TARGET PkgConfig::libsodium)
    target_compile_definitions(gecc-compare PRIVATE HAVE_LIBSODIUM)
    target_link_libraries(gecc-compare PRIVATE PkgConfig::libsodium)
endif()
set_target_properties(gecc-compare PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
