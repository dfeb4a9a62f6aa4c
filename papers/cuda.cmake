# On a GPU: the modules of the breakdown and the program gecc-papers, with kernels of their own.

# Sources of this folder name each other from the root of the tree.
set(papers_include -I${PROJECT_SOURCE_DIR})

# The breakdown of what each technique adds: modules that `gecc bench` is given instead of libgecc_cuda, in the folders
# breakdown/plain, breakdown/prime and breakdown/inverse (breakdown/README.md).
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(breakdown_folder ${CMAKE_CURRENT_BINARY_DIR}/breakdown)
set(any_modulus_folder ${breakdown_folder}/any_modulus/curve/generated)
execute_process(
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/generate_constants.py ${any_modulus_folder}
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
        cuda_image(${CMAKE_CURRENT_SOURCE_DIR}/breakdown/${curve}.cu ${image} ${papers_include} ${ARGN})
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/images.c CONTENT
"#define IMAGES \"${folder}\"
#define EACH_IMAGE(I) I(secp256k1) I(p256)
#include \"backend/cuda/kernels/images.c\"
")
    set_source_files_properties(${folder}/images.c PROPERTIES OBJECT_DEPENDS "${images}")
    breakdown_library(breakdown_${step} ${folder})
endfunction()

breakdown_module(plain -I${breakdown_folder}/any_modulus)
breakdown_module(prime)
breakdown_module(inverse -DBREAKDOWN_BATCHED)

# gecc-papers: algorithms and measurements of papers on this GPU, by kernels of its own (kernels/).
# scripts/reproduce makes tables of what it prints.
set(papers_folder ${CMAKE_CURRENT_BINARY_DIR})
set(papers_images)
set(papers_image_targets)
set(each_papers_image)

set(GECC_PAPERS_KERNELS "" CACHE STRING
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
        if(NOT GECC_PAPERS_KERNELS OR paper IN_LIST GECC_PAPERS_KERNELS)
            cuda_image(${CMAKE_CURRENT_SOURCE_DIR}/kernels/${source}.cu ${papers_folder}/${name}.fatbin
                       ${papers_include} ${image_OPTIONS})
            add_custom_target(papers_image_${name} DEPENDS ${papers_folder}/${name}.fatbin)
            set(papers_images ${papers_images} ${papers_folder}/${name}.fatbin PARENT_SCOPE)
            set(papers_image_targets ${papers_image_targets} papers_image_${name} PARENT_SCOPE)
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
#include \"backend/cuda/kernels/images.c\"
")
set_source_files_properties(${papers_folder}/images.c PROPERTIES OBJECT_DEPENDS "${papers_images}")
# Targets, so that make compiles them beside the module and not after it, and one alone where its machine code is
# counted.
add_custom_target(papers_images)
add_dependencies(papers_images ${papers_image_targets})
file(GLOB papers_sources CONFIGURE_DEPENDS program/*.c)
add_executable(gecc-papers ${papers_sources} ${papers_folder}/images.c
    ${PROJECT_SOURCE_DIR}/tools/measure/summary.c ${PROJECT_SOURCE_DIR}/src/backend/cuda/device/driver.c)
target_include_directories(gecc-papers PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools/measure)
target_link_libraries(gecc-papers PRIVATE gecc Threads::Threads ${CMAKE_DL_LIBS})
set_target_properties(gecc-papers PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    BUILD_RPATH_USE_ORIGIN ON)

# What the library has for the same rows: its module with those kernels and no others, which takes minutes less to build.
# Two of the papers are compared with it.
set(papers_ours_folder ${papers_folder}/ours)
file(MAKE_DIRECTORY ${papers_ours_folder})
curve_options(options sm2)
cuda_image(${PROJECT_SOURCE_DIR}/src/backend/cuda/kernels/curve.cu ${papers_ours_folder}/sm2.fatbin ${options}
           ${papers_include} -DPROGRAMS="papers/kernels/ours.def")
file(CONFIGURE OUTPUT ${papers_ours_folder}/images.c CONTENT
"#define IMAGES \"${papers_ours_folder}\"
#define EACH_IMAGE(I) I(sm2)
#include \"backend/cuda/kernels/images.c\"
")
set_source_files_properties(${papers_ours_folder}/images.c PROPERTIES OBJECT_DEPENDS ${papers_ours_folder}/sm2.fatbin)
breakdown_library(papers_ours ${papers_ours_folder})
add_dependencies(gecc-papers papers_images)
if(NOT GECC_PAPERS_KERNELS OR gecc IN_LIST GECC_PAPERS_KERNELS OR zheng IN_LIST GECC_PAPERS_KERNELS)
    add_dependencies(gecc-papers papers_ours)
endif()
