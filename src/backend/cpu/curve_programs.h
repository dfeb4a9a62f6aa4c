/* The program set of one curve on one machine. The includer has included the machine and the curve's constants, and
 * defines CHUNK_ROWS and CURVE_PROGRAMS, the set's name. */

#include "backend/cpu/machine.h"
#include "scheme/curve_programs.h"

/* Tables of multiples of G for public scalars: bits of a window, and windows. On a curve of Edwards form a sum with
 * multiples of another point has doublings in any case, which both share, so that one window is enough. */
#ifdef CURVE_IS_EDWARDS
enum { FEW_WIDTH = EDWARDS_PUBLIC_FEW, FEW_WINDOWS = 1 };
#define PUBLIC_TABLES(TABLE)                                                                                           \
    TABLE(BASE_PUBLIC_FEW, FEW_WIDTH, FEW_WINDOWS)                                                                     \
    TABLE(BASE_PUBLIC_MANY, EDWARDS_PUBLIC_MANY, 1)                                                                    \
    TABLE(BASE_KEYS, EDWARDS_KEYS_WINDOW, EDWARDS_KEYS_WINDOWS)
#else
enum { FEW_WIDTH = PUBLIC_WINDOW_FEW, FEW_WINDOWS = WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW_FEW) };
#define PUBLIC_TABLES(TABLE)                                                                                           \
    TABLE(BASE_PUBLIC_FEW, FEW_WIDTH, FEW_WINDOWS)                                                                     \
    TABLE(BASE_PUBLIC_MANY, PUBLIC_WINDOW_MANY, WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW_MANY))
#endif

#define TABLE_BYTES(which, width, windows) [which] = PUBLIC_TABLE_LIMBS(width, windows) * sizeof(limb),
#define TABLE_WIDTH(which, width, windows) [which] = (width),
#define TABLE_DIGITS(which, width, windows) [which] = WINDOW_COUNT(SCALAR_BITS, width),
#define TABLE_MAKE(which, width, windows)                                                                              \
    case which:                                                                                                        \
        base_table_public((limb *)table, width, windows, arena);                                                       \
        break;

/* The rows that the secret table is made from, if they are those of the table for few rows; else NULL. */
static const limb *secret_rows_of(const void *few) {
    const int same = secret_doublings() == FEW_WIDTH && secret_windows() == FEW_WINDOWS && !secret_is_odd();
    return same ? (const limb *)few : NULL;
}

static void curve_table_make(enum base_table which, void *table, const void *few, const struct arena *arena) {
    switch (which) {
        PUBLIC_TABLES(TABLE_MAKE)
    default:
        base_table_secret((limb *)table, secret_rows_of(few), arena);
        break;
    }
}

/* Sums of many terms are for CPUs alone. */
#ifdef CURVE_IS_EDWARDS
enum { CURVE_SUM_TERMS = 0, CURVE_SUM_BYTES = 0 };
#else
#include "scheme/msm.h"
#define PROGRAM_SUMS PROGRAM
enum { CURVE_SUM_TERMS = SUM_TERMS, CURVE_SUM_BYTES = MSM_BYTES };
#endif

enum {
    CURVE_CHUNK_BYTES = CHUNK_BYTES + CHUNK_SLOT_BYTES * (CHUNK_ROWS / LANES),
    CURVE_SCRATCH_BYTES = GENERATOR_SCRATCH_BYTES
};

static struct shared_tables curve_tables;

const struct program_set CURVE_PROGRAMS = {
    .chunk = CHUNK_ROWS,
    .lanes = LANES,
    .arena_bytes =
        (int)CURVE_CHUNK_BYTES > (int)CURVE_SCRATCH_BYTES ? (int)CURVE_CHUNK_BYTES : (int)CURVE_SCRATCH_BYTES,
    .shared = &curve_tables,
    .table_bytes = {SECRET_TABLE_LIMBS * sizeof(limb), PUBLIC_TABLES(TABLE_BYTES)},
    .public_width = {PUBLIC_TABLES(TABLE_WIDTH)},
    .public_windows = {PUBLIC_TABLES(TABLE_DIGITS)},
    .table_make = curve_table_make,
    .key_entry_bytes = ENTRY_ROWS * ROW_LIMBS * sizeof(limb),
    .key_pass = {keys_bases, keys_normalise, keys_extend},
    .sum_terms = CURVE_SUM_TERMS,
    .sum_arena_bytes = CURVE_SUM_BYTES,
    .run =
        {
#define PROGRAM(identifier, function) [OPERATION_##identifier] = function,
#include "scheme/programs.h"
        },
};
