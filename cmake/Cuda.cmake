# libgecc_cuda, the module that runs jobs on NVIDIA's GPUs: host code in C and, inside it, kernels for every architecture
# that was asked for. Needs nvcc, and nothing of CUDA to link with: libgecc loads the module, the module the driver.

set(GECC_CUDA_ARCHITECTURES "" CACHE STRING
    "GPUs to compile for: numbers as in sm_90, separated by semicolons; native: the GPUs of this machine; empty: every one \
that nvcc knows from sm_75 on, and PTX for those to come")

find_program(GECC_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin REQUIRED)
mark_as_advanced(GECC_NVCC)

# cuda_native(RESULT): the architectures of the GPUs of this machine, none if it has none.
function(cuda_native result)
    get_filename_component(folder ${GECC_NVCC} DIRECTORY)
    execute_process(COMMAND ${folder}/__nvcc_device_query OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE failed
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "," ";" found "${found}")
    list(FILTER found INCLUDE REGEX "^[0-9]+[a-z]?$")
    list(REMOVE_DUPLICATES found)
    if(failed OR NOT found)
        message(WARNING "GECC_CUDA_ARCHITECTURES=native, but no GPU was found: compiling for every architecture")
        set(found)
    endif()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# cuda_every(RESULT): the architectures that this nvcc compiles for, sm_75 and later, in ascending order.
function(cuda_every result)
    execute_process(COMMAND ${GECC_NVCC} --list-gpu-code OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "sm_[0-9]+" known "${known}")
    list(TRANSFORM known REPLACE "sm_" "")
    list(SORT known COMPARE NATURAL)
    list(REMOVE_DUPLICATES known)
    set(recent)
    foreach(architecture ${known})
        if(architecture GREATER_EQUAL 75)
            list(APPEND recent ${architecture})
        endif()
    endforeach()
    set(${result} ${recent} PARENT_SCOPE)
endfunction()

set(cuda_architectures ${GECC_CUDA_ARCHITECTURES})
if(GECC_CUDA_ARCHITECTURES STREQUAL "native")
    cuda_native(cuda_architectures)
endif()
set(cuda_codes)
if(NOT cuda_architectures)
    cuda_every(cuda_architectures)
    list(GET cuda_architectures -1 newest)
    set(cuda_codes -gencode arch=compute_${newest},code=compute_${newest})
endif()
foreach(architecture ${cuda_architectures})
    list(APPEND cuda_codes -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()
message(STATUS "CUDA: compiling for ${cuda_architectures}")

file(GLOB cuda_sources CONFIGURE_DEPENDS src/backend/cuda/*.cu)
file(GLOB cuda_host_sources CONFIGURE_DEPENDS src/backend/cuda/*.c)
set(cuda_images_folder ${PROJECT_BINARY_DIR}/cuda)
file(MAKE_DIRECTORY ${cuda_images_folder})

set(cuda_images)
foreach(source ${cuda_sources})
    get_filename_component(name ${source} NAME_WE)
    set(image ${cuda_images_folder}/${name}.fatbin)
    add_custom_command(
        OUTPUT ${image}
        COMMAND ${GECC_NVCC} -fatbin -O3 -std=c++17 -Werror all-warnings ${cuda_codes}
                -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
                -MD -MF ${image}.d -MT ${image} -o ${image} ${source}
        DEPENDS ${source}
        DEPFILE ${image}.d
        COMMENT "Compiling kernels: ${name}"
        VERBATIM)
    list(APPEND cuda_images ${image})
endforeach()

add_library(gecc_cuda SHARED ${cuda_host_sources})
set_target_properties(gecc_cuda PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/backend/cuda/images.c PROPERTIES
    OBJECT_DEPENDS "${cuda_images}"
    COMPILE_DEFINITIONS "IMAGES=\"${cuda_images_folder}\"")
target_include_directories(gecc_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gecc_cuda PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
if(NOT GECC_SANITIZE)
    target_link_options(gecc_cuda PRIVATE -Wl,-z,defs)
endif()
install(TARGETS gecc_cuda)
