/* Tables of multiples of G, which are made as those of keys are (key_tables.h): G's is that of a set of one key. What
 * an entry is the group says, as there; and it says of secret scalars how many windows they have, how many entries
 * these, and whether their digits are odd.
 *
 * The public table is such a set's. The secret one is made from one in scratch memory by a pass of its own:
 *   scan: an entry of a window each, to where it is scanned; with odd digits entry j is entry j + entry j - 1 of the set
 * In the secret table of a machine whose digits are those of eisenstein.h, entries are the sums that it names. */
#ifndef GECC_BATCH_GENERATOR_TABLES_H
#define GECC_BATCH_GENERATOR_TABLES_H

#include "batch/key_tables.h"

/* G as the only key of a set, whose table is `rows`. */
LANE_INLINE struct key_set base_key_set(const limb *rows, unsigned width, unsigned windows) {
    struct key_set r;
    r.rows = (void *)rows;
    r.status = NULL;
    r.count = 1;
    r.width = width;
    r.windows = windows;
    r.have = 0;
    return r;
}

/* The set in scratch memory that the secret table is made from. */
LANE_INLINE struct key_set secret_key_set(const limb *rows) {
    return base_key_set(rows, SECRET_WINDOW, secret_windows());
}

/* The first pass, for G, by one worker. */
LANE_FUNCTION void base_bases(const struct key_set *keys, unsigned doublings) {
    group_bases g = bases_generator();
    LANE_LOOP for (uint32_t window = 0; window < keys->windows; window++) {
        bases_store((limb *)keys->rows, lane32_set(window * window_entries(keys)), &g, 0, 1);
        bases_double(&g, 1, doublings);
    }
}

/* Entries that are scanned of a window of the secret table, and where one starts. */
LANE_INLINE unsigned secret_scanned(void) { return SCANNED_ENTRIES(secret_entries()); }

LANE_INLINE size_t secret_window_at(unsigned window) { return (size_t)window * secret_scanned() * ENTRY_PARTS * LIMBS; }

/* Entry number `entry`, from 0 on, of a window of it, from a lane. */
LANE_INLINE void secret_store(limb *table, unsigned window, unsigned entry, const group_entry *a, int lane) {
    struct limbs parts[ENTRY_PARTS];
    entry_parts(parts, a);
    for (unsigned j = 0; j < ENTRY_PARTS * LIMBS; j++)
        limbs_scan_store(table + secret_window_at(window), ENTRY_PARTS, secret_scanned(), entry, j,
                         limbs_extract(parts[j / LIMBS], j % LIMBS, lane));
}

/* Tasks that the pass has which scans. */
LANE_INLINE size_t secret_scans(void) { return (size_t)secret_windows() * secret_entries(); }

/* The entry of the set that task number `task` starts from. */
LANE_INLINE uint32_t secret_source(const struct key_set *rows, size_t task) {
    return (uint32_t)(task / secret_entries()) * window_entries(rows) + 1 + (uint32_t)(task % secret_entries());
}

/* That pass, for its tasks `first` to `first + count - 1`. */
LANE_FUNCTION void base_scan(const struct worker *w, const struct key_set *rows, limb *table, size_t first,
                             size_t count, const struct entries *e) {
    for (size_t i = w->first; i < w->count && secret_is_odd(); i += w->step) {
        uint32_t source[LANES];
        for (size_t l = 0; l < LANES; l++)
            source[l] = secret_source(rows, key_task(first, count, i, l));
        const lane32 at = lane32_load(source);
        entries_take_sum(e, i, entry_load((const limb *)rows->rows, at),
                         entry_load((const limb *)rows->rows, at - lane32_set(1)));
    }
    if (secret_is_odd())
        entries_add(w, e);
    for (size_t i = w->first; i < w->count; i += w->step) {
        uint32_t source[LANES];
        for (size_t l = 0; l < LANES; l++)
            source[l] = secret_source(rows, key_task(first, count, i, l));
        const group_entry entry =
            secret_is_odd() ? entries_sum(e, i) : entry_load((const limb *)rows->rows, lane32_load(source));
        for (int l = 0; l < lanes_filled(count, i); l++) {
            const size_t task = first + i * LANES + (size_t)l;
            secret_store(table, (unsigned)(task / secret_entries()), (unsigned)(task % secret_entries()), &entry, l);
        }
    }
}

/* A public table, in limbs. */
#define PUBLIC_TABLE_LIMBS(width, windows) ((windows) * (((size_t)1 << ((width)-1)) + 1) * ENTRY_ROWS * ROW_LIMBS)

/* Magnitudes of the digits of the last of all windows of public scalars, by its width: as many as their bits ask
 * for. */
#define LAST_ENTRIES(width) ((size_t)1 << (MAGNITUDE_BITS - (width) * (WINDOW_COUNT(SCALAR_BITS, width) - 1)))

/* One of all windows, of whose last one no more is kept. */
#define TRIMMED_TABLE_LIMBS(width)                                                                                     \
    (PUBLIC_TABLE_LIMBS(width, WINDOW_COUNT(SCALAR_BITS, width) - 1) +                                                 \
     (LAST_ENTRIES(width) + 1) * ENTRY_ROWS * ROW_LIMBS)

