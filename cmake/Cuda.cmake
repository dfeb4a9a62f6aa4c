# libgecc_cuda, the module that runs jobs on NVIDIA's GPUs: host code in C and, inside it, kernels for every architecture
# that was asked for. Needs nvcc, and nothing of CUDA to link with: libgecc loads the module, the module the driver.

set(GECC_CUDA_ARCHITECTURES "" CACHE STRING
    "GPUs to compile for: numbers as in sm_90, separated by semicolons, 90-virtual for PTX of that architecture, which is \
compiled where it is loaded; native: the GPUs of this machine; empty: every one that nvcc knows from sm_75 on, and PTX for \
those to come")

set(GECC_CUDA_IMAGES "" CACHE STRING
    "Images of kernels to build, such as p256;mod_256;hash, each a file of src/backend/cuda; empty: all")

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

file(GLOB cuda_host_sources CONFIGURE_DEPENDS src/backend/cuda/*.c)
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
    cuda_image(${PROJECT_SOURCE_DIR}/src/backend/cuda/${source}.cu ${image} ${ARGN})
    set(cuda_images ${cuda_images} ${image} PARENT_SCOPE)
    set(each_image "${each_image} I(${name})" PARENT_SCOPE)
endfunction()

# curve_options(RESULT CURVE): what src/backend/cuda/curve.cu is compiled with.
function(curve_options result curve)
    math(EXPR words "(${gecc_bits_${curve}} + 31) / 32")
    set(${result} -DCURVE_WORDS=${words} -DCURVE_CONSTANTS="curve/generated/${curve}.gen.h" PARENT_SCOPE)
endfunction()

foreach(curve ${gecc_curves} ${gecc_edwards_curves})
    curve_options(options ${curve})
    library_image(${curve} curve ${options})
endforeach()
foreach(bits ${gecc_modulus_bits})
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
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/backend/cuda/images.c PROPERTIES
    OBJECT_DEPENDS "${cuda_images}"
    COMPILE_DEFINITIONS "IMAGES=\"${cuda_images_folder}\""
    COMPILE_OPTIONS "-include;${cuda_images_folder}/each_image.h")
target_include_directories(gecc_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gecc_cuda PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
if(NOT GECC_SANITIZE)
    target_link_options(gecc_cuda PRIVATE -Wl,-z,defs)
endif()
install(TARGETS gecc_cuda)

# The breakdown of what each technique adds: modules that `gecc bench` is given instead of libgecc_cuda, in the folders
# breakdown/plain, breakdown/prime and breakdown/inverse (src/backend/cuda/breakdown/README.md).
option(GECC_CUDA_BREAKDOWN "Build modules that leave out what makes the GPU's code fast, to measure it" OFF)
if(NOT GECC_CUDA_BREAKDOWN)
    return()
endif()

find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(breakdown_folder ${PROJECT_BINARY_DIR}/breakdown)
set(any_modulus_folder ${breakdown_folder}/any_modulus/curve/generated)
execute_process(
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/generate_curves.py ${any_modulus_folder} MONTGOMERY
    COMMAND_ERROR_IS_FATAL ANY)

set(breakdown_host_sources ${cuda_host_sources})
list(FILTER breakdown_host_sources EXCLUDE REGEX "/images\\.c$")

# breakdown_library(TARGET FOLDER): a module in the folder, of the images that its images.c names.
function(breakdown_library target folder)
    add_library(${target} SHARED ${breakdown_host_sources} ${folder}/images.c)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME gecc_cuda VERSION ${PROJECT_VERSION}
        SOVERSION ${gecc_soversion} LIBRARY_OUTPUT_DIRECTORY ${folder})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

# breakdown_module(STEP [OPTION...])
function(breakdown_module step)
    set(folder ${breakdown_folder}/${step})
    set(images ${folder}/secp256k1.fatbin ${folder}/p256.fatbin)
    file(MAKE_DIRECTORY ${folder})
    foreach(image ${images})
        get_filename_component(curve ${image} NAME_WE)
        cuda_image(${PROJECT_SOURCE_DIR}/src/backend/cuda/breakdown/${curve}.cu ${image} ${ARGN})
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/images.c CONTENT
"#define IMAGES \"${folder}\"
#define EACH_IMAGE(I) I(secp256k1) I(p256)
#include \"backend/cuda/images.c\"
")
    set_source_files_properties(${folder}/images.c PROPERTIES OBJECT_DEPENDS "${images}")
    breakdown_library(breakdown_${step} ${folder})
endfunction()

breakdown_module(plain -I${breakdown_folder}/any_modulus)
breakdown_module(prime)
breakdown_module(inverse -DBREAKDOWN_BATCHED)

# gecc-papers: algorithms and measurements of papers on this GPU, by kernels of its own (src/backend/cuda/papers/README.md).
# scripts/reproduce makes tables of what it prints.
set(papers_folder ${PROJECT_BINARY_DIR}/papers)
file(MAKE_DIRECTORY ${papers_folder})
set(papers_images)
set(each_papers_image)

set(GECC_CUDA_PAPERS "" CACHE STRING
    "Papers whose kernels gecc-papers has, such as gecc;emmart, as scripts/reproduce calls them; empty: all")

# papers_image(NAME PAPER... [OPTIONS SOURCE OPTION...]): it is built where one of those papers is wanted; not compressed, since
# its instructions are counted. OPTIONS: of SOURCE.cu, which makes several images.
function(papers_image name)
    cmake_parse_arguments(PARSE_ARGV 1 image "" "" "OPTIONS")
    set(cuda_compression --no-compress)
    set(source ${name})
    if(image_OPTIONS)
        list(POP_FRONT image_OPTIONS source)
    endif()
    foreach(paper IN LISTS image_UNPARSED_ARGUMENTS)
        if(NOT GECC_CUDA_PAPERS OR paper IN_LIST GECC_CUDA_PAPERS)
            cuda_image(${PROJECT_SOURCE_DIR}/src/backend/cuda/papers/${source}.cu ${papers_folder}/${name}.fatbin
                       ${image_OPTIONS})
            set(papers_images ${papers_images} ${papers_folder}/${name}.fatbin PARENT_SCOPE)
            set(each_papers_image "${each_papers_image} I(${name})" PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

papers_image(issue gecc zheng emmart giorgi)
papers_image(multiply gecc zheng)
papers_image(multiply_256 gecc emmart)
papers_image(multiply_384 gecc emmart)
papers_image(multiply_512 gecc emmart)
foreach(bits IN ITEMS 128 256 384 512)
    papers_image(halves_${bits} emmart)
    foreach(threads IN ITEMS 256 512 768 896 1024)
        papers_image(threads_${bits}_${threads} emmart
                     OPTIONS threads -DMODULUS_BITS=${bits} -DMOST_THREADS=${threads})
    endforeach()
endforeach()
papers_image(zheng zheng)
papers_image(points_simple_rows zheng)
papers_image(points_simple_ours zheng)
foreach(bits IN ITEMS 160 192 224 256 384)
    papers_image(fios_${bits} giorgi)
    papers_image(any_curve_${bits} giorgi)
endforeach()
papers_image(points_multiply gecc)
papers_image(points_schemes gecc)
papers_image(points_ours gecc)
papers_image(points_any gecc)
papers_image(sharing gecc)

file(CONFIGURE OUTPUT ${papers_folder}/images.c CONTENT
"#define IMAGES \"${papers_folder}\"
#define EACH_IMAGE(I)${each_papers_image}
#include \"backend/cuda/images.c\"
")
set_source_files_properties(${papers_folder}/images.c PROPERTIES OBJECT_DEPENDS "${papers_images}")
# A target, so that make compiles them beside the module and not after it.
add_custom_target(papers_images DEPENDS ${papers_images})
file(GLOB papers_sources CONFIGURE_DEPENDS bench/papers/*.c)
add_executable(gecc-papers ${papers_sources} tools/measure/summary.c src/backend/cuda/driver.c ${papers_folder}/images.c)
target_include_directories(gecc-papers PRIVATE src tools/measure)
target_link_libraries(gecc-papers PRIVATE gecc Threads::Threads ${CMAKE_DL_LIBS})
set_target_properties(gecc-papers PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    BUILD_RPATH_USE_ORIGIN ON)

# What the library has for the same rows: its module with those kernels and no others, which takes minutes less to build.
# Two of the papers are compared with it.
set(papers_ours_folder ${papers_folder}/ours)
file(MAKE_DIRECTORY ${papers_ours_folder})
curve_options(options sm2)
cuda_image(${PROJECT_SOURCE_DIR}/src/backend/cuda/curve.cu ${papers_ours_folder}/sm2.fatbin ${options}
           -DPROGRAMS="backend/cuda/papers/ours.def")
file(CONFIGURE OUTPUT ${papers_ours_folder}/images.c CONTENT
"#define IMAGES \"${papers_ours_folder}\"
#define EACH_IMAGE(I) I(sm2)
#include \"backend/cuda/images.c\"
")
set_source_files_properties(${papers_ours_folder}/images.c PROPERTIES OBJECT_DEPENDS ${papers_ours_folder}/sm2.fatbin)
breakdown_library(papers_ours ${papers_ours_folder})
add_dependencies(gecc-papers papers_images)
if(NOT GECC_CUDA_PAPERS OR gecc IN_LIST GECC_CUDA_PAPERS OR zheng IN_LIST GECC_CUDA_PAPERS)
    add_dependencies(gecc-papers papers_ours)
endif()
