# libgecc, shared and static, and what finds it once it is installed.

include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CMakePackageConfigHelpers)

file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS ${units_library_sources}/*.c)
list(FILTER library_sources EXCLUDE REGEX "/${units_library_without}/")
list(APPEND library_sources ${lane_units})

# Translation units of the vector machines: built where compiler and assembler can, chosen at run time where the processor can.
# Under a sanitizer gcc takes tens of minutes for each of them: the portable machine, which is sanitized, runs the same lane
# programs, and limbs of vector machines have tests of their own. valgrind knows no AVX-512: there the machines run on a model of
# their instructions, see tests/CMakeLists.txt.
set(vector_machines ifma ifma256 avx512)
foreach(machine ${vector_machines})
    string(TOUPPER GECC_COMPILER_HAS_${machine} compiler_has)
    list(JOIN units_${machine}_flags " " CMAKE_REQUIRED_FLAGS)
    list(JOIN units_${machine}_instruction " " instruction)
    check_c_source_compiles("
#include <immintrin.h>
int main(void) {
    __asm__(\"${instruction}\");
    return 0;
}" ${compiler_has})
    unset(CMAKE_REQUIRED_FLAGS)
    set(vector_sources ${library_sources})
    list(FILTER vector_sources INCLUDE REGEX "/${machine}_[^/]*\\.c$")
    if(NOT ${compiler_has} OR NOT ${machine} IN_LIST GECC_MACHINES OR GECC_CONSTANT_TIME_TEST)
        message(STATUS "Machine ${machine}: not built: GECC_MACHINES is without it, the compiler cannot, or tests have a model")
        list(REMOVE_ITEM library_sources ${vector_sources})
        continue()
    endif()
    list(APPEND gecc_definitions ${units_${machine}_definition})
    set_property(SOURCE ${vector_sources} APPEND PROPERTY COMPILE_OPTIONS ${units_${machine}_flags})
    if(GECC_SANITIZE)
        set_property(SOURCE ${vector_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
    endif()
endforeach()

# The portable machine's variant with the carry chains of BMI2 and ADX in assembly: x86-64 alone.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND "adx" IN_LIST GECC_MACHINES)
    list(APPEND gecc_definitions ${units_adx_definition})
    set(adx_sources ${lane_units})
    list(FILTER adx_sources INCLUDE REGEX "/adx_[^/]*\\.c$")
    set_property(SOURCE ${adx_sources} APPEND PROPERTY COMPILE_OPTIONS ${units_adx_flags})
else()
    list(FILTER library_sources EXCLUDE REGEX "/adx_[^/]*\\.c$")
endif()

# Its variant with the carry chains of 64-bit ARM, where every processor has them.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND "aarch64" IN_LIST GECC_MACHINES)
    list(APPEND gecc_definitions ${units_aarch64_definition})
else()
    list(FILTER library_sources EXCLUDE REGEX "/aarch64_[^/]*\\.c$")
endif()

# Lane programs are compiled for every curve and machine; where GECC_SANITIZED_LANES says so, sanitizers and fuzzers see one
# of each kind. On lane programs clang's undefined-behaviour sanitizer takes minutes a file: the dev preset, with gcc, has it
# there.
if(GECC_SANITIZE)
    set(lane_sources ${library_sources})
    list(FILTER lane_sources INCLUDE REGEX "/(portable|adx|aarch64|ifma|ifma256|avx512)_[^/]*\\.c$")
    if(GECC_FUZZ)
        set_property(SOURCE ${lane_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined)
    endif()
    if(GECC_SANITIZED_LANES)
        list(FILTER lane_sources EXCLUDE REGEX "/(${GECC_SANITIZED_LANES})\\.c$")
        set_property(SOURCE ${lane_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
    endif()
endif()

# Compiled once; the archive that the tests link is made of the objects that the shared library is made of.
add_library(gecc_objects OBJECT ${library_sources})
target_compile_definitions(gecc_objects PRIVATE ${gecc_definitions})
target_include_directories(gecc_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

# The host's side of the CUDA backend: compiled everywhere, since it needs no CUDA, and tested without a GPU and its images.
file(GLOB_RECURSE cuda_host_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cuda/*.c)
list(FILTER cuda_host_sources EXCLUDE REGEX "/images\\.c$")
add_library(gecc_cuda_host STATIC ${cuda_host_sources})
target_include_directories(gecc_cuda_host PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

# What the library hides and the module needs: it has copies.
set(cuda_copied_sources src/backend/key_column.c src/backend/key_plan.c src/backend/memory.c
    src/backend/pool.c src/backend/rates.c src/backend/row_list.c src/scheme/operation.c)
list(TRANSFORM cuda_copied_sources PREPEND ${PROJECT_SOURCE_DIR}/)

# The SONAME: changes when programs that were compiled against an earlier version would no longer run.
set(gecc_soversion 1)

add_library(gecc SHARED)
# The module of the CUDA backend is found beside the library. In the build tree programs and libraries are as far from each
# other as installed, so that installing changes no path in them: where CMake has to, it makes room by empty elements, for
# which the dynamic linker looks in the current directory.
set(library_folder ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
set_target_properties(gecc PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${gecc_soversion}
    LIBRARY_OUTPUT_DIRECTORY ${library_folder}
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN")
if(NOT GECC_SANITIZE)
    target_link_options(gecc PRIVATE -Wl,-z,defs)
endif()
# Functions are exported under the version that they came with, where the linker knows versions; what is hidden is so anyway.
file(WRITE ${PROJECT_BINARY_DIR}/versions.map "VERSION { global: main; };\n")
check_linker_flag(C -Wl,--version-script=${PROJECT_BINARY_DIR}/versions.map GECC_LINKER_HAS_VERSIONS)
if(GECC_LINKER_HAS_VERSIONS)
    set(symbol_versions ${PROJECT_SOURCE_DIR}/cmake/gecc.map)
    target_link_options(gecc PRIVATE -Wl,--version-script=${symbol_versions})
    set_target_properties(gecc PROPERTIES LINK_DEPENDS ${symbol_versions})
else()
    message(STATUS "Versions of symbols: none, the linker knows no version scripts")
endif()

add_library(gecc_static STATIC)
set_target_properties(gecc_static PROPERTIES OUTPUT_NAME gecc)

foreach(library gecc gecc_static)
    add_library(gecc::${library} ALIAS ${library})
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:gecc_objects>)
    target_link_libraries(${library} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
    target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                 $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

install(TARGETS gecc gecc_static EXPORT gecc)
install(DIRECTORY include/gecc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# find_package(gecc): gecc::gecc and gecc::gecc_static. Later versions of a SONAME take the place of earlier ones.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gecc)
install(EXPORT gecc FILE geccTargets.cmake NAMESPACE gecc:: DESTINATION ${package_folder})
configure_package_config_file(cmake/geccConfig.cmake.in ${PROJECT_BINARY_DIR}/geccConfig.cmake
                              INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geccConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geccConfig.cmake ${PROJECT_BINARY_DIR}/geccConfigVersion.cmake
        DESTINATION ${package_folder})

# pkg-config gecc: paths relative to the file, so that the installed tree can move.
file(RELATIVE_PATH pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(cmake/gecc.pc.in ${PROJECT_BINARY_DIR}/gecc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gecc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
