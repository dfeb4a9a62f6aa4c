/* k * G for columns of scalars k on a curve of Weierstrass form, from tables of multiples of G that were made once; and
 * the memory that this and multiply.h work in.
 *
 * Every function takes the digits of recode.h, so that a scalar is recoded once. With SECRET every entry of a table is
 * read for each digit; with PUBLIC the digit is an index. Three ways: one accumulator a slot (chain, fixed_base.h),
 * affine sums that a worker shares inversions for (sums), or a GPU's block (block). */
#ifndef GECC_BATCH_MULTIPLY_BASE_H
#define GECC_BATCH_MULTIPLY_BASE_H

#include "batch/weierstrass_group.h" /* before what is above any group */

#include "batch/fixed_base.h"

/* Work memory for a batch of multiplications. */
struct multiplication {
    uint32_t *base_digits;  /* BASE_DIGITS a slot, of which PUBLIC uses fewer */
    uint32_t *point_digits; /* POINT_DIGITS a slot */
    uint32_t *key_tables;   /* where the tables of the lanes' keys start, if they have any: key_tables.h */
    limb *points;           /* affine results */
    limb *z, *zzz, *prefix; /* for inversions */
    limb *table;            /* TABLE_ENTRIES multiples of P a slot, affine; or sums of a slot, and their addends */
    limb *table_z, *table_prefix; /* TABLE_SUMS a slot, or MOST_SUMS; then what batch_table_rotate keeps */
    size_t entries;               /* of table, a slot: where its sums lie too, so that no thread writes to another's */
};

/* What a program multiplies decides how much memory its tables take. */
enum multiplicands { ONLY_BASE, ANY_POINT };

enum {
    MOST_SUMS = BASE_SUMS > BLOCK_SUMS ? BASE_SUMS : BLOCK_SUMS, /* of a multiple of G */
    TABLE_SUMS = TABLE_ENTRIES - 2,                              /* entries that are computed */
    BASE_DIGITS = SECRET_WINDOWS,
    POINT_DIGITS = WINDOW_COUNT(SCALAR_BITS, KEY_WINDOW_LEAST),           /* of an unknown point, or of a key */
    MULTIPLICATION_ELEMENTS = 2 + 3 + 2 * TABLE_ENTRIES + 2 * TABLE_SUMS, /* a slot */
    MULTIPLICATION_DIGITS = BASE_DIGITS + POINT_DIGITS + 1
};

static_assert((int)KEY_WINDOW_LEAST <= (int)TABLE_WINDOW, "POINT_DIGITS holds those of unknown points");

#ifndef TABLES_IN_ONE_PIECE
static_assert((int)PUBLIC_WINDOW_FEW >= (int)SECRET_WINDOW, "columns hold them");
#endif
static_assert((int)EISENSTEIN_WINDOWS <= POINT_DIGITS, "columns hold them");
static_assert(4 * POINT_DIGITS >= SCALAR_BITS, "columns hold sliding digits");

LANE_INLINE void multiplication_take(struct multiplication *m, enum multiplicands multiplicands, struct arena *arena,
                                     size_t slots) {
    size_t entries = multiplicands == ANY_POINT ? TABLE_ENTRIES : 2 * MOST_SUMS;
    size_t sums = multiplicands == ANY_POINT ? TABLE_SUMS : MOST_SUMS;
    VERIFY(point_windows() <= POINT_DIGITS && entries <= TABLE_ENTRIES && sums <= TABLE_SUMS);
    m->entries = entries;
    m->base_digits = columns32_take(arena, slots, BASE_DIGITS);
    m->point_digits = columns32_take(arena, slots, POINT_DIGITS);
    m->key_tables = columns32_take(arena, slots, 1);
    m->points = affine_columns_take(arena, slots, 1);
    m->z = column_take(arena, slots);
    m->zzz = column_take(arena, slots);
    m->prefix = column_take(arena, slots);
    m->table = affine_columns_take(arena, slots, entries);
    m->table_z = columns_take(arena, slots, sums);
    m->table_prefix = columns_take(arena, slots, sums);
}

