/* The tables of batch/edwards_tables.h filled by many threads, in one pass over tasks of which no two write the same memory: a
 * secret window each, by way of rows in scratch memory, then a run of TABLE_RUN entries of a public window each. The public table
 * has all windows here, one behind the other, of which sums with multiples of a key use all, and others the first. For machines
 * of one lane. */
#ifndef GECC_BATCH_EDWARDS_TABLE_PASSES_H
#define GECC_BATCH_EDWARDS_TABLE_PASSES_H

#include "batch/edwards_tables.h"

enum {
    TABLE_RUN = 128,
    ROW_PARTS = 4, /* integers of an entry of the public table, and of scratch memory: two pairs */
    TABLES_SCRATCH_LIMBS = SECRET_WINDOWS * SECRET_ENTRIES * ROW_PARTS * LIMBS
};

static_assert((1 << (EDWARDS_PUBLIC_MOST - 3 * EDWARDS_PUBLIC_STEP - 1)) % TABLE_RUN == 0, "runs are whole");

/* By the width of public windows: runs of one, the tasks, and the bytes of both tables. */
#define EDWARDS_RUNS(width) (((size_t)1 << ((width)-1)) / TABLE_RUN)
#define EDWARDS_TASKS(width) (SECRET_WINDOWS + WINDOW_COUNT(SCALAR_BITS, width) * EDWARDS_RUNS(width))
#define EDWARDS_BYTES(width)                                                                                           \
    ((SECRET_TABLE_LIMBS + WINDOW_COUNT(SCALAR_BITS, width) * EDWARDS_PUBLIC_LIMBS(width)) * sizeof(limb))

/* What the pass fills, with public windows of `width` bits, and TABLES_SCRATCH_LIMBS besides. */
struct edwards_table_memory {
    limb *tables, *scratch;
    unsigned width;
};

LANE_INLINE fe row_part_load(const limb *rows, size_t row, unsigned part) {
    return limbs_load_row(rows + (row * ROW_PARTS + part) * LIMBS);
}

LANE_INLINE void row_part_store(limb *rows, size_t row, unsigned part, fe a) {
    limbs_store_row(rows + (row * ROW_PARTS + part) * LIMBS, a, 0);
}

LANE_INLINE void row_entry_store(limb *rows, size_t row, const struct edwards_entry *e) {
    row_part_store(rows, row, 0, e->plus);
    row_part_store(rows, row, 1, e->minus);
    row_part_store(rows, row, 2, e->twice_dt);
    row_part_store(rows, row, 3, fe_zero());
}

/* Rows 0 to n - 1 = the entries of p, p + step, p + 2 step, ...; one inversion. Until then they have X, Y, Z and the product of the Z
 * before. */
LANE_FUNCTION void edwards_rows_fill(limb *rows, unsigned n, struct edwards p, const struct edwards *step) {
    struct edwards_projective_entry addend = edwards_projective_entry_of(step);
    fe product = fe_one();
    LANE_LOOP for (unsigned j = 0; j < n; j++) {
        row_part_store(rows, j, 0, p.x);
        row_part_store(rows, j, 1, p.y);
        row_part_store(rows, j, 2, p.z);
        row_part_store(rows, j, 3, product);
        product = fe_mul(product, p.z);
        edwards_add(&p, &addend);
    }
    fe inverse = fe_inverse(product);
    LANE_LOOP for (unsigned j = n; j-- > 0;) {
        fe own = fe_mul(inverse, row_part_load(rows, j, 3));
        inverse = fe_mul(inverse, row_part_load(rows, j, 2));
        struct edwards_entry e = edwards_canonical_entry(row_part_load(rows, j, 0), row_part_load(rows, j, 1), own);
        row_entry_store(rows, j, &e);
    }
}

/* k P for a public k. */
LANE_FUNCTION struct edwards edwards_times_vartime(const struct edwards *p, unsigned k) {
    struct edwards r = edwards_neutral();
    struct edwards_projective_entry addend = edwards_projective_entry_of(p);
    LANE_LOOP for (int bit = 31; bit >= 0; bit--) {
        edwards_double(&r);
        if (k >> bit & 1)
            edwards_add(&r, &addend);
    }
    return r;
}

LANE_INLINE void edwards_fill_secret(const struct edwards_table_memory *memory, unsigned window) {
    limb *rows = memory->scratch + (size_t)window * SECRET_ENTRIES * ROW_PARTS * LIMBS;
    struct edwards base = edwards_generator();
    edwards_double_times(&base, SECRET_WINDOW * window);
    edwards_rows_fill(rows, SECRET_ENTRIES, base, &base);
    for (unsigned j = 0; j < SECRET_ENTRIES; j++) {
        struct edwards_entry e = {row_part_load(rows, j, 0), row_part_load(rows, j, 1), row_part_load(rows, j, 2)};
        secret_entry_store(memory->tables, window, j, &e, 0);
    }
}

LANE_INLINE void edwards_fill_public(const struct edwards_table_memory *memory, unsigned window, unsigned run) {
    limb *rows = memory->tables + SECRET_TABLE_LIMBS + window * EDWARDS_PUBLIC_LIMBS(memory->width);
    struct edwards base = edwards_generator();
    if (run == 0) {
        struct edwards_entry neutral = edwards_entry_neutral();
        row_entry_store(rows, 0, &neutral);
    }
    edwards_double_times(&base, memory->width * window);
    edwards_rows_fill(rows + (1 + (size_t)run * TABLE_RUN) * ROW_PARTS * LIMBS, TABLE_RUN,
                      edwards_times_vartime(&base, 1 + run * TABLE_RUN), &base);
}

LANE_FUNCTION void edwards_tables_fill(const struct worker *w, const struct edwards_table_memory *memory) {
    const unsigned runs = (unsigned)EDWARDS_RUNS(memory->width);
    for (size_t task = w->first; task < w->count; task += w->step) {
        const unsigned run = (unsigned)(task - SECRET_WINDOWS);
        if (task < SECRET_WINDOWS)
            edwards_fill_secret(memory, (unsigned)task);
        else
            edwards_fill_public(memory, run / runs, run % runs);
    }
}

#endif
