# Language, warnings and instrumentation of everything that is built here.

# What src/units.ini says: units_SECTION_KEY, a list.
set(units_table ${PROJECT_SOURCE_DIR}/src/units.ini)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${units_table})
file(STRINGS ${units_table} units_lines REGEX "^[^#]")
foreach(line ${units_lines})
    if(line MATCHES "^.([a-z0-9]+).$")
        set(section ${CMAKE_MATCH_1})
    elseif(line MATCHES "^([a-z_]+) = (.+)$")
        string(REPLACE " " ";" units_${section}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    else()
        message(FATAL_ERROR "src/units.ini: ${line}")
    endif()
endforeach()

set(CMAKE_C_STANDARD ${units_library_standard})
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes)
# How vectors are passed to functions is of no interest: they are passed within one translation unit alone.
add_compile_options(${units_library_flags})
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # Arithmetic is written once for every number of limbs. clang warns of indices in branches that are dead for this
    # number; gcc, whose -Warray-bounds stays on, knows that they are dead.
    add_compile_options(-Wno-array-bounds)
    # Below -O3 some loops are not unrolled where LANE_UNROLL asks for it.
    add_compile_options(-Wno-pass-failed)
endif()
if(GECC_WERROR)
    add_compile_options(-Werror)
endif()

# What is linked binds its functions before it runs and keeps their addresses from being written; programs run anywhere in
# memory; stacks are not code.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
add_link_options(-Wl,-z,relro,-z,now -Wl,-z,noexecstack)

# Writing past an array on the stack, or past the end of what libc is told to write, ends the process. No slower, as far as
# one can measure. Sanitizers see more than that, and fuzzers have them.
if(NOT GECC_SANITIZE)
    add_compile_options(${units_library_hardening})
    foreach(flag ${units_library_fortify})
        add_compile_options($<$<CONFIG:Release>:${flag}>)
    endforeach()
endif()

# Debug builds run the tests under instrumentation, too slow at -O0 for arithmetic.
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
list(JOIN units_library_release " " CMAKE_C_FLAGS_RELEASE)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Following variables through unrolled arithmetic takes gcc most of its time under a sanitizer.
    string(APPEND CMAKE_C_FLAGS_DEBUG " -fno-var-tracking")
endif()

if(GECC_VERIFY)
    add_compile_definitions(GECC_VERIFY)
endif()

if(GECC_CONSTANT_TIME_TEST)
    add_compile_definitions(GECC_CONSTANT_TIME_TEST)
endif()

if(GECC_SANITIZE)
    add_compile_options(-fsanitize=${GECC_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${GECC_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # Instrumented code confuses gcc's analysis: it warns of variables that are always set.
        add_compile_options(-Wno-maybe-uninitialized)
    endif()
endif()

if(GECC_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "GECC_FUZZ needs clang, for its libFuzzer")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(GECC_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
