# gecc, the command-line tool. What reads other people's bytes is a library of its own, for the fuzz targets.

if(NOT TARGET PkgConfig::jansson)
    message(STATUS "gecc, the tool: not built, jansson is missing (Debian: libjansson-dev)")
    return()
endif()

if(NOT EXISTS ${PROJECT_SOURCE_DIR}/tools/gecc/main.c)
    message(STATUS "gecc, the tool: not built, tools/gecc/main.c is missing")
    return()
endif()

file(GLOB tool_sources CONFIGURE_DEPENDS tools/gecc/*.c tools/measure/*.c)
list(REMOVE_ITEM tool_sources ${PROJECT_SOURCE_DIR}/tools/gecc/main.c)

add_library(gecc_tool STATIC ${tool_sources})
target_include_directories(gecc_tool PUBLIC tools/gecc tools/measure)
target_link_libraries(gecc_tool PUBLIC gecc PkgConfig::jansson Threads::Threads ${CMAKE_DL_LIBS})

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
