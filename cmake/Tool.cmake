# gecc, the command-line tool. What reads other people's bytes is a library of its own, for the fuzz targets.

if(NOT TARGET PkgConfig::jansson)
    message(STATUS "gecc, the tool: not built, jansson is missing (Debian: libjansson-dev)")
    return()
endif()

if(NOT EXISTS ${PROJECT_SOURCE_DIR}/tools/gecc/main.c)
    message(STATUS "gecc, the tool: not built, tools/gecc/main.c is missing")
    return()
endif()

file(GLOB tool_sources CONFIGURE_DEPENDS tools/gecc/*/*.c tools/measure/*.c)

add_library(gecc_tool STATIC ${tool_sources})
target_include_directories(gecc_tool PUBLIC tools/gecc tools/measure)
# The library's hashes for one lane: scripts/check-layering lets this file alone include them.
set_source_files_properties(tools/gecc/text/hash.c PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gecc_tool PUBLIC gecc PkgConfig::jansson Threads::Threads ${CMAKE_DL_LIBS} m)

# What `gecc bench` says it is: the commit, which a build knows that was configured since.
find_package(Git QUIET)
if(Git_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --exclude=* WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    OUTPUT_VARIABLE tool_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    OUTPUT_VARIABLE tool_moves OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    get_filename_component(tool_moves "${tool_moves}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    if(tool_commit AND EXISTS ${tool_moves})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tool_moves})
    endif()
endif()
if(tool_commit)
    set_source_files_properties(tools/gecc/bench/report.c PROPERTIES COMPILE_DEFINITIONS "GECC_COMMIT=\"${tool_commit}\"")
endif()

add_executable(gecc_program tools/gecc/main.c)
target_link_libraries(gecc_program PRIVATE gecc_tool)
set_target_properties(gecc_program PROPERTIES
    OUTPUT_NAME gecc
    BUILD_WITH_INSTALL_RPATH ON
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

install(TARGETS gecc_program)
file(GLOB manuals CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Where shells look for the completion of a command.
install(FILES docs/completion/gecc.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gecc)
install(FILES docs/completion/gecc.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _gecc)
install(FILES docs/completion/gecc.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES docs/man/gecc.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
