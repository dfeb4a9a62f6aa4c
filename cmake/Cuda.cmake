# libgecc_cuda, the module that runs jobs on NVIDIA's GPUs: host code in C and, inside it, kernels for every architecture
# that was asked for. Needs nvcc, and nothing of CUDA to link with: libgecc loads the module, the module the driver.

set(GECC_CUDA_ARCHITECTURES "" CACHE STRING
    "GPUs to compile for: numbers as in sm_90, separated by semicolons, 90-virtual for PTX of that architecture, which is \
compiled where it is loaded; native: the GPUs of this machine; empty: every one that nvcc knows from sm_75 on, and PTX for \
those to come")

set(GECC_CUDA_IMAGES "" CACHE STRING
    "Images of kernels to build, such as p256;mod_256;hash, each made of a file of src/backend/cuda/kernels; empty: all")

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
if(NOT cuda_architectures)
    cuda_every(cuda_architectures)
    list(GET cuda_architectures -1 newest)
    list(APPEND cuda_architectures ${newest}-virtual)
endif()
set(cuda_codes)
foreach(architecture ${cuda_architectures})
    if(architecture MATCHES "^(.*)-virtual$")
        list(APPEND cuda_codes -gencode arch=compute_${CMAKE_MATCH_1},code=compute_${CMAKE_MATCH_1})
    else()
        list(APPEND cuda_codes -gencode arch=compute_${architecture},code=sm_${architecture})
    endif()
endforeach()
message(STATUS "CUDA: compiling for ${cuda_architectures}")

set(GECC_CUDA_COMPRESSION size CACHE STRING
    "How images of kernels are compressed: what nvcc's --compress-mode takes. size: the module for one architecture is 6 MB \
instead of 33; none: scripts/check-sass can read them")

execute_process(COMMAND ${GECC_NVCC} --help OUTPUT_VARIABLE nvcc_help)
set(cuda_compression)
if(nvcc_help MATCHES "--compress-mode")
    set(cuda_compression --compress-mode=${GECC_CUDA_COMPRESSION})
endif()

file(GLOB_RECURSE cuda_host_sources CONFIGURE_DEPENDS src/backend/cuda/*.c)
list(APPEND cuda_host_sources ${cuda_copied_sources})
set(cuda_images_folder ${PROJECT_BINARY_DIR}/cuda)
file(MAKE_DIRECTORY ${cuda_images_folder})

# cuda_image(SOURCE IMAGE [OPTION...]): the rule that makes the fat binary IMAGE.
function(cuda_image source image)
    get_filename_component(name ${image} NAME_WE)
    add_custom_command(
        OUTPUT ${image}
        COMMAND ${GECC_NVCC} -fatbin -O3 -std=c++17 -Werror all-warnings ${cuda_codes} ${cuda_compression} ${ARGN}
                -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
                -MD -MF ${image}.d -MT ${image} -o ${image} ${source}
        DEPENDS ${source}
        DEPFILE ${image}.d
        COMMENT "Compiling kernels: ${name}"
        VERBATIM)
endfunction()

set(cuda_images)
set(each_image)

# library_image(NAME SOURCE [OPTION...]): one that libgecc_cuda has, if it is wanted.
function(library_image name source)
    if(GECC_CUDA_IMAGES AND NOT name IN_LIST GECC_CUDA_IMAGES)
        return()
    endif()
    set(image ${cuda_images_folder}/${name}.fatbin)
    cuda_image(${PROJECT_SOURCE_DIR}/src/backend/cuda/kernels/${source}.cu ${image} ${ARGN})
    set(cuda_images ${cuda_images} ${image} PARENT_SCOPE)
    set(each_image "${each_image} I(${name})" PARENT_SCOPE)
endfunction()

# curve_options(RESULT CURVE): what src/backend/cuda/kernels/curve.cu is compiled with.
function(curve_options result curve)
    math(EXPR words "(${gecc_bits_${curve}} + 31) / 32")
    set(${result} -DCURVE_WORDS=${words} -DCURVE_CONSTANTS="curve/generated/${curve}.gen.h" PARENT_SCOPE)
endfunction()

foreach(curve ${gecc_curves} ${gecc_edwards_curves})
    curve_options(options ${curve})
    library_image(${curve} curve ${options})
endforeach()
foreach(bits ${units_library_modulus_bits})
    math(EXPR words "${bits} / 32")
    library_image(mod_${bits} mod -DMODULUS_WORDS=${words})
endforeach()
library_image(hash hash)

file(CONFIGURE OUTPUT ${cuda_images_folder}/each_image.h CONTENT "#define EACH_IMAGE(I)${each_image}\n")
add_library(gecc_cuda SHARED ${cuda_host_sources})
set_target_properties(gecc_cuda PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${gecc_soversion}
    LIBRARY_OUTPUT_DIRECTORY ${library_folder})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/backend/cuda/kernels/images.c PROPERTIES
    OBJECT_DEPENDS "${cuda_images}"
    COMPILE_DEFINITIONS "IMAGES=\"${cuda_images_folder}\""
    COMPILE_OPTIONS "-include;${cuda_images_folder}/each_image.h")
target_include_directories(gecc_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gecc_cuda PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
if(NOT GECC_SANITIZE)
    target_link_options(gecc_cuda PRIVATE -Wl,-z,defs)
endif()
install(TARGETS gecc_cuda)