LANE_INLINE uint32_t *base_digits_at(const struct multiplication *m, size_t slot) {
    return m->base_digits + column_at(slot, BASE_DIGITS, 0) * LANES;
}

LANE_INLINE uint32_t *point_digits_at(const struct multiplication *m, size_t slot) {
    return m->point_digits + column_at(slot, POINT_DIGITS, 0) * LANES;
}

/* What batch_normalise_xyzz makes points[i] of. */
LANE_INLINE void multiplication_store(const struct multiplication *m, size_t i, const struct xyzz *r) {
    struct affine xy = {r->x, r->y};
    affine_store(m->points, i, xy);
    limbs_store(m->z, i, r->zz);
    limbs_store(m->zzz, i, r->zzz);
}

/* points[i] = k_i * G, affine, from the base digits, by one accumulator a slot. A machine that keeps slots in groups
 * may scan for a group at once, so each is whole: results of slots that no row has are not read. */
LANE_STEP void batch_multiply_base_chain(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                         const void *tables) {
    size_t slots = secrecy == SECRET ? column_slots(w->count) : w->count;
    for (size_t i = w->first; i < slots; i += w->step) {
        group_sum r = base_multiply(secrecy, tables, base_digits_at(m, i));
        multiplication_store(m, i, &r.point);
    }
    /* after so few additions it takes longer to wait for all others */
    batch_normalise_xyzz(secrecy == PUBLIC ? SCHEDULER_INVERSION : SHARED_INVERSION, w, m->points, m->z, m->zzz,
                         m->prefix);
}

/* Windows of a scalar of G, and after them those of a scalar of a key, if `keys` is not NULL. */
LANE_INLINE unsigned all_windows(enum secrecy secrecy, const void *tables, const struct key_set *keys) {
    return base_windows(secrecy, tables) + (keys ? keys->windows : 0);
}

/* Sum j of a slot has the windows j * SUM_WINDOWS up to the next one's; the last sum has fewer. */
LANE_INLINE unsigned sum_windows(enum secrecy secrecy, const void *tables, const struct key_set *keys) {
    return (all_windows(secrecy, tables, keys) + BASE_SUMS - 1) / BASE_SUMS;
}

enum { PREFETCH_SLOTS = 4 }; /* so many slots ahead: the public table is larger than most caches */

/* table[first + j * count + i] = the entry of window `number` of G's table for sum j of slot i. */
LANE_INLINE void batch_base_window(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                   const void *tables, unsigned number, size_t first) {
    const struct key_set g = public_set(tables);
    for (size_t i = w->first; i < w->count; i += w->step) {
        const size_t ahead = i + PREFETCH_SLOTS * w->step;
        if (secrecy == PUBLIC && ahead < w->count)
            key_prefetch(&g, lane32_set(0), number, digit_load(base_digits_at(m, ahead), number));
        affine_store(m->table, first + i,
                     base_lookup(secrecy, tables, number, digit_load(base_digits_at(m, i), number)));
    }
}

/* The same for window `number` of the keys' tables. */
LANE_INLINE void batch_key_window(const struct worker *w, const struct multiplication *m, const struct key_set *keys,
                                  unsigned number, size_t first) {
    for (size_t i = w->first; i < w->count; i += w->step) {
        const size_t ahead = i + PREFETCH_SLOTS * w->step;
        if (ahead < w->count)
            key_prefetch(keys, column32_load(m->key_tables, ahead), number,
                         digit_load(point_digits_at(m, ahead), number));
        affine_store(
            m->table, first + i,
            key_lookup(keys, column32_load(m->key_tables, i), number, digit_load(point_digits_at(m, i), number)));
    }
}

