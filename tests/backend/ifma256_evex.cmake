# Units of the IFMA machine of four lanes with products in the encoding of AVX-512 IFMA: test_encodings.py compares them with what
# is shipped.
if("GECC_HAVE_IFMA256" IN_LIST gecc_definitions AND GECC_TEST_SET MATCHES "^(fast|all)$" AND NOT GECC_SANITIZE)
    set(evex_units ${lane_units})
    if(GECC_TEST_SET STREQUAL "all")
        list(FILTER evex_units INCLUDE REGEX "/ifma256_[^/]*$")
    else()
        list(FILTER evex_units INCLUDE REGEX "/ifma256_(secp256k1|mod_256)[.]c$")
    endif()
    add_library(ifma256_evex OBJECT ${evex_units})
    target_include_directories(ifma256_evex PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(ifma256_evex PRIVATE ${gecc_definitions} GECC_IFMA256_EVEX)
    target_compile_options(ifma256_evex PRIVATE ${units_ifma256_flags}
                           "$<$<C_COMPILER_ID:GNU>:${units_ifma256_multiply_flags}>")
    set(evex_environment "GECC_IFMA256_EVEX=$<JOIN:$<TARGET_OBJECTS:ifma256_evex>,:>")
endif()
