# The Python package: what a wheel has besides the package's own files, or, for a library and a tool that the system has,
# all of it. pyproject.toml asks for the one, and bindings/python-cuda for the module for GPUs alone; debian/rules for the other.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(GECC_PYTHON_RUN ${Python3_EXECUTABLE} CACHE STRING
    "What runs a Python that can load the library: where that is for another processor, an emulator and its Python")
set(GECC_PYTHON_DESTINATION "" CACHE STRING
    "The folder that the whole package is installed in, as modules that find the library as programs do; empty: what a wheel has")

set(python_source ${PROJECT_SOURCE_DIR}/bindings/python)
set(python_package ${PROJECT_BINARY_DIR}/python/gecc)
file(GLOB python_files CONFIGURE_DEPENDS ${python_source}/gecc/*.py)

# The package as the stubs are made from it, with the library beside it.
set(python_description ${PROJECT_SOURCE_DIR}/bindings/abi/gecc.json)
set(python_generated ${python_package}/_abi.py ${python_package}/_constants.py ${python_package}/_operations.pyi)
add_custom_command(
    OUTPUT ${python_generated}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${python_package}
    COMMAND ${CMAKE_COMMAND} -E copy ${python_files} $<TARGET_SONAME_FILE:gecc> ${python_package}
    COMMAND ${Python3_EXECUTABLE} ${python_source}/generate.py abi ${python_description} ${python_package}/_abi.py
    COMMAND ${Python3_EXECUTABLE} ${python_source}/generate.py constants ${python_description} ${python_package}/_constants.py
    COMMAND ${GECC_PYTHON_RUN} ${python_source}/generate.py stubs ${python_package} ${python_package}/_operations.pyi
    DEPENDS gecc ${python_files} ${python_source}/generate.py ${python_description}
    COMMENT "Generating the package's structs, constants and stubs"
    VERBATIM)
add_custom_target(gecc_python ALL DEPENDS gecc ${python_generated})

if(GECC_PYTHON_DESTINATION)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${python_source}/generate.py metadata ${PROJECT_SOURCE_DIR}/pyproject.toml
                            ${PROJECT_BINARY_DIR}/python/METADATA
                    COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${python_files} ${python_source}/gecc/py.typed ${python_generated} DESTINATION ${GECC_PYTHON_DESTINATION}/gecc
            COMPONENT python)
    install(FILES ${PROJECT_BINARY_DIR}/python/METADATA DESTINATION ${GECC_PYTHON_DESTINATION}/gecc-${PROJECT_VERSION}.dist-info
            COMPONENT python)
    return()
endif()

# A wheel holds no symbolic links: the library's file is called as its SONAME. It finds the module for GPUs beside itself, or
# in the package gecc_cuda.
set_target_properties(gecc PROPERTIES VERSION ${gecc_soversion} SOVERSION ${gecc_soversion} INSTALL_RPATH "$ORIGIN:$ORIGIN/../gecc_cuda")

install(FILES ${python_generated} DESTINATION gecc COMPONENT python)
install(TARGETS gecc LIBRARY DESTINATION gecc COMPONENT python NAMELINK_SKIP)
if(TARGET gecc_program)
    # Where Debian's archive is, the tool needs no jansson where the wheel is installed.
    find_library(GECC_JANSSON_ARCHIVE libjansson.a)
    if(GECC_JANSSON_ARCHIVE)
        set_target_properties(PkgConfig::jansson PROPERTIES INTERFACE_LINK_LIBRARIES ${GECC_JANSSON_ARCHIVE})
    endif()
    add_dependencies(gecc_python gecc_program)
    set_target_properties(gecc_program PROPERTIES INSTALL_RPATH "$ORIGIN/..")
    install(TARGETS gecc_program DESTINATION gecc/bin COMPONENT python)
endif()
if(TARGET gecc_cuda)
    add_dependencies(gecc_python gecc_cuda)
    set_target_properties(gecc_cuda PROPERTIES VERSION ${gecc_soversion})
    install(TARGETS gecc_cuda LIBRARY DESTINATION gecc COMPONENT python NAMELINK_SKIP)
    install(TARGETS gecc_cuda LIBRARY DESTINATION gecc_cuda COMPONENT python-cuda NAMELINK_SKIP)
endif()