/* What follows makes tables on one worker, a piece of a pass at a time. */
enum { GENERATOR_SLOTS = 128, GENERATOR_PIECE = GENERATOR_SLOTS * LANES };

/* The rows of the secret set, and the scratch of base_table_secret and base_table_public. */
#define SECRET_SET_LIMBS ((size_t)SECRET_WINDOWS * (SECRET_ENTRIES + 1) * ENTRY_ROWS * ROW_LIMBS)
#define GENERATOR_SCRATCH_BYTES (ENTRIES_BYTES(GENERATOR_SLOTS) + SECRET_SET_LIMBS * sizeof(limb) + 64)

LANE_INLINE size_t generator_piece(size_t first, size_t end) {
    return end - first < GENERATOR_PIECE ? end - first : GENERATOR_PIECE;
}

LANE_INLINE struct worker generator_worker(size_t count) { return worker_of_chunk((count + LANES - 1) / LANES); }

/* Bases of all windows, entries 0 and 1. */
LANE_INLINE void base_start(const struct key_set *keys, unsigned doublings, const struct entries *e) {
    base_bases(keys, doublings);
    for (size_t first = 0; first < keys->windows; first += GENERATOR_PIECE) {
        const size_t count = generator_piece(first, keys->windows);
        const struct worker w = generator_worker(count);
        key_normalise(&w, keys, first, count, e);
    }
}

/* All other entries. */
LANE_INLINE void base_extend(struct key_set *keys, const struct entries *e) {
    for (keys->have = 1; keys->have < 1u << (keys->width - 1); keys->have *= 2)
        for (size_t first = 0, end = (size_t)keys->windows * keys->have; first < end; first += GENERATOR_PIECE) {
            const size_t count = generator_piece(first, end);
            const struct worker w = generator_worker(count);
            key_extend(&w, keys, first, count, e);
        }
}

#ifdef GROUP_HAS_ENDOMORPHISM

/* Or those of eisenstein.h, of which each window has one at a time. */
LANE_INLINE void base_extend_eisenstein(const struct key_set *keys, const struct entries *e) {
    limb *rows = (limb *)keys->rows;
    const struct worker w = generator_worker(keys->windows);
    for (unsigned j = 0; j < EISENSTEIN_SUMS; j++) {
        const struct table_sum sum = EISENSTEIN_SUM[j];
        for (size_t i = w.first; i < w.count; i += w.step) {
            const lane32 at = key_windows_at(keys, 0, keys->windows, i);
            entries_take_sum(e, i, eisenstein_addend(entry_load(rows, at + lane32_set(sum.a)), sum.rotation),
                             entry_load(rows, at + lane32_set(sum.b)));
        }
        entries_add(&w, e);
        for (size_t i = w.first; i < w.count; i += w.step)
            entry_store(rows, key_windows_at(keys, 0, keys->windows, i) + lane32_set(sum.sum), entries_sum(e, i),
                        lanes_filled(keys->windows, i));
    }
}

static_assert((int)EISENSTEIN_WINDOWS <= (int)GENERATOR_PIECE, "its windows are one piece");

LANE_INLINE void secret_extend(struct key_set *keys, const struct entries *e) {
    if (secret_is_eisenstein())
        base_extend_eisenstein(keys, e);
    else
        base_extend(keys, e);
}

#else

LANE_INLINE void secret_extend(struct key_set *keys, const struct entries *e) { base_extend(keys, e); }

#endif

/* Fill the secret table, 64-byte aligned, SECRET_TABLE_LIMBS. made: the rows of its set where a public table has them;
 * NULL: they are made here. `arena` has the scratch, a copy of it is used. */
LANE_FUNCTION void base_table_secret(limb *table, const limb *made, const struct arena *arena) {
    struct arena scratch = *arena;
    const struct entries e = entries_take(&scratch, GENERATOR_SLOTS);
    struct key_set rows =
        secret_key_set(made ? made : (const limb *)arena_take(&scratch, SECRET_SET_LIMBS * sizeof(limb)));
    if (!made) {
        base_start(&rows, secret_doublings(), &e);
        secret_extend(&rows, &e);
    }
    for (size_t first = 0; first < secret_scans(); first += GENERATOR_PIECE) {
        const size_t count = generator_piece(first, secret_scans());
        const struct worker w = generator_worker(count);
        base_scan(&w, &rows, table, first, count, &e);
    }
}

/* Fill a public table, 64-byte aligned, ENTRY_ROWS rows for each entry of `windows` windows. */
LANE_FUNCTION void base_table_public(limb *table, unsigned width, unsigned windows, const struct arena *arena) {
    struct arena scratch = *arena;
    const struct entries e = entries_take(&scratch, GENERATOR_SLOTS);
    struct key_set keys = base_key_set(table, width, windows);
    base_start(&keys, width, &e);
    base_extend(&keys, &e);
}

#endif
