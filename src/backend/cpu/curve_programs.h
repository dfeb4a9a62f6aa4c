/* The program set of one curve on one machine. The includer has included the machine and the curve's constants, and defines
 * CHUNK_ROWS and CURVE_PROGRAMS, the set's name. */

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"

#define PROGRAM_CURVE(name, function) [OPERATION_##name] = function,
#ifdef CURVE_HAS_SM2
#include "scheme/sm2.h"
#define PROGRAM_SM2(name, function) [OPERATION_##name] = function,
#else
#define PROGRAM_SM2(name, function)
#endif
#ifdef CURVE_HAS_SECP256K1
#include "scheme/ethereum.h"
#include "scheme/schnorr.h"
#define PROGRAM_SECP256K1(name, function) [OPERATION_##name] = function,
#else
#define PROGRAM_SECP256K1(name, function)
#endif

enum {
    CURVE_CHUNK_BYTES = CHUNK_BYTES + CHUNK_SLOT_BYTES * (CHUNK_ROWS / LANES),
    CURVE_SCRATCH_BYTES = TABLE_SCRATCH_BYTES(PUBLIC_WINDOW_MANY)
};

static void curve_table_make(enum base_table which, void *table, const struct arena *arena) {
    if (which == BASE_SECRET)
        table_build_secret((limb *)table, arena);
    else
        table_build_public(which == BASE_PUBLIC_FEW ? PUBLIC_WINDOW_FEW : PUBLIC_WINDOW_MANY, (limb *)table, arena);
}

static struct shared_tables curve_tables;

const struct program_set CURVE_PROGRAMS = {
    .chunk = CHUNK_ROWS,
    .lanes = LANES,
    .arena_bytes =
        (int)CURVE_CHUNK_BYTES > (int)CURVE_SCRATCH_BYTES ? (int)CURVE_CHUNK_BYTES : (int)CURVE_SCRATCH_BYTES,
    .shared = &curve_tables,
    .table_bytes = {SECRET_TABLE_LIMBS * sizeof(limb), PUBLIC_TABLE_LIMBS(PUBLIC_WINDOW_FEW) * sizeof(limb),
                    PUBLIC_TABLE_LIMBS(PUBLIC_WINDOW_MANY) * sizeof(limb)},
    .public_width = {0, PUBLIC_WINDOW_FEW, PUBLIC_WINDOW_MANY},
    .public_windows = {0, WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW_FEW), WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW_MANY)},
    .table_make = curve_table_make,
    .key_row_bytes = ROW_LIMBS * sizeof(limb),
    .key_pass = {keys_bases, keys_normalise, keys_extend},
    .run =
        {
#define PROGRAM_CURVE25519(name, function)
#define PROGRAM_MOD(name, function)
#define PROGRAM_HASH(name, function)
#define OPERATION(identifier, function, name, family, secrets, base, flags, work, inputs, outputs, text)               \
    PROGRAM_##family(identifier, function)
#include "scheme/operations.def"
#undef OPERATION
        },
};