/* table[first + j * count + i] = the entry for window `step` of sum j of slot i; infinity where that sum has none. */
LANE_INLINE void batch_sum_entries(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                   const void *tables, const struct key_set *keys, unsigned step, size_t first) {
    for (unsigned j = 0; j < BASE_SUMS; j++) {
        const unsigned number = j * sum_windows(secrecy, tables, keys) + step, base = base_windows(secrecy, tables);
        if (number < base)
            batch_base_window(secrecy, w, m, tables, number, first + j * w->count);
        else if (keys && number < base + keys->windows)
            batch_key_window(w, m, keys, number - base, first + j * w->count);
        else
            for (size_t i = w->first; i < w->count; i += w->step)
                affine_store(m->table, first + j * w->count + i, affine_infinity());
    }
}

/* points[i] = k_i * G, affine, from the base digits, by BASE_SUMS affine sums a slot, then theirs; with keys, which are
 * public, k_i * G + v_i * Q_i, v_i from the point digits. A sum of multiples of one point is less in absolute value
 * than the entry that it meets, and all windows together less than n, so equal or opposite points never meet unless the
 * group is tiny or somebody knows what multiple of G the key is. The tables of unknown points are scratch here. */
LANE_STEP void batch_multiply_base_sums(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                        const void *tables, const struct key_set *keys) {
    size_t entries = BASE_SUMS * w->count;
    batch_sum_entries(secrecy, w, m, tables, keys, 0, 0);
    for (unsigned step = 1; step < sum_windows(secrecy, tables, keys); step++) {
        batch_sum_entries(secrecy, w, m, tables, keys, step, entries);
        batch_add_distinct(w, BASE_SUMS, m->table, entries, m->table_z, m->table_prefix);
    }
    for (size_t depth = BASE_SUMS / 2; depth > 0; depth /= 2)
        batch_add_distinct(w, depth, m->table, depth * w->count, m->table_z, m->table_prefix);
    for (size_t i = w->first; i < w->count; i += w->step)
        affine_store(m->points, i, affine_load(m->table, i));
}

/* k G for public scalars where a block's threads share inversions: SUMS_IN_BLOCK affine sums a slot, of which number j
 * has the windows j, j + SUMS_IN_BLOCK, and so on. Each step adds one entry to each of them, with one inversion for all
 * sums of a block, and takes what the next step divides by into the next product. Steps go through the sums forwards
 * and backwards in turn, for Montgomery's trick gives inverses back last first; a prefix is read before the next one
 * takes its place. */
enum { SUMS_IN_BLOCK = BLOCK_SUMS > 0 ? BLOCK_SUMS : 1 };

/* How many sums have an entry in step `step`. */
LANE_INLINE unsigned block_sums(const void *tables, unsigned step) {
    unsigned windows = base_windows(PUBLIC, tables), first = step * SUMS_IN_BLOCK;
    return first >= windows ? 0 : windows - first < SUMS_IN_BLOCK ? windows - first : SUMS_IN_BLOCK;
}

LANE_INLINE struct affine block_sum(const struct multiplication *m, size_t slot, unsigned j) {
    return affine_load_part(m->table, slot, m->entries, j);
}

LANE_INLINE void block_sum_store(const struct multiplication *m, size_t slot, unsigned j, struct affine a) {
    affine_store_part(m->table, slot, m->entries, j, a);
}

/* Step `step` for my `slots` slots, given the inverse of its divisor; step 0 has the first entries and nothing
 * to divide. Returns the product for the next step, which goes the other way. */
