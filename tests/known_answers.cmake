# Cases with known answers, written into the build tree before the first test that reads them (known_answers/write.py).

set(answers_folder ${CMAKE_CURRENT_BINARY_DIR}/known_answers)
set_source_files_properties(support/folders.c PROPERTIES COMPILE_DEFINITIONS
    "REPOSITORY=\"${PROJECT_SOURCE_DIR}\";ANSWERS=\"${answers_folder}\"")

get_property(tests DIRECTORY PROPERTY TESTS)
list(FILTER tests INCLUDE REGEX "^(conformance\\.vectors_|tool\\.(vectors|senders)|bench\\.gpu_check)")
set(few)
if(GECC_TEST_SET STREQUAL "sanitizers")
    set(few --few)
    list(REMOVE_ITEM tests bench.gpu_check)
endif()
if(NOT tests)
    return()
endif()

if(Python3_FOUND)
    file(REMOVE ${answers_folder}/generated.missing)
    add_test(NAME known_answers.write
             COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/known_answers/write.py ${few} ${answers_folder})
    set_tests_properties(known_answers.write PROPERTIES LABELS fast SKIP_RETURN_CODE 77 TIMEOUT 600)
    set_tests_properties(known_answers.write PROPERTIES FIXTURES_SETUP known_answers)
    foreach(test ${tests})
        set_property(TEST ${test} APPEND PROPERTY FIXTURES_REQUIRED known_answers)
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT GECC_ANSWERS=${answers_folder})
    endforeach()
else()
    foreach(source generated ethereum published)
        file(WRITE ${answers_folder}/${source}.missing "no python3\n")
    endforeach()
endif()
