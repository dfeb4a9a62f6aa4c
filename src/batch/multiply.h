/* Multiplication of columns of points: v * P from a table made for each point, and u * G + v * P, or u * G + v * Q for
 * keys Q whose tables are there.
 *
 * As in multiply_base.h functions take digits, and with SECRET read every entry of a table for each. */
#ifndef GECC_BATCH_MULTIPLY_H
#define GECC_BATCH_MULTIPLY_H

#include "batch/multiply_base.h"

/* Entry j of a slot's table. */
LANE_INLINE struct affine table_entry(const struct multiplication *m, size_t slot, size_t j) {
    return affine_load_part(m->table, slot, TABLE_ENTRIES, j);
}

LANE_INLINE void table_entry_store(const struct multiplication *m, size_t slot, size_t j, struct affine a) {
    affine_store_part(m->table, slot, TABLE_ENTRIES, j, a);
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

static_assert((int)TABLE_LEVELS == (int)EISENSTEIN_LEVELS, "batch_tables goes through the levels of either");

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
    if (j > first && sum.a == table_sum(j - 1).a && sum.rotation == table_sum(j - 1).rotation)
        return;
    *p = table_entry(m, slot, sum.a);
    if (CURVE.has_glv)
        *p = eisenstein_addend(*p, sum.rotation);
}

LANE_INLINE int table_sum_doubles(struct table_sum sum) { return sum.a == sum.b && sum.rotation == 0; }

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

/* The computed entries of each slot's table from entry 1, for few slots: a doubling, additions of 8M + 3S, and 7M an
 * entry to make them affine with one inversion for all. */
