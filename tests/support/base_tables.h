/* Tables of multiples of the G of CURVE for tests of lane programs, as the machine's windows ask for: a struct
 * base_tables, or one piece of memory. */
#ifndef TESTS_SUPPORT_BASE_TABLES_H
#define TESTS_SUPPORT_BASE_TABLES_H

#include <stdlib.h>

#ifdef CURVE_IS_EDWARDS
#include "batch/edwards_multiply.h"
#else
#include "batch/multiply_base.h"
#endif

#ifdef TABLES_IN_ONE_PIECE

enum {
    TEST_TABLES_BYTES =
        (SECRET_TABLE_LIMBS + PUBLIC_TABLE_LIMBS(PUBLIC_WINDOW, WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW))) *
        sizeof(limb)
};

/* Fill TEST_TABLES_BYTES, 64-byte aligned. */
LANE_FUNCTION void test_tables_fill(void *tables, const struct arena *arena) {
    base_table_secret((limb *)tables, NULL, arena);
    base_table_public((limb *)tables + SECRET_TABLE_LIMBS, PUBLIC_WINDOW, WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW),
                      arena);
}

#else

#ifdef CURVE_IS_EDWARDS
enum { TEST_PUBLIC_WINDOW = EDWARDS_PUBLIC_MANY };
#else
enum { TEST_PUBLIC_WINDOW = PUBLIC_WINDOW_MANY };
#endif

enum {
    TEST_SECRET_BYTES = (SECRET_TABLE_LIMBS * sizeof(limb) + 63) / 64 * 64,
    TEST_TABLES_BYTES =
        64 + TEST_SECRET_BYTES +
        PUBLIC_TABLE_LIMBS(TEST_PUBLIC_WINDOW, WINDOW_COUNT(SCALAR_BITS, TEST_PUBLIC_WINDOW)) * sizeof(limb)
};

/* A struct base_tables, and what it points to; `width` of PUBLIC_WINDOW_FEW or PUBLIC_WINDOW_MANY. */
LANE_FUNCTION void test_tables_fill_width(void *tables, unsigned width, const struct arena *arena) {
    uint8_t *secret = (uint8_t *)tables + 64, *public_rows = secret + TEST_SECRET_BYTES;
    struct base_tables *base = (struct base_tables *)tables;
    *base = (struct base_tables){secret, public_rows, width, WINDOW_COUNT(SCALAR_BITS, width)};
    base_table_secret((limb *)secret, NULL, arena);
    base_table_public((limb *)public_rows, width, WINDOW_COUNT(SCALAR_BITS, width), arena);
}

LANE_FUNCTION void test_tables_fill(void *tables, const struct arena *arena) {
    test_tables_fill_width(tables, TEST_PUBLIC_WINDOW, arena);
}

#endif

/* The scratch that filling them needs. */
enum { TEST_TABLES_SCRATCH = GENERATOR_SCRATCH_BYTES };

#endif
