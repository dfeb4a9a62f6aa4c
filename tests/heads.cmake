# Each test says in its head, after `Test:`, what it costs, `fast` or `long`, which is its label, and what it needs:
#   needs LIBRARY...     where one of these is missing it is not run; each in C needs cmocka, too
#   IFMA, IFMA256, AVX512  compiled for this vector machine, where GECC_MACHINES has it and the compiler can; four lanes with
#                        products in the encoding of AVX-512 IFMA
#   the tool's reader    linked with it, and not with test_support, which has functions of the same names
#   link OPTION...       options of the linker, which leave out wipes to see that this is noticed, and bind functions of libc
#                        when they are first called, as in programs of others that link the archive
#   parts NAME...        run once for each, with GECC_TEST_PART
#   SECONDS s            may take so long
#   columns              of conformance/: about columns rather than arithmetic, so that it is brief on machines but the first,
#                        and runs on the CUDA backend with the driver that has no GPU, too; brief: brief there alone
#   no sanitizers, no threads, no sanitizer on fake-cuda, threads, sources      GECC_TEST_SET, below

# read_head(FILE): sets head, the words after `Test:`; layer and name, which follow from its path; label; head_machine, the vector
# machine that it is compiled for; and missing, those of the libraries that it needs which are not there.
macro(read_head file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} head REGEX "Test: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^.*Test: | [*]/$" "" head "${head}")
    string(REGEX REPLACE "\\\\?; " ";" head "${head}") # file(STRINGS) escapes semicolons
    foreach(word IN LISTS head)
        if(NOT word MATCHES "^(fast|long|IFMA|IFMA256|AVX512|the tool's reader|columns|brief|sources|threads|[0-9]+ s|(needs|link|parts) .*)$" AND
           NOT word MATCHES "^no (sanitizers|threads|sanitizer on fake-cuda)$")
            message(FATAL_ERROR "${file}: in its head, after `Test:`, nothing is known of `${word}`: see tests/heads.cmake")
        endif()
    endforeach()
    string(REGEX REPLACE "^.*/([^/]*)/test_([^/]*)\\.(c|py)$" "\\1;\\2" layer ${file})
    list(JOIN layer "." name)
    list(GET layer 0 layer)
    list(SUBLIST head 0 1 label)
    string(REGEX MATCH "IFMA256|IFMA|AVX512" head_machine "${head}")
    string(TOLOWER "${head_machine}" head_machine)
    set(missing)
    foreach(library ${libraries})
        if((head MATCHES "needs[a-z0-9 ]* ${library}" OR "${library}.${label}.${file}" MATCHES "^cmocka\\.(fast|long)\\..*c$") AND
           NOT TARGET PkgConfig::${library})
            list(APPEND missing ${library})
        endif()
    endforeach()
    list(JOIN missing ", " missing)
endmacro()

if(GECC_TEST_SET STREQUAL "sanitizers")
    list(APPEND public_layers provider) # which allocates and frees with OpenSSL
endif()

# is_left_out(RESULT): why the test of this head is not built in this set, or FALSE.
function(is_left_out result)
    set(reason FALSE)
    string(TOUPPER "${head_machine}" machine)
    set(built ${head_machine})
    if(name MATCHES "^constant_time[.](adx|ifma256|ifma)$") # those of vectors on a model, which needs no flags
        set(built ${CMAKE_MATCH_1})
    endif()
    if(layer STREQUAL "constant_time" OR GECC_CONSTANT_TIME_TEST)
        if(NOT layer STREQUAL "constant_time" OR NOT GECC_CONSTANT_TIME_TEST)
            set(reason "another build")
        elseif(label STREQUAL "long" AND NOT GECC_TEST_SET STREQUAL "all")
            set(reason "not built, GECC_TEST_SET is not all")
        elseif(built AND NOT built IN_LIST GECC_MACHINES)
            set(reason "GECC_MACHINES is without ${built}")
        endif()
    elseif(GECC_SANITIZE AND "sources" IN_LIST head) # about sources, Python and machine code: no sanitizer adds to them
        set(reason "a sanitizer adds nothing")
    elseif(file MATCHES "py$")
        if((GECC_TEST_SET STREQUAL "sanitizers" AND "no sanitizers" IN_LIST head) OR
           (GECC_TEST_SET STREQUAL "threads" AND NOT "threads" IN_LIST head) OR
           (GECC_TEST_SET STREQUAL "public" AND NOT layer MATCHES "^(api|conformance|ledger|queue|tool)$"))
            set(reason "not of ${GECC_TEST_SET}")
        elseif(layer STREQUAL "tool" AND NOT TARGET gecc_program)
            set(reason "no jansson, so no tool")
        endif()
    elseif((NOT GECC_TEST_SET MATCHES "^(fast|all)$" AND NOT layer IN_LIST public_layers) OR "no ${GECC_TEST_SET}" IN_LIST head OR
           (GECC_TEST_SET STREQUAL "public" AND (layer MATCHES "^(backend|bench)$" OR "columns" IN_LIST head)) OR
           (is_once AND (machine OR label STREQUAL "long")))
        set(reason "not of ${GECC_TEST_SET}")
    elseif(label STREQUAL "long" AND NOT GECC_TEST_SET STREQUAL "all")
        set(reason "not built, GECC_TEST_SET is not all")
    elseif(machine AND NOT GECC_COMPILER_HAS_${machine})
        set(reason "the compiler lacks what the machine ${machine} needs")
    elseif(built AND NOT built IN_LIST GECC_MACHINES)
        set(reason "GECC_MACHINES is without ${built}")
    elseif("the tool's reader" IN_LIST head AND NOT TARGET gecc_tool)
        set(reason "no jansson, so no tool")
    elseif(missing)
        set(reason "no ${missing}")
    endif()
    set(${result} ${reason} PARENT_SCOPE)
endfunction()
