/* The tables of batch/tables.h filled by many threads: four passes, each over a batch of tasks of which no two write the same
 * memory or read what the other writes. Secret windows are made as rows in scratch memory. For machines of one lane.
 *
 *   bases:  a window each:  entry 1, and of the public table entry 0
 *   starts: a window each:  entries 2 .. TABLE_RUN, as far as the window goes, by doubling what is there, with odd digits
 *           too; or all those of eisenstein.h
 *   runs:   of the public table: entries TABLE_RUN r + 1 .. TABLE_RUN (r + 1) each, r > 0
 *   scans:  an entry of a secret window each, from its row to where it is scanned */
#ifndef GECC_BATCH_TABLE_PASSES_H
#define GECC_BATCH_TABLE_PASSES_H

#include "batch/tables.h"

enum {
    TABLE_RUN = 256,
    SECRET_WINDOWS = WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW),
    TABLES_SCANS = SECRET_WINDOWS * SECRET_ENTRIES /* tasks of the last pass */
};

/* By the width of public windows, the entries of the last one, of which there are no more than its digits ask for: k is folded
 * to at most n / 2. And the tasks of the first two passes, those of the third, and the bytes of all tables. */
#define LAST_ENTRIES_BITS(width) (SCALAR_BITS - 1 - (width) * (WINDOW_COUNT(SCALAR_BITS, width) - 1))
#define LAST_ENTRIES(width)                                                                                            \
    (LAST_ENTRIES_BITS(width) < 8 ? (size_t)TABLE_RUN : (size_t)1 << LAST_ENTRIES_BITS(width)) /* besides infinity */
#define TABLES_WINDOWS(width) (SECRET_WINDOWS + WINDOW_COUNT(SCALAR_BITS, width))
#define WINDOW_RUNS(width) (((size_t)1 << ((width)-1)) / TABLE_RUN - 1)
#define TABLES_RUNS(width)                                                                                             \
    ((WINDOW_COUNT(SCALAR_BITS, width) - 1) * WINDOW_RUNS(width) + LAST_ENTRIES(width) / TABLE_RUN - 1)
#define TABLES_BYTES_OF(width)                                                                                         \
    (sizeof(limb) *                                                                                                    \
     (SECRET_TABLE_LIMBS + ROW_LIMBS * ((WINDOW_COUNT(SCALAR_BITS, width) - 1) * (((size_t)1 << ((width)-1)) + 1) +    \
                                        LAST_ENTRIES(width) + 1)))

static_assert((int)SECRET_ENTRIES <= (int)TABLE_RUN, "the second pass makes whole secret windows");

/* What passes fill: tables, and SECRET_TABLE_LIMBS besides. */
struct table_memory {
    limb *tables, *scratch;
};

struct table_window {
    limb *rows;
    unsigned width, number; /* base 2^(width number) G */
    unsigned first;         /* the entry that the first row has: the secret table leaves out infinity */
};

/* Is there such a window? Digits of eisenstein.h are fewer than SECRET_WINDOWS. */
LANE_INLINE int table_has_window(size_t task) { return task >= SECRET_WINDOWS || task < base_windows(SECRET, NULL); }

LANE_INLINE struct table_window table_window(const struct table_memory *memory, size_t task) {
    struct table_window window = {memory->scratch, SECRET_WINDOW, (unsigned)task, 1};
    if (task < SECRET_WINDOWS) {
        window.width = base_width(SECRET, NULL);
        window.rows += (size_t)window.number * secret_rows() * 2 * LIMBS;
    } else {
        window.width = public_width(memory->tables);
        window.number -= SECRET_WINDOWS;
        window.first = 0;
        window.rows =
            memory->tables + SECRET_TABLE_LIMBS + (size_t)window.number * public_entries(memory->tables) * ROW_LIMBS;
    }
    return window;
}

LANE_INLINE limb *table_row(const struct table_window *window, size_t entry) {
    return window->rows + (entry - window->first) * 2 * LIMBS;
}

LANE_INLINE void table_row_store(const struct table_window *window, size_t entry, struct affine a) {
    limb *row = table_row(window, entry);
    limbs_store_row(row, modular_canonical(&CURVE.p, a.x), 0);
    limbs_store_row(row + LIMBS, modular_canonical(&CURVE.p, a.y), 0);
}

LANE_INLINE struct affine table_row_load(const struct table_window *window, size_t entry) {
    const limb *row = table_row(window, entry);
    struct affine a = {limbs_load_row(row), limbs_load_row(row + LIMBS)};
    return a;
}

