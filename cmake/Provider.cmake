# gecc.so, a provider for OpenSSL 3: a module, which OpenSSL looks for where its other modules are.

if(NOT TARGET PkgConfig::libcrypto OR libcrypto_VERSION VERSION_LESS 3.0.3)
    message(STATUS "gecc.so, the provider for OpenSSL: not built, OpenSSL 3.0.3 is missing (Debian: libssl-dev)")
    return()
endif()

# Programs that load it lack a sanitizer, so that its run-time library is preloaded, which gcc has as a library of its own.
set(provider_preload)
if(GECC_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
        OUTPUT_VARIABLE provider_preload OUTPUT_STRIP_TRAILING_WHITESPACE)
elseif(GECC_SANITIZE)
    message(STATUS "gecc.so, the provider for OpenSSL: not built, it is tested with gcc's address sanitizer alone")
    return()
endif()

file(GLOB provider_sources CONFIGURE_DEPENDS tools/provider/*.c)
add_library(gecc_provider MODULE ${provider_sources})
target_link_libraries(gecc_provider PRIVATE gecc PkgConfig::libcrypto Threads::Threads)

# Installed into lib/ossl-modules, beside the library's folder, where it finds the library; a Debian package puts it where
# Debian's OpenSSL looks.
set(provider_folder ${CMAKE_INSTALL_LIBDIR}/ossl-modules)
set_target_properties(gecc_provider PROPERTIES
    PREFIX ""
    OUTPUT_NAME gecc
    BUILD_WITH_INSTALL_RPATH ON
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${provider_folder}
    INSTALL_RPATH "$ORIGIN/..")
if(NOT GECC_SANITIZE)
    target_link_options(gecc_provider PRIVATE -Wl,-z,defs)
endif()

install(TARGETS gecc_provider LIBRARY DESTINATION ${provider_folder})