LANE_INLINE fe block_sums_step(const struct worker *w, const struct multiplication *m, const void *tables,
                               unsigned step, size_t slots, fe inverse) {
    const unsigned sums = block_sums(tables, step), next_sums = block_sums(tables, step + 1);
    const int back = step % 2;
    fe product = fe_one();
    LANE_LOOP for (unsigned n = 0; slots > 0 && n < sums; n++) {
        const unsigned j = back ? sums - 1 - n : n, window = step * SUMS_IN_BLOCK + j;
        const unsigned next_window = j < next_sums ? window + SUMS_IN_BLOCK : window;
        size_t slot = back ? worker_last(w) : w->first;
        lane32 digit = digit_load(base_digits_at(m, slot), window);
        lane32 next_digit = digit_load(base_digits_at(m, slot), next_window);
        LANE_LOOP for (size_t left = slots; left > 0; left--) {
            size_t at = j * w->count + slot, after = back ? slot - w->step : slot + w->step;
            struct affine sum = base_lookup(PUBLIC, tables, window, digit);
            fe next_x = base_lookup(PUBLIC, tables, next_window, next_digit).x;
            if (left > 1) { /* they arrive while points are added */
                digit = digit_load(base_digits_at(m, after), window);
                next_digit = digit_load(base_digits_at(m, after), next_window);
            }
            if (step > 0)
                sum = affine_add_divided_vartime(block_sum(m, slot, j), sum, limbs_load(m->table_prefix, at), &inverse);
            block_sum_store(m, slot, j, sum);
            if (j < next_sums)
                limbs_store(m->table_prefix, at, affine_divide_later_vartime(sum.x, next_x, &product));
            slot = after;
        }
    }
    return product;
}

/* Sum j of each of my slots += sum depth + j, for j < depth. */
LANE_INLINE void block_sums_join(const struct worker *w, const struct multiplication *m, unsigned depth) {
    fe product = fe_one();
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) LANE_LOOP for (unsigned j = 0; j < depth; j++) {
        fe x = block_sum(m, i, j).x, other_x = block_sum(m, i, depth + j).x;
        limbs_store(m->table_prefix, j * w->count + i, affine_divide_later_vartime(x, other_x, &product));
    }
    fe inverse = worker_inverse(product);
    if (w->first >= w->count)
        return;
    LANE_LOOP for (size_t i = worker_last(w);; i -= w->step) {
        LANE_LOOP for (unsigned j = depth; j-- > 0;) {
            fe prefix = limbs_load(m->table_prefix, j * w->count + i);
            struct affine a = block_sum(m, i, j), b = block_sum(m, i, depth + j);
            block_sum_store(m, i, j, affine_add_divided_vartime(a, b, prefix, &inverse));
        }
        if (i == w->first)
            break;
    }
}

/* points[i] = k_i * G, affine, from the base digits: base_windows - 1 additions of 5M + 1S. A sum is less in absolute
 * value than the entry that it meets, unless that is infinity, of two sums the one with the highest digit that is not 0
 * is greater, and all windows together are less than n, so equal or opposite points never meet unless the group is
 * tiny. */
LANE_INLINE void batch_multiply_base_block_vartime(const struct worker *w, const struct multiplication *m,
                                                   const void *tables) {
    const size_t slots = w->first < w->count ? (worker_last(w) - w->first) / w->step + 1 : 0;
    fe product = block_sums_step(w, m, tables, 0, slots, fe_zero());
    LANE_LOOP for (unsigned step = 1; block_sums(tables, step) > 0; step++) product =
        block_sums_step(w, m, tables, step, slots, worker_inverse(product));
    LANE_LOOP for (unsigned depth = SUMS_IN_BLOCK / 2; depth > 0; depth /= 2) block_sums_join(w, m, depth);
    for (size_t i = w->first; i < w->count; i += w->step)
        affine_store(m->points, i, block_sum(m, i, 0));
}

static_assert((SUMS_IN_BLOCK & (SUMS_IN_BLOCK - 1)) == 0, "sums are joined by halves");
static_assert(BLOCK_SUMS == 0 || LANES == 1, "what is rare is a branch");

/* points[i] = k_i * G, affine, from the base digits. How is the same for all threads of a grid: there are barriers. */
LANE_INLINE void batch_multiply_base(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                     const void *tables) {
    if (BLOCK_SUMS > 0 && secrecy == PUBLIC && w->count / w->step >= AFFINE_SLOTS)
        batch_multiply_base_block_vartime(w, m, tables);
    else if (BASE_SUMS == 1 || w->count / w->step < AFFINE_SLOTS)
        batch_multiply_base_chain(secrecy, w, m, tables);
    else
        batch_multiply_base_sums(secrecy, w, m, tables, NULL);
}

#endif
