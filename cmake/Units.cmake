# Translation units that differ in a machine and in a curve or a width of moduli alone: made from one template for each kind.

set(unit_folder ${PROJECT_BINARY_DIR}/units)

# The curves and the bits of their fields, from src/curve/curves.ini.
set(curve_table ${PROJECT_SOURCE_DIR}/src/curve/curves.ini)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${curve_table})
file(STRINGS ${curve_table} curve_lines REGEX "^([[]|p = )")
set(gecc_curves)
foreach(line ${curve_lines})
    if(line MATCHES "^.([a-z0-9]+).$")
        set(curve ${CMAKE_MATCH_1})
        list(APPEND gecc_curves ${curve})
    elseif(line MATCHES "^p = ([0-9a-f]+)$")
        string(LENGTH ${CMAKE_MATCH_1} digits)
        math(EXPR gecc_bits_${curve} "4 * ${digits}")
    endif()
endforeach()

set(gecc_modulus_bits 128 192 256 320 384 448 512)

# Bits of a limb; rows of a chunk; what a unit says before it includes the machine.
set(gecc_machines portable adx ifma)
set(limb_bits_portable 64)
set(chunk_rows_portable 512)
set(limb_bits_adx 64)
set(chunk_rows_adx 512)
set(limb_bits_ifma 52)
set(chunk_rows_ifma 1024)
set(settings_ifma "#define BATCH_WINDOWS \"batch/ifma_windows.h\"\n")

# lane_unit(KIND MACHINE SUBJECT BITS LIST): src/backend/cpu/KIND.c.in for the subject, a curve or mod_<bits>; added to LIST.
function(lane_unit kind machine subject bits list)
    set(radix ${limb_bits_${machine}})
    math(EXPR limbs "(${bits} + ${radix} - 1) / ${radix}")
    math(EXPR words "(${bits} + 31) / 32")
    set(chunk_rows ${chunk_rows_${machine}})
    set(settings "${settings_${machine}}")
    set(unit ${unit_folder}/${machine}_${subject}.c)
    configure_file(${PROJECT_SOURCE_DIR}/src/backend/cpu/${kind}.c.in ${unit} @ONLY)
    set(${list} ${${list}} ${unit} PARENT_SCOPE)
endfunction()

# All lane programs of the CPU's machines, but for the hashes. The assembly of adx is for 4 and 6 limbs.
set(lane_units)
foreach(machine ${gecc_machines})
    foreach(curve ${gecc_curves})
        lane_unit(curve ${machine} ${curve} ${gecc_bits_${curve}} lane_units)
    endforeach()
    foreach(bits ${gecc_modulus_bits})
        if(NOT machine STREQUAL "adx" OR bits EQUAL 256 OR bits EQUAL 384)
            lane_unit(mod ${machine} mod_${bits} ${bits} lane_units)
        endif()
    endforeach()
endforeach()
