/* Scalar multiplication of columns: k * G from tables made once, k * P from a table made for each point.
 *
 * Every function takes the digits of recode.h, so that a scalar is recoded once. With SECRET every entry of a table is
 * read for each digit; with PUBLIC the digit is an index. */
#ifndef GECC_BATCH_MULTIPLY_H
#define GECC_BATCH_MULTIPLY_H

#include "batch/tables.h"

/* Entry `digit` of window i of a table of G, negated where the digit is negative. */
LANE_INLINE struct affine base_lookup(enum secrecy secrecy, const limb *table, unsigned i, lane32 digit) {
    lane32 entry = base_is_eisenstein(secrecy) ? eisenstein_entry(digit) : digit_magnitude(digit);
    struct limbs pair[2];
    if (secrecy == PUBLIC)
        limbs_gather_pair_vartime(pair, table + (size_t)i * PUBLIC_ENTRIES * ROW_LIMBS, entry);
    else
        limbs_scan(pair, table + (size_t)i * secret_rows() * 2 * LIMBS, secret_rows(), entry - lane32_set(1));
    struct affine r = {pair[0], pair[1]};
    if (base_is_eisenstein(secrecy))
        r.x = eisenstein_turn(r.x, digit);
    if (base_is_odd(secrecy)) /* no entry is infinity */
        r.y = fe_select(digit_is_negative(digit), fe_neg(r.y), r.y);
    else
        r = affine_negate_if(digit_is_negative(digit), r);
    return r;
}

enum { ODD_LAST_WINDOW = 4 }; /* of those of odd digits the one that is added last: docs/constant-time.md */

/* The window that is added as number i. */
LANE_INLINE unsigned base_order(enum secrecy secrecy, unsigned i) {
    if (!base_is_odd(secrecy) || i < ODD_LAST_WINDOW)
        return i;
    return i < base_windows(secrecy) - 1 ? i + 1 : ODD_LAST_WINDOW;
}

/* r = r + q, q being an entry of a window; *infinity: whether r is infinity, kept where that takes a branch. */
LANE_INLINE void base_add(enum secrecy secrecy, struct xyzz *r, const struct affine *q, int r_is_affine,
                          mask *infinity) {
    if (base_is_odd(secrecy))
        xyzz_add_distinct(r, q, r_is_affine);
    else if (secrecy == PUBLIC && LANES == 1)
        xyzz_add_affine_vartime(r, q, r_is_affine, infinity);
    else
        xyzz_add_affine(r, q);
}

/* The entry for digit number i of k, in the order of base_order. */
LANE_INLINE struct affine base_entry(enum secrecy secrecy, const limb *table, const uint32_t *digits, unsigned i) {
    unsigned window = base_order(secrecy, i);
    return base_lookup(secrecy, table, window, digit_load(digits, window));
}

/* Its x, of a public table. */
LANE_INLINE fe base_x_vartime(const limb *table, unsigned i, lane32 digit) {
    struct limbs pair[2];
    limbs_gather_pair_vartime(pair, table + (size_t)i * PUBLIC_ENTRIES * ROW_LIMBS, digit_magnitude(digit));
    return pair[0];
}

/* r = k * G for one slot; base_windows - 1 additions of 8M + 2S, the first of 4M + 2S. Partial sums are less than the next
 * entry in absolute value and their sum less than n, so two equal points never meet unless the group is tiny; nor does
 * infinity come in where digits are odd: docs/constant-time.md. */
LANE_INLINE struct xyzz base_multiply(enum secrecy secrecy, const limb *table, const uint32_t *digits) {
    struct affine q = base_entry(secrecy, table, digits, 0);
    struct xyzz r = xyzz_from_affine(q);
    mask infinity = affine_is_infinity(q);
    q = base_entry(secrecy, table, digits, 1);
    base_add(secrecy, &r, &q, 1, &infinity);
    for (unsigned i = 2; i < base_windows(secrecy); i++) {
        q = base_entry(secrecy, table, digits, i);
        base_add(secrecy, &r, &q, 0, &infinity);
    }
    return r;
}