LANE_FUNCTION void batch_table_chain(const struct worker *w, const struct multiplication *m) {
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine p = table_entry(m, i, 1);
        struct jacobian r = jacobian_from_affine(p);
        for (unsigned j = 0; j < table_sums(); j++) {
            struct table_step step = table_step(j);
            struct affine q = p;
            if (CURVE.has_glv && step.digit > 1)
                q.x = eisenstein_rotate(q.x, lane32_set(step.digit));
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
LANE_INLINE int table_is_rotated(enum secrecy secrecy) { return CURVE.has_glv && secrecy == PUBLIC && LANES == 1; }

static_assert(EISENSTEIN_ENTRIES - 1 <= TABLE_SUMS, "columns hold them");

/* Keeps them, once the tables are made and need those columns no more.     1M an entry */
LANE_FUNCTION void batch_table_rotate(const struct worker *w, const struct multiplication *m) {
    for (size_t i = w->first; i < w->count; i += w->step)
        for (unsigned j = 1; j < EISENSTEIN_ENTRIES; j++) {
            size_t rotated = (j - 1) * w->count + i;
            fe x = table_entry(m, i, j).x, beta_x = fe_mul(x, fe_set(&CURVE.glv.beta));
            limbs_store(m->table_z, rotated, beta_x);
            limbs_store(m->table_prefix, rotated, fe_neg(fe_add(x, beta_x))); /* 1 + beta + beta^2 = 0 */
        }
}

/* The point that a digit stands for, but for its sign: the entry that the digit names, its x times a power of beta that
 * the digit names too. batch_table_rotate has kept beta x and beta^2 x of each entry; digit 0, which stands for none,
 * has power 0. */
LANE_INLINE struct affine table_rotated_entry(const struct worker *w, const struct multiplication *m, size_t slot,
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

/* The point that a digit of recode_point stands for. Several lanes scan even where the digit is public: a masked load
 * takes less than its share of a gather. */
LANE_INLINE struct affine table_lookup(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                       size_t slot, lane32 digit) {
    lane32 entry = CURVE.has_glv ? eisenstein_entry(digit) : digit_magnitude(digit);
    struct affine r;
    if (table_is_rotated(secrecy)) {
        r = table_rotated_entry(w, m, slot, lane32_extract(digit, 0));
    } else if (secrecy == PUBLIC && LANES == 1) {
        r = table_entry(m, slot, lane32_extract(entry, 0));
    } else {
        r = affine_infinity();
        for (unsigned j = 1; j < table_sums() + 2; j++)
            r = affine_select(lane32_equal(entry, lane32_set(j)), table_entry(m, slot, j), r);
    }
    if (CURVE.has_glv && !table_is_rotated(secrecy))
        r.x = eisenstein_rotate(r.x, digit);
    return affine_negate_if(digit_is_negative(digit), r);
}

/* The digit of step `step` of point_multiply: those of v from the uppermost on, then u's. */
LANE_INLINE lane32 point_digit(const struct multiplication *m, size_t slot, unsigned step) {
    return step < point_windows() ? digit_load(point_digits_at(m, slot), point_windows() - 1 - step)
                                  : digit_load(base_digits_at(m, slot), step - point_windows());
}

/* v * P for one or two slots, `slot` and slot + w->step, from the tables of their P: point_windows() steps, from the
 * uppermost digit on, of point_window() doublings and one addition. With tables not NULL u * G + v * P, by a further
 * addition for each window of G; u is public. All additions are one piece of code. That equal points never meet in
 * secret: docs/constant-time.md. */
LANE_INLINE struct points point_multiply(enum secrecy secrecy, const struct worker *w, const struct multiplication *m,
                                         const void *tables, size_t slot, int count) {
    struct points r = {{jacobian_infinity()}};
    unsigned steps = point_windows() + (tables ? base_windows(PUBLIC, tables) : 0);
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
                    points_double(&r, count);
                }
            for (int k = 0; k < count; k++)
                q[k] = table_lookup(secrecy, w, m, slot + (size_t)k * w->step, digit[k]);
        } else {
            for (int k = 0; k < count; k++)
                q[k] = base_lookup(PUBLIC, tables, step - point_windows(), digit[k]);
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

/* The same for sliding digits: a doubling for each bit, and an addition for each digit. */
LANE_INLINE struct points point_multiply_sliding_vartime(const struct worker *w, const struct multiplication *m,
                                                         const void *tables, size_t slot, int count) {
    const unsigned bits = sliding_bits(), steps = bits + (tables ? base_windows(PUBLIC, tables) : 0);
    const struct jacobian infinity = jacobian_from_affine(affine_infinity());
    struct points r;
    for (int k = 0; k < count; k++)
        r.v[k] = infinity;
    for (unsigned step = 0; step < steps; step++) {
        if (step < bits)
            points_double(&r, count);
        for (int k = 0; k < count; k++) {
            const size_t at = slot + (size_t)k * w->step;
            struct affine q;
            if (step < bits) {
                const uint8_t digit = ((const uint8_t *)point_digits_at(m, at))[bits - 1 - step];
                if (digit == 0)
                    continue;
                q = table_lookup(PUBLIC, w, m, at, lane32_set(digit));
            } else {
                q = base_lookup(PUBLIC, tables, step - bits, digit_load(base_digits_at(m, at), step - bits));
            }
            jacobian_add_affine_vartime(&r.v[k], &q);
        }
    }
    return r;
}

/* point_multiply, or where public scalars slide the same by their digits. */
LANE_INLINE struct points point_multiply_any(enum secrecy secrecy, const struct worker *w,
                                             const struct multiplication *m, const void *tables, size_t slot,
                                             int count) {
    return secrecy == PUBLIC && scalars_slide() ? point_multiply_sliding_vartime(w, m, tables, slot, count)
                                                : point_multiply(secrecy, w, m, tables, slot, count);
}

/* What batch_normalise makes points[i] of. */
LANE_INLINE void point_store(const struct multiplication *m, size_t i, const struct jacobian *r) {
    struct affine xy = {r->x, r->y};
    affine_store(m->points, i, xy);
    limbs_store(m->z, i, r->z);
}

/* points[i] = v_i * P_i, affine. The table of P is there, so are the digits. */
LANE_INLINE void batch_multiply_point(enum secrecy secrecy, const struct worker *w, const struct multiplication *m) {
    if (table_is_rotated(secrecy))
        batch_table_rotate(w, m);
    const size_t end = worker_end(w);
    for (size_t i = w->first; i < end; i += POINTS_IN_STEP * w->step) {
        int count = points_in_step(w, i);
        struct points r = point_multiply_any(secrecy, w, m, NULL, worker_slot(w, i), count);
        for (int k = 0; k < count; k++)
            if (i + (size_t)k * w->step < w->count)
                point_store(m, i + (size_t)k * w->step, &r.v[k]);
    }
    batch_normalise(w, m->points, m->z, m->prefix);
}

/* points[i] = u_i * G + v_i * P_i, affine, u and v public and in digits: u G by affine sums, added to v P at its end;
 * or G's windows are added to the accumulator of v P. `points`: the column of the P_i. */
LANE_FUNCTION void batch_multiply_add_vartime(const struct worker *w, const struct multiplication *m,
                                              const void *tables, const limb *points) {
    int by_sums = BASE_SUMS > 1 && w->count / w->step >= AFFINE_SLOTS;
    if (by_sums)
        batch_multiply_base_sums(PUBLIC, w, m, tables, NULL);
    batch_tables(w, m, points);
    if (table_is_rotated(PUBLIC))
        batch_table_rotate(w, m);
    const size_t end = worker_end(w);
    for (size_t i = w->first; i < end; i += POINTS_IN_STEP * w->step) {
        int count = points_in_step(w, i);
        struct points r = point_multiply_any(PUBLIC, w, m, by_sums ? NULL : tables, worker_slot(w, i), count);
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

/* points[i] = u_i * G + v_i * Q_i, affine, for keys whose tables are made, u and v public and in digits. */
LANE_FUNCTION void batch_multiply_add_keys_vartime(const struct worker *w, const struct multiplication *m,
                                                   const void *tables, const struct key_set *keys) {
    if (BASE_SUMS > 1 && w->count / w->step >= AFFINE_SLOTS) {
        batch_multiply_base_sums(PUBLIC, w, m, tables, keys);
        return;
    }
    for (size_t i = w->first; i < w->count; i += w->step) {
        const struct sum_with_keys s = {tables, keys, column32_load(m->key_tables, i), base_digits_at(m, i),
                                        point_digits_at(m, i)};
        group_sum r = multiply_add_keys_vartime(&s);
        multiplication_store(m, i, &r.point);
    }
    batch_normalise_xyzz(SCHEDULER_INVERSION, w, m->points, m->z, m->zzz, m->prefix);
}

#endif
