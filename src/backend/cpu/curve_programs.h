/* The program set of one curve on one machine. The includer has included the machine, the curve's constants and the
 * schemes, and defines CHUNK_ROWS, PROGRAM_SM2 (an entry, or nothing) and CURVE_PROGRAMS, the set's name. */

const struct program_set CURVE_PROGRAMS = {
    .chunk = CHUNK_ROWS,
    .lanes = LANES,
    .arena_bytes = CHUNK_BYTES + (size_t)CHUNK_SLOT_BYTES * (CHUNK_ROWS / LANES) > TABLES_SCRATCH_BYTES
                       ? CHUNK_BYTES + (size_t)CHUNK_SLOT_BYTES *(CHUNK_ROWS / LANES)
                       : TABLES_SCRATCH_BYTES,
    .tables_bytes = TABLES_BYTES,
    .tables_build = tables_build,
    .run =
        {
#define PROGRAM_CURVE(name, function) [OPERATION_##name] = function,
#define PROGRAM_MOD(name, function)
#define PROGRAM_HASH(name, function)
#define PROGRAM(name, function, family, secrets) PROGRAM_##family(name, function)
#include "scheme/programs.def"
#undef PROGRAM
        },
};
