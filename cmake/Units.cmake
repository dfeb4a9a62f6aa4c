# Translation units that differ in a machine and in a curve or a width of moduli alone: made from one template for each kind.

set(unit_folder ${PROJECT_BINARY_DIR}/units)

# The curves, those of Edwards form apart, and of each the bits of its field, its title and its families, from
# src/curve/curves.ini.
set(curve_table ${PROJECT_SOURCE_DIR}/src/curve/curves.ini)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${curve_table})
file(STRINGS ${curve_table} curve_lines REGEX "^([[]|p = |form = |title = |families = )")
set(gecc_curves)
set(gecc_edwards_curves)
foreach(line ${curve_lines})
    if(line MATCHES "^.([a-z0-9]+).$")
        set(curve ${CMAKE_MATCH_1})
        list(APPEND gecc_curves ${curve})
        set(gecc_families_${curve})
    elseif(line STREQUAL "form = edwards")
        list(REMOVE_ITEM gecc_curves ${curve})
        list(APPEND gecc_edwards_curves ${curve})
    elseif(line MATCHES "^(title|families) = (.*)$")
        set(gecc_${CMAKE_MATCH_1}_${curve} ${CMAKE_MATCH_2})
    elseif(line MATCHES "^p = ([0-9a-f]+)$")
        string(LENGTH ${CMAKE_MATCH_1} digits)
        math(EXPR gecc_bits_${curve} "4 * ${digits}")
    endif()
endforeach()

set(gecc_modulus_bits 128 192 256 320 384 448 512)

# Bits of a limb; rows of a chunk; what a unit says before it includes the machine.
set(limb_bits_portable 64)
set(chunk_rows_portable 512)
set(limb_bits_adx 64)
set(chunk_rows_adx 512)
set(limb_bits_aarch64 64)
set(chunk_rows_aarch64 512)
set(limb_bits_ptx 32)
set(limb_bits_ifma 52)
set(chunk_rows_ifma 1024)
set(settings_ifma "#define BATCH_WINDOWS \"batch/ifma_windows.h\"\n")

# machine_on(MACHINE BITS): sets limbs, words, settings and multiply, the header of its multiplications, for numbers of so many
# bits. The GPU's machine has an even number of limbs.
macro(machine_on machine bits)
    math(EXPR limbs "(${bits} + ${limb_bits_${machine}} - 1) / ${limb_bits_${machine}}")
    math(EXPR words "(${bits} + 31) / 32")
    set(settings "${settings_${machine}}")
    set(multiply ${machine}/multiply.h)
    if(${machine} STREQUAL "ptx")
        math(EXPR limbs "${limbs} + ${limbs} % 2")
    elseif(${machine} STREQUAL "adx" AND ${bits} IN_LIST adx_bits)
        set(multiply portable/multiply_adx.h)
    elseif(${machine} STREQUAL "adx")
        set(multiply portable/multiply.h)
    elseif(${machine} STREQUAL "aarch64")
        set(multiply portable/multiply_aarch64.h)
        if(${bits} LESS_EQUAL 256)
            set(settings "#define FIELD_MULTIPLY LANE_INLINE\n")
        endif()
    endif()
endmacro()

# lane_unit(KIND MACHINE SUBJECT BITS LIST): src/backend/cpu/KIND.c.in for the subject, a curve or mod_<bits>; added to LIST.
function(lane_unit kind machine subject bits list)
    machine_on(${machine} ${bits})
    set(chunk_rows ${chunk_rows_${machine}})
    set(unit ${unit_folder}/${machine}_${subject}.c)
    configure_file(${PROJECT_SOURCE_DIR}/src/backend/cpu/${kind}.c.in ${unit} @ONLY)
    set(${list} ${${list}} ${unit} PARENT_SCOPE)
endfunction()

# What the assembly of adx is for. Curves of other sizes have C in its place there, for processors that have mulx.
set(adx_bits 256 384)

# All lane programs of the CPU's machines, but for the hashes.
set(lane_units)
foreach(machine ${GECC_MACHINES})
    foreach(curve ${gecc_curves} ${gecc_edwards_curves})
        lane_unit(curve ${machine} ${curve} ${gecc_bits_${curve}} lane_units)
    endforeach()
    foreach(bits ${gecc_modulus_bits})
        if(NOT machine STREQUAL "adx" OR bits IN_LIST adx_bits)
            lane_unit(mod ${machine} mod_${bits} ${bits} lane_units)
        endif()
    endforeach()
endforeach()