/* Work memory for a batch of multiplications. */
struct multiplication {
    uint32_t *base_digits;  /* BASE_DIGITS a slot, of which PUBLIC uses fewer */
    uint32_t *point_digits; /* POINT_DIGITS a slot */
    limb *points;           /* affine results */
    limb *z, *zzz, *prefix; /* for inversions */
    limb *table;            /* TABLE_ENTRIES multiples of P a slot, affine; or sums of a slot and what they meet */
    limb *table_z, *table_prefix; /* TABLE_SUMS a slot, or MOST_SUMS; then what batch_table_turn keeps */
    size_t entries;               /* of table, a slot: where its sums lie too, so that no thread writes to another's */
};

/* What a program multiplies decides how much memory its tables take. */
enum multiplicands { ONLY_BASE, ANY_POINT };

enum {
    MOST_SUMS = BASE_SUMS > BLOCK_SUMS ? BASE_SUMS : BLOCK_SUMS, /* of a multiple of G */
    TABLE_SUMS = TABLE_ENTRIES - 2,                              /* entries that are computed */
    BASE_DIGITS = (SCALAR_BITS + SECRET_WINDOW - 1) / SECRET_WINDOW,
    POINT_DIGITS = (SCALAR_BITS + TABLE_WINDOW - 1) / TABLE_WINDOW,
    MULTIPLICATION_ELEMENTS = 2 + 3 + 2 * TABLE_ENTRIES + 2 * TABLE_SUMS, /* a slot */
    MULTIPLICATION_DIGITS = BASE_DIGITS + POINT_DIGITS
};

static_assert(!SECRET_EISENSTEIN || (int)EISENSTEIN_WINDOWS <= BASE_DIGITS, "columns hold them");
static_assert((int)EISENSTEIN_WINDOWS <= POINT_DIGITS, "columns hold them");