LANE_FUNCTION void tables_bases(const struct worker *w, const struct table_memory *memory) {
    for (size_t task = w->first; task < w->count; task += w->step) {
        struct table_window window = table_window(memory, task);
        if (!table_has_window(task))
            continue;
        struct jacobian p = jacobian_from_affine(affine_generator());
        for (unsigned i = 0; i < window.width * window.number; i++)
            jacobian_double(&p);
        struct affine xy = {p.x, p.y};
        if (window.first == 0)
            table_row_store(&window, 0, affine_infinity());
        table_row_store(&window, 1, affine_from_jacobian(xy, fe_inverse(p.z)));
    }
}

/* Entries at + j = s + entry j for j = 1 .. n; one inversion. Where an entry will be its x keeps the
 * product of the denominators before. No denominator is 0: G has a large order. */
LANE_FUNCTION void table_extend(const struct table_window *window, size_t at, const struct affine *s, size_t n) {
    fe product = fe_one();
    for (size_t j = 1; j <= n; j++) {
        limbs_store_row(table_row(window, at + j), product, 0);
        product = fe_mul(product, affine_add_denominator(*s, table_row_load(window, j)));
    }
    fe inverse = fe_inverse(product);
    for (size_t j = n; j > 0; j--) {
        struct affine q = table_row_load(window, j);
        fe one_inverse = fe_mul(inverse, limbs_load_row(table_row(window, at + j)));
        inverse = fe_mul(inverse, affine_add_denominator(*s, q));
        table_row_store(window, at + j, affine_add(s, &q, &one_inverse));
    }
}

/* All entries of a window of eisenstein.h from entry 1. */
LANE_FUNCTION void table_fill_eisenstein(const struct table_window *window) {
    for (unsigned j = 0; j < EISENSTEIN_SUMS; j++) {
        struct table_sum sum = EISENSTEIN_SUM[j];
        struct affine a = eisenstein_addend(table_row_load(window, sum.a), sum.turn), b = table_row_load(window, sum.b);
        fe inverse = fe_inverse(affine_add_denominator(a, b));
        table_row_store(window, sum.sum, affine_add(&a, &b, &inverse));
    }
}

/* k * a, k > 0, for a public k. */
LANE_INLINE struct affine affine_multiply_vartime(const struct affine *a, unsigned k) {
    struct jacobian r = jacobian_from_affine(*a);
    int bit = 31;
    while (!(k >> bit))
        bit--;
    while (bit-- > 0) {
        jacobian_double(&r);
        if (k >> bit & 1)
            jacobian_add_affine(&r, a);
    }
    struct affine xy = {r.x, r.y};
    return affine_from_jacobian(xy, fe_inverse(r.z));
}

LANE_FUNCTION void tables_starts(const struct worker *w, const struct table_memory *memory) {
    for (size_t task = w->first; task < w->count; task += w->step) {
        struct table_window window = table_window(memory, task);
        if (task < SECRET_WINDOWS && base_is_eisenstein(SECRET)) {
            if (table_has_window(task))
                table_fill_eisenstein(&window);
            continue;
        }
        for (size_t last = 1; last < TABLE_RUN && last < (size_t)1 << (window.width - 1); last *= 2) {
            struct affine s = table_row_load(&window, last);
            if (task < SECRET_WINDOWS && base_is_odd(SECRET)) {
                struct affine base = table_row_load(&window, 1);
                s = affine_multiply_vartime(&base, 2 * (unsigned)last);
            }
            table_extend(&window, last, &s, last);
        }
    }
}

LANE_FUNCTION void tables_runs(const struct worker *w, const struct table_memory *memory) {
    for (size_t task = w->first; task < w->count; task += w->step) {
        struct table_window window =
            table_window(memory, SECRET_WINDOWS + task / WINDOW_RUNS(public_width(memory->tables)));
        unsigned run = 1 + (unsigned)(task % WINDOW_RUNS(public_width(memory->tables)));
        struct affine step = table_row_load(&window, TABLE_RUN);
        struct affine s = affine_multiply_vartime(&step, run);
        table_extend(&window, (size_t)run * TABLE_RUN, &s, TABLE_RUN);
    }
}

LANE_FUNCTION void tables_scans(const struct worker *w, const struct table_memory *memory) {
    for (size_t task = w->first; task < w->count; task += w->step) {
        struct table_window window = table_window(memory, task / SECRET_ENTRIES);
        unsigned entry = (unsigned)(task % SECRET_ENTRIES);
        if (!table_has_window(window.number) || entry >= secret_entries())
            continue;
        const limb *row = table_row(&window, entry + 1);
        limb *table = memory->tables + (size_t)window.number * secret_rows() * 2 * LIMBS;
        for (unsigned j = 0; j < 2 * LIMBS; j++)
            limbs_scan_store(table, secret_rows(), entry, j, row[j]);
    }
}

#endif
