# memcheck knows no AVX-512 and no AVX-IFMA: the library is built without vector machines, which are here on models of their
# instructions in plain C. GECC_VERIFY makes their multiplications calls. The AVX-512 machine differs from the IFMA machine in
# products alone, of which the model is the same.
foreach(machine ifma ifma256)
    if(TARGET test.constant_time.${machine})
        string(TOUPPER ${machine} definition)
        set(model_sources ${lane_units})
        list(FILTER model_sources INCLUDE REGEX "/${machine}_[^/]*$")
        add_library(${machine}_model OBJECT ${model_sources} ${PROJECT_SOURCE_DIR}/src/backend/cpu/${machine}.c
                                            ${PROJECT_SOURCE_DIR}/src/backend/cpu/${machine}_hash.c)
        target_include_directories(${machine}_model PRIVATE support/avx512_model ${PROJECT_SOURCE_DIR}/include
                                                            ${PROJECT_SOURCE_DIR}/src)
        target_compile_definitions(${machine}_model PRIVATE ${gecc_definitions} GECC_HAVE_${definition} GECC_VERIFY)
        target_compile_options(${machine}_model PRIVATE ${ifma_model_options})
        target_sources(test.constant_time.${machine} PRIVATE $<TARGET_OBJECTS:${machine}_model>)
    endif()
endforeach()
if(TARGET ifma256_model) # of which memcheck knows all but the products
    target_compile_options(ifma256_model PRIVATE ${units_ifma256_flags})
endif()