LANE_INLINE void multiplication_take(struct multiplication *m, enum multiplicands multiplicands, struct arena *arena,
                                     size_t slots) {
    size_t entries = multiplicands == ANY_POINT ? TABLE_ENTRIES : 2 * MOST_SUMS;
    size_t sums = multiplicands == ANY_POINT ? TABLE_SUMS : MOST_SUMS;
    VERIFY(point_windows() <= POINT_DIGITS && entries <= TABLE_ENTRIES && sums <= TABLE_SUMS);
    m->entries = entries;
    m->base_digits = columns32_take(arena, slots, BASE_DIGITS);
    m->point_digits = columns32_take(arena, slots, POINT_DIGITS);
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

/* Entry j of a slot's table. */
LANE_INLINE struct affine table_entry(const struct multiplication *m, size_t slot, size_t j) {
    return affine_load_part(m->table, slot, TABLE_ENTRIES, j);
}

LANE_INLINE void table_entry_store(const struct multiplication *m, size_t slot, size_t j, struct affine a) {
    affine_store_part(m->table, slot, TABLE_ENTRIES, j, a);
}

LANE_INLINE const limb *base_table(enum secrecy secrecy, const void *tables) {
    return secrecy == SECRET ? tables_secret(tables) : tables_public(tables);
}

/* points[i] = k_i * G, affine, from the base digits, by one accumulator a slot. A machine that keeps slots in groups may scan
 * for a group at once, so each is whole: what is computed for slots that no row has, nobody reads. */
LANE_INLINE void batch_multiply_base_chain(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                           const void *tables) {
    size_t slots = secrecy == SECRET ? column_slots(w->count) : w->count;
    for (size_t i = w->first; i < slots; i += w->step) {
        struct xyzz r = base_multiply(secrecy, base_table(secrecy, tables), base_digits_at(m, i));
        struct affine xy = {r.x, r.y};
        affine_store(m->points, i, xy);
        limbs_store(m->z, i, r.zz);
        limbs_store(m->zzz, i, r.zzz);
    }
    /* after so few additions it takes less to go on alone than to wait for the others */
    batch_normalise_xyzz(secrecy == PUBLIC ? OWN_INVERSION : SHARED_INVERSION, w, m->points, m->z, m->zzz, m->prefix);
}

/* Sum j of a slot has the windows j * SUM_WINDOWS up to the next one's; the last sum has fewer. */
LANE_INLINE unsigned sum_windows(enum secrecy secrecy) { return (base_windows(secrecy) + BASE_SUMS - 1) / BASE_SUMS; }

enum { PREFETCH_SLOTS = 4 }; /* so many slots ahead: the public table is larger than most caches */

LANE_INLINE void base_prefetch_vartime(const struct multiplication *m, const void *tables, unsigned window,
                                       size_t slot) {
    const limb *rows = tables_public(tables) + (size_t)window * PUBLIC_ENTRIES * ROW_LIMBS;
    limbs_prefetch_pair_vartime(rows, digit_magnitude(digit_load(base_digits_at(m, slot), window)));
}

/* table[first + j * count + i] = the entry of G's table for window `step` of sum j of slot i. */
LANE_INLINE void batch_base_entries(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                    const void *tables, unsigned step, size_t first) {
    for (unsigned j = 0; j < BASE_SUMS; j++)
        for (size_t i = w->first; i < w->count; i += w->step) {
            unsigned window = j * sum_windows(secrecy) + step;
            struct affine entry = affine_infinity();
            if (window < base_windows(secrecy)) {
                lane32 digit = digit_load(base_digits_at(m, i), window);
                if (secrecy == PUBLIC && i + PREFETCH_SLOTS * w->step < w->count)
                    base_prefetch_vartime(m, tables, window, i + PREFETCH_SLOTS * w->step);
                entry = base_lookup(secrecy, base_table(secrecy, tables), window, digit);
            }
            affine_store(m->table, first + j * w->count + i, entry);
        }
}

/* points[i] = k_i * G, affine, from the base digits, by BASE_SUMS affine sums a slot, then theirs. A sum is less in
 * absolute value than the entry that it meets, and all windows together less than n, so equal or opposite points never
 * meet unless the group is tiny. The tables of unknown points are scratch here. */
LANE_INLINE void batch_multiply_base_sums(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                          const void *tables) {
    size_t entries = BASE_SUMS * w->count;
    batch_base_entries(secrecy, w, m, tables, 0, 0);
    for (unsigned step = 1; step < sum_windows(secrecy); step++) {
        batch_base_entries(secrecy, w, m, tables, step, entries);
        batch_add_distinct(w, BASE_SUMS, m->table, entries, m->table_z, m->table_prefix);
    }
    for (size_t depth = BASE_SUMS / 2; depth > 0; depth /= 2)
        batch_add_distinct(w, depth, m->table, depth * w->count, m->table_z, m->table_prefix);
    for (size_t i = w->first; i < w->count; i += w->step)
        affine_store(m->points, i, affine_load(m->table, i));
}

/* k G for public scalars where a block's threads share inversions: SUMS_IN_BLOCK affine sums a slot, of which number j has
 * the windows j, j + SUMS_IN_BLOCK, and so on. Each step adds one entry to each of them, with one inversion for all sums of
 * a block, and takes what the next step divides by into the next product. Steps go through the sums forwards and backwards
 * in turn, for Montgomery's trick gives inverses back last first; a prefix is read before the next one takes its place. */
enum { SUMS_IN_BLOCK = BLOCK_SUMS > 0 ? BLOCK_SUMS : 1 };

/* How many sums have an entry in step `step`. */
LANE_INLINE unsigned block_sums(unsigned step) {
    unsigned windows = base_windows(PUBLIC), first = step * SUMS_IN_BLOCK;
    return first >= windows ? 0 : windows - first < SUMS_IN_BLOCK ? windows - first : SUMS_IN_BLOCK;
}

LANE_INLINE struct affine block_sum(const struct multiplication *m, size_t slot, unsigned j) {
    return affine_load_part(m->table, slot, m->entries, j);
}

LANE_INLINE void block_sum_store(const struct multiplication *m, size_t slot, unsigned j, struct affine a) {
    affine_store_part(m->table, slot, m->entries, j, a);
}

/* Step `step` for my `slots` slots, given the inverse of what it divides by; step 0 has the first entries and nothing to
 * divide. Returns the product for the next step, which goes the other way. */
LANE_INLINE fe block_sums_step(const struct worker *w, const struct multiplication *m, const limb *table, unsigned step,
                               size_t slots, fe inverse) {
    const unsigned sums = block_sums(step), next_sums = block_sums(step + 1);
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
            struct affine sum = base_lookup(PUBLIC, table, window, digit);
            fe next_x = base_x_vartime(table, next_window, next_digit);
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

/* points[i] = k_i * G, affine, from the base digits: base_windows - 1 additions of 5M + 1S. A sum is less in absolute value
 * than the entry that it meets, unless that is infinity, of two sums the one with the highest digit that is not 0 is greater,
 * and all windows together are less than n, so equal or opposite points never meet unless the group is tiny. */
LANE_INLINE void batch_multiply_base_block_vartime(const struct worker *w, const struct multiplication *m,
                                                   const void *tables) {
    const limb *table = tables_public(tables);
    const size_t slots = w->first < w->count ? (worker_last(w) - w->first) / w->step + 1 : 0;
    fe product = block_sums_step(w, m, table, 0, slots, fe_zero());
    LANE_LOOP for (unsigned step = 1; block_sums(step) > 0; step++) product =
        block_sums_step(w, m, table, step, slots, worker_inverse(product));
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
        batch_multiply_base_sums(secrecy, w, m, tables);
}

/* Tables of multiples of P are made in levels, which share an inversion and need only what is in the levels before. */
enum { TABLE_LEVELS = 4 };

/* 2 P .. 16 P, base + j for j = 1 .. base = 1, 2, 4, 8. */
LANE_CONSTANT struct table_sum TABLE_SUM[TABLE_SUMS] = {
    {2, 1, 0, 1},  {3, 2, 0, 1},  {4, 2, 0, 2},  {5, 4, 0, 1},  {6, 4, 0, 2},
    {7, 4, 0, 3},  {8, 4, 0, 4},  {9, 8, 0, 1},  {10, 8, 0, 2}, {11, 8, 0, 3},
    {12, 8, 0, 4}, {13, 8, 0, 5}, {14, 8, 0, 6}, {15, 8, 0, 7}, {16, 8, 0, 8},
};
LANE_CONSTANT uint8_t TABLE_LEVEL_END[TABLE_LEVELS] = {1, 3, 7, 15};

/* Of EISENSTEIN_SUM. */
LANE_CONSTANT uint8_t EISENSTEIN_LEVEL_END[TABLE_LEVELS] = {2, 9, 10, 10};

LANE_INLINE unsigned table_level_end(unsigned level) {
    return CURVE.has_glv ? EISENSTEIN_LEVEL_END[level] : TABLE_LEVEL_END[level];
}

LANE_INLINE struct table_sum table_sum(unsigned j) { return CURVE.has_glv ? EISENSTEIN_SUM[j] : TABLE_SUM[j]; }

/* The additions by which a chain goes through a table, adding +-lambda^j P each time. */
struct table_step {
    uint8_t entry, digit; /* digit: that of the unit, without its entry */
};

LANE_CONSTANT struct table_step EISENSTEIN_CHAIN[] = {
    {2, 0}, {9, 3}, {10, 0}, {4, 2}, {5, 0}, {7, 2}, {11, 5}, {8, 1}, {6, 4}, {3, 1},
};

LANE_INLINE unsigned table_sums(void) { return CURVE.has_glv ? EISENSTEIN_SUMS : TABLE_SUMS; }

LANE_INLINE struct table_step table_step(unsigned j) {
    struct table_step next = {(uint8_t)(j + 2), 0};
    return CURVE.has_glv ? EISENSTEIN_CHAIN[j] : next;
}

/* p = a for addition j of those from `first` on; p holds the one before's. */
LANE_INLINE void table_addend(struct affine *p, const struct multiplication *m, size_t slot, unsigned first,
                              unsigned j) {
    struct table_sum sum = table_sum(j);
    if (j > first && sum.a == table_sum(j - 1).a && sum.turn == table_sum(j - 1).turn)
        return;
    *p = table_entry(m, slot, sum.a);
    if (CURVE.has_glv)
        *p = eisenstein_addend(*p, sum.turn);
}

LANE_INLINE int table_sum_doubles(struct table_sum sum) { return sum.a == sum.b && sum.turn == 0; }

/* What the additions from `first` to `end` of a slot's table divide by; returns whether a sum is of equal or opposite
 * points or of infinity, as in tiny groups. */
LANE_INLINE int table_level_denominators(const struct worker *w, const struct multiplication *m, unsigned first,
                                         unsigned end, size_t i) {
    mask exceptional = mask_set(0);
    struct affine p = affine_infinity();
    for (unsigned j = first; j < end; j++) {
        struct table_sum sum = table_sum(j);
        struct affine q = table_entry(m, i, sum.b);
        table_addend(&p, m, i, first, j);
        fe denominator = table_sum_doubles(sum) ? fe_double(p.y) : fe_sub(q.x, p.x);
        exceptional = exceptional | affine_is_infinity(p) | affine_is_infinity(q) | fe_is_zero(denominator);
        limbs_store(m->table_z, (j - first) * w->count + i, denominator);
    }
    if (!mask_any(exceptional))
        return 0;
    for (unsigned j = first; j < end; j++) {
        table_addend(&p, m, i, first, j);
        fe denominator = affine_add_denominator(p, table_entry(m, i, table_sum(j).b));
        limbs_store(m->table_z, (j - first) * w->count + i, denominator);
    }
    return 1;
}

/* The entries of each slot's table that are the sums from `first` to `end`, affine, with one inversion for all.
 * 5M + 1S an entry, 5M + 2S for a doubling */
LANE_FUNCTION void batch_table_level(const struct worker *w, const struct multiplication *m, unsigned first,
                                     unsigned end) {
    int exceptional = 0;
    for (size_t i = w->first; i < w->count; i += w->step)
        exceptional |= table_level_denominators(w, m, first, end, i);
    batch_inverse(w, end - first, m->table_z, m->table_prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine p = affine_infinity();
        for (unsigned j = first; j < end; j++) {
            struct table_sum s = table_sum(j);
            struct affine q = table_entry(m, i, s.b), sum;
            table_addend(&p, m, i, first, j);
            fe inverse = limbs_load(m->table_z, (j - first) * w->count + i);
            if (exceptional)
                sum = affine_add(&p, &q, &inverse);
            else
                sum = table_sum_doubles(s) ? affine_double(&p, inverse) : affine_add_distinct(&p, &q, inverse);
            table_entry_store(m, i, s.sum, sum);
        }
    }
}

/* The computed entries of each slot's table from entry 1, for few slots: a doubling, additions of 8M + 3S, and 7M an entry
 * to make them affine with one inversion for all. */
LANE_FUNCTION void batch_table_chain(const struct worker *w, const struct multiplication *m) {
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine p = table_entry(m, i, 1);
        struct jacobian r = jacobian_from_affine(p);
        for (unsigned j = 0; j < table_sums(); j++) {
            struct table_step step = table_step(j);
            struct affine q = p;
            if (CURVE.has_glv && step.digit > 1)
                q.x = eisenstein_turn(q.x, lane32_set(step.digit));
            q = affine_negate_if(digit_is_negative(lane32_set(step.digit)), q);
            if (j == 0)
                jacobian_double(&r);
            else
                jacobian_add_affine(&r, &q);
            struct affine xy = {r.x, r.y};
            table_entry_store(m, i, step.entry, xy);
            limbs_store(m->table_z, j * w->count + i, r.z);
        }
    }
    batch_inverse(w, table_sums(), m->table_z, m->table_prefix);
    for (size_t i = w->first; i < w->count; i += w->step)
        for (unsigned j = 0; j < table_sums(); j++) {
            fe z_inverse = limbs_load(m->table_z, j * w->count + i);
            unsigned entry = table_step(j).entry;
            table_entry_store(m, i, entry, affine_from_jacobian(table_entry(m, i, entry), z_inverse));
        }
}

/* The tables of the affine points P of the column: 0, P, 2 P, ... 16 P, or with an endomorphism 0, P and what
 * EISENSTEIN_ENTRY says. */
LANE_FUNCTION void batch_tables(const struct worker *w, const struct multiplication *m, const limb *points) {
    for (size_t i = w->first; i < w->count; i += w->step) {
        table_entry_store(m, i, 0, affine_infinity());
        table_entry_store(m, i, 1, affine_load(points, i));
    }
    if (w->count / w->step < AFFINE_SLOTS) {
        batch_table_chain(w, m);
        return;
    }
    for (unsigned level = 0, first = 0; first < table_sums(); first = table_level_end(level++))
        batch_table_level(w, m, first, table_level_end(level));
}

/* With an endomorphism and digits that are indices, beta x and beta^2 x of each entry are kept beside it: in columns
 * j - 1 of table_z and table_prefix for entry j. */
LANE_INLINE int table_is_turned(enum secrecy secrecy) { return CURVE.has_glv && secrecy == PUBLIC && LANES == 1; }

static_assert(EISENSTEIN_ENTRIES - 1 <= TABLE_SUMS, "columns hold them");

/* Keeps them, once the tables are made and need those columns no more.     1M an entry */
LANE_FUNCTION void batch_table_turn(const struct worker *w, const struct multiplication *m) {
    for (size_t i = w->first; i < w->count; i += w->step)
        for (unsigned j = 1; j < EISENSTEIN_ENTRIES; j++) {
            size_t turned = (j - 1) * w->count + i;
            fe x = table_entry(m, i, j).x, beta_x = fe_mul(x, fe_set(&CURVE.glv.beta));
            limbs_store(m->table_z, turned, beta_x);
            limbs_store(m->table_prefix, turned, fe_neg(fe_add(x, beta_x))); /* 1 + beta + beta^2 = 0 */
        }
}

/* The point that a digit stands for, but for its sign, from what batch_table_turn has kept. Digit 0 has power 0. */
LANE_INLINE struct affine table_turned_entry(const struct worker *w, const struct multiplication *m, size_t slot,
                                             unsigned digit) {
    unsigned entry = digit >> 3, power = digit >> 1 & 3;
    const limb *column = power == 1 ? m->table_z : m->table_prefix;
    size_t at = (entry - 1) * w->count + slot;
    if (power == 0) {
        column = m->table;
        at = column_at(slot, 2 * TABLE_ENTRIES, 2 * entry);
    }
    struct affine r = {limbs_load(column, at), limbs_load(m->table, column_at(slot, 2 * TABLE_ENTRIES, 2 * entry + 1))};
    return r;
}

/* The point that a digit of recode_point stands for. Several lanes scan even where the digit is public: a masked load takes
 * less than its share of a gather. */
LANE_INLINE struct affine table_lookup(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                       size_t slot, lane32 digit) {
    lane32 entry = CURVE.has_glv ? eisenstein_entry(digit) : digit_magnitude(digit);
    struct affine r;
    if (table_is_turned(secrecy)) {
        r = table_turned_entry(w, m, slot, lane32_extract(digit, 0));
    } else if (secrecy == PUBLIC && LANES == 1) {
        r = table_entry(m, slot, lane32_extract(entry, 0));
    } else {
        r = affine_infinity();
        for (unsigned j = 1; j < table_sums() + 2; j++)
            r = affine_select(lane32_equal(entry, lane32_set(j)), table_entry(m, slot, j), r);
    }
    if (CURVE.has_glv && !table_is_turned(secrecy))
        r.x = eisenstein_turn(r.x, digit);
    return affine_negate_if(digit_is_negative(digit), r);
}

/* The digit of step `step` of point_multiply: those of v from the uppermost on, then u's. */
LANE_INLINE lane32 point_digit(const struct multiplication *m, size_t slot, unsigned step) {
    return step < point_windows() ? digit_load(point_digits_at(m, slot), point_windows() - 1 - step)
                                  : digit_load(base_digits_at(m, slot), step - point_windows());
}

static_assert(POINTS_IN_STEP <= 2, "jacobian_double_pair, and points_in_step, which leaves one");

/* Points of slots that are computed in step: some slot and the worker's next. */
struct points {
    struct jacobian v[POINTS_IN_STEP];
};

/* v * P for one or two slots, `slot` and slot + w->step, from the tables of their P: point_windows() steps, from the uppermost digit on, of
 * point_window() doublings and one addition. With tables not NULL u * G + v * P, by a further addition for each window of G;
 * u is public. All additions are one piece of code. That equal points never meet in secret: docs/constant-time.md. */
LANE_INLINE struct points point_multiply(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                         const void *tables, size_t slot, int count) {
    struct points r = {{jacobian_infinity()}};
    unsigned steps = point_windows() + (tables ? base_windows(PUBLIC) : 0);
    lane32 digit[POINTS_IN_STEP];
    for (int k = 0; k < count; k++)
        digit[k] = point_digit(m, slot + (size_t)k * w->step, 0);
    LANE_LOOP for (unsigned step = 0; step < steps; step++) {
        struct affine q[POINTS_IN_STEP];
        worker_keep_pace();
        if (step < point_windows()) {
            if (step > 0)
                LANE_LOOP for (unsigned j = 0; j < point_window(); j++) {
                    worker_keep_pace();
                    if (count == 1)
                        jacobian_double(r.v);
                    else
                        jacobian_double_pair(r.v);
                }
            for (int k = 0; k < count; k++)
                q[k] = table_lookup(secrecy, w, m, slot + (size_t)k * w->step, digit[k]);
        } else {
            for (int k = 0; k < count; k++)
                q[k] = base_lookup(PUBLIC, tables_public(tables), step - point_windows(), digit[k]);
        }
        if (step + 1 < steps) /* they arrive while points are added and doubled */
            for (int k = 0; k < count; k++)
                digit[k] = point_digit(m, slot + (size_t)k * w->step, step + 1);
        for (int k = 0; k < count; k++)
            if (step == 0)
                r.v[k] = jacobian_from_affine(q[k]);
            else if (secrecy == PUBLIC && LANES == 1)
                jacobian_add_affine_vartime(&r.v[k], &q[k]);
            else
                jacobian_add_affine(&r.v[k], &q[k]);
    }
    return r;
}

/* How many slots go in step, slot i and the worker's next: POINTS_IN_STEP unless i is its last. */
LANE_INLINE int points_in_step(const struct worker *w, size_t i) {
    return POINTS_IN_STEP == 1 || w->count - i > (POINTS_IN_STEP - 1) * w->step ? POINTS_IN_STEP : 1;
}

/* What batch_normalise makes points[i] of. */
LANE_INLINE void point_store(const struct multiplication *m, size_t i, const struct jacobian *r) {
    struct affine xy = {r->x, r->y};
    affine_store(m->points, i, xy);
    limbs_store(m->z, i, r->z);
}

/* points[i] = v_i * P_i, affine. The table of P is there, so are the digits. */
LANE_INLINE void batch_multiply_point(enum secrecy secrecy, const struct worker *w, const struct multiplication *m) {
    if (table_is_turned(secrecy))
        batch_table_turn(w, m);
    const size_t end = worker_end(w);
    for (size_t i = w->first; i < end; i += POINTS_IN_STEP * w->step) {
        int count = points_in_step(w, i);
        struct points r = point_multiply(secrecy, w, m, NULL, worker_slot(w, i), count);
        for (int k = 0; k < count; k++)
            if (i + (size_t)k * w->step < w->count)
                point_store(m, i + (size_t)k * w->step, &r.v[k]);
    }
    batch_normalise(w, m->points, m->z, m->prefix);
}

/* points[i] = u_i * G + v_i * P_i, affine, u and v public and in digits: u G by affine sums, added to v P at its end; or
 * G's windows are added to the accumulator of v P. `points`: the column of the P_i. */
LANE_FUNCTION void batch_multiply_add_vartime(const struct worker *w, const struct multiplication *m,
                                              const void *tables, const limb *points) {
    int by_sums = BASE_SUMS > 1 && w->count / w->step >= AFFINE_SLOTS;
    if (by_sums)
        batch_multiply_base_sums(PUBLIC, w, m, tables);
    batch_tables(w, m, points);
    if (table_is_turned(PUBLIC))
        batch_table_turn(w, m);
    const size_t end = worker_end(w);
    for (size_t i = w->first; i < end; i += POINTS_IN_STEP * w->step) {
        int count = points_in_step(w, i);
        struct points r = point_multiply(PUBLIC, w, m, by_sums ? NULL : tables, worker_slot(w, i), count);
        for (int k = 0; k < count; k++) {
            size_t at = i + (size_t)k * w->step;
            if (by_sums) {
                struct affine base = affine_load(m->points, at);
                jacobian_add_affine(&r.v[k], &base);
            }
            if (at < w->count)
                point_store(m, at, &r.v[k]);
        }
    }
    batch_normalise(w, m->points, m->z, m->prefix);
}

#endif
