/* The program set of one width of modulus on one machine. The includer has included the machine, and defines CHUNK_ROWS
 * and MOD_PROGRAMS, the set's name. */

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

const struct program_set MOD_PROGRAMS = {
    .chunk = CHUNK_ROWS,
    .lanes = LANES,
    .arena_bytes = MOD_CHUNK_BYTES + (size_t)MOD_SLOT_BYTES * (CHUNK_ROWS / LANES),
    .run =
        {
#define PROGRAM(identifier, function) [OPERATION_##identifier] = function,
#define PROGRAM_MOD PROGRAM
#include "scheme/programs.h"
        },
};
