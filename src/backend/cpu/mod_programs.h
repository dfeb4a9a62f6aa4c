/* The program set of one width of modulus on one machine. The includer has included the machine, and defines CHUNK_ROWS and
 * MOD_PROGRAMS, the set's name. */

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

const struct program_set MOD_PROGRAMS = {
    .chunk = CHUNK_ROWS,
    .lanes = LANES,
    .arena_bytes = MOD_CHUNK_BYTES + (size_t)MOD_SLOT_BYTES * (CHUNK_ROWS / LANES),
    .run =
        {
#define PROGRAM_CURVE(name, function)
#define PROGRAM_SM2(name, function)
#define PROGRAM_SECP256K1(name, function)
#define PROGRAM_CURVE25519(name, function)
#define PROGRAM_MOD(name, function) [OPERATION_##name] = function,
#define PROGRAM_HASH(name, function)
#define OPERATION(identifier, function, name, family, secrets, base, flags, work, inputs, outputs, text)               \
    PROGRAM_##family(identifier, function)
#include "scheme/operations.def"
#undef OPERATION
        },
};
