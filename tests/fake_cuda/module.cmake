# The module without images of kernels, which need nvcc: does it link, with nothing but its own sources?
if(NOT GECC_SANITIZE)
    add_library(cuda_module_without_images MODULE ${cuda_host_sources} ${cuda_copied_sources}
                                                  ${PROJECT_SOURCE_DIR}/src/backend/cuda/kernels/images.c)
    target_compile_options(cuda_module_without_images PRIVATE "-DEACH_IMAGE(I)=")
    target_include_directories(cuda_module_without_images PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(cuda_module_without_images PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
    target_link_options(cuda_module_without_images PRIVATE -Wl,-z,defs)
endif()

# The module and the driver of a GPU that is not there, for the tests of programs.
if(TARGET gecc_program)
    file(GLOB fake_driver_sources CONFIGURE_DEPENDS fake_cuda/*.c)
    list(FILTER fake_driver_sources EXCLUDE REGEX "/context\\.c$")
    set(fake_cuda_host_sources ${cuda_host_sources})
    list(FILTER fake_cuda_host_sources EXCLUDE REGEX "/(driver|images|module)\\.c$")
    add_library(fake_cuda_module SHARED ${fake_driver_sources} ${fake_cuda_host_sources})
    set_target_properties(fake_cuda_module PROPERTIES OUTPUT_NAME gecc_cuda VERSION ${gecc_soversion} SOVERSION ${gecc_soversion}
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_cuda)
    target_include_directories(fake_cuda_module PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(fake_cuda_module PRIVATE gecc_static)
    add_custom_command(TARGET fake_cuda_module POST_BUILD
        COMMAND ${CMAKE_COMMAND} -E create_symlink libgecc_cuda.so.1
                $<TARGET_FILE_DIR:fake_cuda_module>/libcuda.so.1)
endif()
