#include "backend/key_plan.h"

#include <stdbool.h>

#include "curve/sizes.h"

/* Where the caller says nothing. */
enum { ROWS_DEFAULT = 256 };

/* Multiplications for an entry of a table, with what it takes to write it, for an addition of one, and for a doubling.
 * On a curve of Edwards form an entry takes more and is larger, which would change the width of few tables, and counts
 * for keys with few rows. */
enum { ENTRY_UNITS = 20, EDWARDS_ENTRY_UNITS = 30, ADDITION_UNITS = 8, DOUBLING_UNITS = 8 };

/* Entries of all tables are numbered with 32 bits, and so are the rows of pairs of integers, of which an entry may have
 * two. */
#define ENTRIES_MOST (UINT32_MAX / 2)

unsigned gecc_key_windows(const struct key_size *size, unsigned width) {
    return (unsigned)((size->bits + width - 1) / width);
}

/* Infinity, and as many entries as digits have magnitudes. */
static size_t entries_of_key(const struct key_size *size, unsigned width) {
    return gecc_key_windows(size, width) * (((size_t)1 << (width - 1)) + 1);
}

size_t gecc_key_bytes(const struct key_size *size, unsigned width) {
    size_t entries = entries_of_key(size, width);
    return entries != 0 && size->count > ENTRIES_MOST / entries ? SIZE_MAX : size->count * entries * size->entry_bytes;
}

/* What a row of a key takes, its share of the table counted. */
static double row_units(const struct key_size *size, unsigned width, size_t rows) {
    return ENTRY_UNITS * (double)entries_of_key(size, width) / (double)rows +
           ADDITION_UNITS * (double)gecc_key_windows(size, width);
}

/* Whatever the caller allows, entries have numbers of 32 bits. */
static bool fits(const struct key_size *size, unsigned width, size_t memory) {
    const size_t bytes = gecc_key_bytes(size, width);
    return bytes != SIZE_MAX && bytes <= memory;
}

unsigned gecc_key_window(const struct key_size *size, const struct key_plan *plan) {
    const size_t rows = plan->rows == 0 ? ROWS_DEFAULT : plan->rows;
    const size_t memory = plan->memory == 0 ? KEY_MEMORY_DEFAULT : plan->memory;
    unsigned width = KEY_WINDOW_LEAST;
    if (plan->window != 0)
        width = plan->window;
    else
        while (width < KEY_WINDOW_MOST && row_units(size, width + 1, rows) < row_units(size, width, rows))
            width++;
    while (width >= KEY_WINDOW_LEAST && !fits(size, width, memory))
        width--;
    return width;
}

/* Multiplications for a row without tables, the multiple of G left out. */
static double plain_units(gecc_curve curve) { return curve == GECC_SECP256K1 ? 1450 : 10.4 * curve_bits(curve); }

/* An entry's, on the machines of the CPU. */
static size_t entry_bytes(gecc_curve curve) {
    return (curve_is_weierstrass(curve) ? 2 * curve_bytes(curve) + 63 : 4 * curve_bytes(curve)) / 64 * 64;
}

size_t gecc_key_rows_least(gecc_curve curve) {
    const struct key_size size = {.bits = curve_bits(curve), .count = 1, .entry_bytes = 1};
    const double entry = curve_is_weierstrass(curve) ? ENTRY_UNITS : EDWARDS_ENTRY_UNITS;
    const double table = entry * (double)entries_of_key(&size, KEY_WINDOW_LEAST) + DOUBLING_UNITS * (double)size.bits;
    const double row = ADDITION_UNITS * (double)gecc_key_windows(&size, KEY_WINDOW_LEAST);
    return 1 + (size_t)(table / (plain_units(curve) - row));
}

/* Measured on an H100 with 16 cores, 4,194,304 rows in pinned memory (gecc-keys): with 105 rows of each key, P-256
 * takes as long as without tables, most of it to number the keys; secp256k1 gains from more on, P-384, whose rows take
 * 110 ns, from fewer, as do wider curves. */
size_t gecc_key_rows_least_gpu(gecc_curve curve) {
    return curve == GECC_SECP256K1 ? 384 : curve_bits(curve) > 256 ? 32 : 100;
}

size_t gecc_key_lot(gecc_curve curve, const struct key_plan *plan, size_t count) {
    const size_t memory = plan->memory == 0 ? KEY_MEMORY_DEFAULT : plan->memory;
    const struct key_size size = {.bits = curve_bits(curve), .count = 1, .entry_bytes = entry_bytes(curve)};
    unsigned width = gecc_key_window(&size, plan);
    const size_t bytes = width < KEY_WINDOW_LEAST ? 0 : gecc_key_bytes(&size, width);
    size_t lot = bytes == 0 ? 1 : memory / bytes;
    return lot < 1 ? 1 : lot < count ? lot : count;
}
