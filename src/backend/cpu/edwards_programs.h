/* The program set of one curve of Edwards form on one machine. The includer has included the machine and the curve's constants, and
 * defines CHUNK_ROWS and CURVE_PROGRAMS, the set's name. */

#include "backend/cpu/machine.h"
#include "scheme/edwards_keys.h"

enum {
    CURVE_CHUNK_BYTES = EDWARDS_CHUNK_BYTES + EDWARDS_SLOT_BYTES * (CHUNK_ROWS / LANES),
    SECRET_SCRATCH_BYTES = EDWARDS_SCRATCH_BYTES(SECRET_SLOTS * SECRET_ENTRIES),
    PUBLIC_SCRATCH_BYTES = EDWARDS_SCRATCH_BYTES(PUBLIC_SLOTS_MOST),
    KEYS_SCRATCH_BYTES = EDWARDS_SCRATCH_BYTES(EDWARDS_KEYS_SLOTS),
    CURVE_SCRATCH_BYTES =
        (int)SECRET_SCRATCH_BYTES > (int)PUBLIC_SCRATCH_BYTES ? (int)SECRET_SCRATCH_BYTES : (int)PUBLIC_SCRATCH_BYTES
};

static_assert((int)KEYS_SCRATCH_BYTES <= (int)CURVE_CHUNK_BYTES, "the arena has room for it");

static void curve_table_make(enum base_table which, void *table, const struct arena *arena) {
    if (which == BASE_SECRET)
        edwards_table_secret((limb *)table, arena);
    else if (which == BASE_KEYS)
        edwards_table_keys((limb *)table, arena);
    else
        edwards_table_public(which == BASE_PUBLIC_FEW ? EDWARDS_PUBLIC_FEW : EDWARDS_PUBLIC_MANY, (limb *)table, arena);
}

static struct shared_tables curve_tables;

const struct program_set CURVE_PROGRAMS = {
    .chunk = CHUNK_ROWS,
    .lanes = LANES,
    .arena_bytes =
        (int)CURVE_CHUNK_BYTES > (int)CURVE_SCRATCH_BYTES ? (int)CURVE_CHUNK_BYTES : (int)CURVE_SCRATCH_BYTES,
    .shared = &curve_tables,
    .table_bytes = {SECRET_TABLE_LIMBS * sizeof(limb), EDWARDS_PUBLIC_LIMBS(EDWARDS_PUBLIC_FEW) * sizeof(limb),
                    EDWARDS_PUBLIC_LIMBS(EDWARDS_PUBLIC_MANY) * sizeof(limb), EDWARDS_KEYS_LIMBS * sizeof(limb)},
    .public_width = {0, EDWARDS_PUBLIC_FEW, EDWARDS_PUBLIC_MANY, EDWARDS_KEYS_WINDOW},
    .public_windows = {0, WINDOW_COUNT(SCALAR_BITS, EDWARDS_PUBLIC_FEW), WINDOW_COUNT(SCALAR_BITS, EDWARDS_PUBLIC_MANY),
                       EDWARDS_KEYS_WINDOWS},
    .table_make = curve_table_make,
    .key_row_bytes = ENTRY_ROWS * ROW_LIMBS * sizeof(limb),
    .key_pass = {keys_bases, keys_normalise, keys_extend},
    .run =
        {
#define PROGRAM_CURVE(name, function)
#define PROGRAM_SM2(name, function)
#define PROGRAM_SECP256K1(name, function)
#define PROGRAM_CURVE25519(name, function) [OPERATION_##name] = function,
#define PROGRAM_MOD(name, function)
#define PROGRAM_HASH(name, function)
#define OPERATION(identifier, function, name, family, secrets, base, flags, work, inputs, outputs, text)               \
    PROGRAM_##family(identifier, function)
#include "scheme/operations.def"
#undef OPERATION
        },
};
