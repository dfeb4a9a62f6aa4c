# memcheck knows no AVX-512: the library is built without the IFMA machine, which is here on a model of its instructions in
# plain C. GECC_VERIFY makes its multiplications calls.
if(TARGET test.constant_time.ifma)
    set(ifma_model_sources ${lane_units})
    list(FILTER ifma_model_sources INCLUDE REGEX "/ifma_[^/]*$")
    file(GLOB ifma_others CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cpu/ifma*.c)
    list(APPEND ifma_model_sources ${ifma_others})
    add_library(ifma_model OBJECT ${ifma_model_sources})
    target_include_directories(ifma_model PRIVATE support/avx512_model ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(ifma_model PRIVATE ${gecc_definitions} GECC_HAVE_IFMA GECC_VERIFY)
    target_compile_options(ifma_model PRIVATE ${ifma_model_options})
    target_sources(test.constant_time.ifma PRIVATE $<TARGET_OBJECTS:ifma_model>)
endif()
