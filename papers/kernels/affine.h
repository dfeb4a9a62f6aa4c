/* Multiplication of points by batches of affine additions: gECC, sections 3.3 and 3.4. The includer has included the
 * machine and the curve's constants. Scalars are public here, as they are nowhere where the library has secret ones:
 * what is added is decided by selection, and what is stored by branches on bits.
 *
 * Each bit takes an addition for every row of a worker, with Montgomery's trick over them (and over those of the other
 * workers of a scheduler): a way up, which multiplies what is divided by and keeps the products before, one inversion,
 * and a way down, which recomputes what it needs from the points that it loads anyway. */
#ifndef PAPERS_KERNELS_AFFINE_H
#define PAPERS_KERNELS_AFFINE_H

#include "scheme/sm2.h"

/* Of what points, products and quotients are kept in: the machine's columns, or slot after slot. */
enum layout { BY_COLUMNS, BY_SLOTS };

/* FUSED: the way down adds and doubles. APART: fractions are stored by passes of their own, and doublings have
 * theirs. */
enum fusion { FUSED, APART };

enum {
    SCALAR_WORDS = 2 * (WORDS + 1), /* bits of a slot's scalar: rapid.h has two for each */
    PAPERS_ELEMENTS = 2 + 3 * 2 + 5 + 1,
    PAPERS_COLUMNS = 16,
    PAPERS_SLOT_BYTES = (PAPERS_ELEMENTS * LIMBS * (int)sizeof(limb) + (SCALAR_WORDS + 1) * 4) * LANES,
    PAPERS_BYTES = 64 * PAPERS_COLUMNS + (SLOT_GROUP - 1) * PAPERS_SLOT_BYTES /* of a chunk besides */
};

static_assert(LANES == 1, "branches on bits");

/* A chunk with its columns; c.points are P, c.m.points are Q, and what is computed. */
struct papers {
    struct chunk c;
    limb *prefix, *fractions, *other, *z;
    uint32_t *bits;
};

/* prefix comes first: it is what an L2 cache is to keep. */
LANE_INLINE struct papers papers_open(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct papers p;
    memset(&p, 0, sizeof p);
    p.prefix = column_take(arena, count);
    p.fractions = column_take(arena, count);
    p.c.job = job;
    p.c.first = first;
    p.c.count = count;
    p.c.worker = worker_of_chunk(count);
    p.c.status = columns32_take(arena, count, 1);
    p.bits = columns32_take(arena, count, SCALAR_WORDS);
    p.c.r = column_take(arena, count);
    p.c.s = column_take(arena, count);
    p.c.e = column_take(arena, count);
    p.c.d = column_take(arena, count);
    p.c.k = column_take(arena, count);
    p.z = column_take(arena, count);
    p.c.points = affine_columns_take(arena, count, 1);
    p.c.m.points = affine_columns_take(arena, count, 1);
    p.other = affine_columns_take(arena, count, 1);
    return p;
}

/* Words of a slot's bits. */
LANE_INLINE uint32_t *bits_at(const struct papers *p, size_t slot, unsigned word) {
    return p->bits + column_at(slot, SCALAR_WORDS, word);
}

LANE_INLINE void bits_store(const struct papers *p, size_t slot, struct limbs k) {
    lane32 words[WORDS];
    limbs_to_words(words, k);
    LANE_UNROLL for (unsigned i = 0; i < WORDS; i++) * bits_at(p, slot, i) = words[WORDS - 1 - i];
}

LANE_INLINE int bit_at(const struct papers *p, size_t slot, unsigned bit) {
    return *bits_at(p, slot, bit / 32) >> bit % 32 & 1;
}

/* Element `part` of `parts` of a slot. */
LANE_INLINE fe element_load(enum layout layout, const limb *column, size_t slot, unsigned parts, unsigned part) {
    return layout == BY_SLOTS ? limbs_load_row(column + (slot * parts + part) * LIMBS)
                              : limbs_load(column, column_at(slot, parts, part));
}

LANE_INLINE void element_store(enum layout layout, limb *column, size_t slot, unsigned parts, unsigned part, fe a) {
    if (layout == BY_SLOTS)
        limbs_store_row(column + (slot * parts + part) * LIMBS, a, 0);
    else
        limbs_store(column, column_at(slot, parts, part), a);
}

LANE_INLINE struct affine point_load(enum layout layout, const limb *points, size_t slot) {
    struct affine a = {element_load(layout, points, slot, 2, 0), element_load(layout, points, slot, 2, 1)};
    return a;
}

LANE_INLINE void point_save(enum layout layout, limb *points, size_t slot, struct affine a) {
    element_store(layout, points, slot, 2, 0, a.x);
    element_store(layout, points, slot, 2, 1, a.y);
}

/* From columns to slots, or back, in place of another array of points. */
LANE_FUNCTION void points_move(enum layout from, enum layout to, const struct worker *w, limb *target,
                               const limb *source) {
    for (size_t i = w->first; i < w->count; i += w->step)
        point_save(to, target, i, point_load(from, source, i));
}

/* What is multiplied instead of a zero. */
LANE_INLINE fe one_for_zero(fe a) { return fe_select(fe_is_zero(a), fe_one(), a); }

/* p + q, given 1 / (xp - xq) where that is not 0, for any points.     2M + 1S */
LANE_INLINE struct affine sum_of(struct affine p, struct affine q, fe inverse) {
    if (mask_any(fe_equal(p.x, q.x) | affine_is_infinity(p) | affine_is_infinity(q))) {
        struct affine a = p, b = q, sum;
        affine_add_rarely(&sum, &a, &b);
        return sum;
    }
    return affine_add_distinct(&q, &p, inverse);
}

/* 2 p, given 1 / 2 y, for any point: infinity has y = 0.     2M + 2S */
LANE_INLINE struct affine double_of(struct affine p, fe inverse) {
    struct affine twice = affine_double(&p, inverse);
    return affine_select(affine_is_infinity(p), p, twice);
}

/* 1 / product, of which a scheduler's warps share one inversion: section 3.2. */
LANE_INLINE fe batch_quotient(fe product) {
    mask exists;
    return worker_quotient(SCHEDULER_INVERSION, &CURVE.p, limbs_set(&CURVE.p.r_squared), product, &exists);
}

/* My slots from the last one down. */
#define SLOTS_DOWN(w, i)                                                                                               \
    size_t i = (w)->first < (w)->count ? worker_last(w) : (w)->count;                                                  \
    i < (w)->count;                                                                                                    \
    i = i == (w)->first ? (w)->count : i - (w)->step

/* q[i] += the point t where the bit of i is 1.     5M + 1S a slot */
LANE_INLINE void batch_add_fixed(enum layout layout, const struct papers *p, limb *points, unsigned bit,
                                 const struct affine *t) {
    const struct worker *w = &p->c.worker;
    fe product = fe_one();
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        element_store(layout, p->prefix, i, 1, 0, product);
        fe x = element_load(layout, points, i, 2, 0);
        product = fe_mul(product, one_for_zero(fe_sub(t->x, x)));
    }
    fe inverse = batch_quotient(product);
    LANE_LOOP for (SLOTS_DOWN(w, i)) {
        struct affine q = point_load(layout, points, i);
        fe own = fe_mul(inverse, element_load(layout, p->prefix, i, 1, 0));
        inverse = fe_mul(inverse, one_for_zero(fe_sub(t->x, q.x)));
        struct affine sum = sum_of(*t, q, own);
        if (bit_at(p, i, bit))
            point_save(layout, points, i, sum);
    }
}

/* The same by passes: differences and products, quotients, sums. */
LANE_INLINE void batch_add_fixed_apart(enum layout layout, const struct papers *p, limb *points, unsigned bit,
                                       const struct affine *t) {
    const struct worker *w = &p->c.worker;
    fe product = fe_one();
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        fe difference = one_for_zero(fe_sub(t->x, element_load(layout, points, i, 2, 0)));
        element_store(layout, p->prefix, i, 1, 0, product);
        element_store(layout, p->fractions, i, 1, 0, difference);
        product = fe_mul(product, difference);
    }
    fe inverse = batch_quotient(product);
    LANE_LOOP for (SLOTS_DOWN(w, i)) {
        fe own = fe_mul(inverse, element_load(layout, p->prefix, i, 1, 0));
        inverse = fe_mul(inverse, element_load(layout, p->fractions, i, 1, 0));
        element_store(layout, p->fractions, i, 1, 0, own);
    }
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine q = point_load(layout, points, i);
        struct affine sum = sum_of(*t, q, element_load(layout, p->fractions, i, 1, 0));
        if (bit_at(p, i, bit))
            point_save(layout, points, i, sum);
    }
}

/* m.points[i] += points[i]; only the products before are kept between the two ways.     5M + 1S a slot */
LANE_INLINE void batch_add_pairs(enum inversion inversion, const struct papers *p) {
    const struct worker *w = &p->c.worker;
    mask exists;
    fe product = fe_one();
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        limbs_store(p->prefix, i, product);
        fe x = element_load(BY_COLUMNS, p->c.points, i, 2, 0), other = element_load(BY_COLUMNS, p->c.m.points, i, 2, 0);
        product = fe_mul(product, one_for_zero(fe_sub(x, other)));
    }
    fe inverse = worker_quotient(inversion, &CURVE.p, limbs_set(&CURVE.p.r_squared), product, &exists);
    LANE_LOOP for (SLOTS_DOWN(w, i)) {
        struct affine a = affine_load(p->c.points, i), q = affine_load(p->c.m.points, i);
        fe own = fe_mul(inverse, limbs_load(p->prefix, i));
        inverse = fe_mul(inverse, one_for_zero(fe_sub(a.x, q.x)));
        affine_store(p->c.m.points, i, sum_of(a, q, own));
    }
}

/* powers: rows of 2^i G for i < SCALAR_BITS. */
LANE_FUNCTION void powers_fill(const struct worker *w, limb *powers) {
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct jacobian r = jacobian_from_affine(affine_generator());
        for (size_t k = 0; k < i; k++)
            jacobian_double(&r);
        struct affine xy = {r.x, r.y};
        xy = affine_from_jacobian(xy, fe_inverse(r.z));
        struct limbs pair[2] = {xy.x, xy.y};
        limbs_store_pair(powers + i * ROW_LIMBS, pair, 0);
    }
}

LANE_INLINE struct affine power_load(const limb *powers, unsigned i) {
    struct affine t = {limbs_load_row(powers + i * ROW_LIMBS), limbs_load_row(powers + i * ROW_LIMBS + LIMBS)};
    return t;
}

/* m.points = k G for the scalars of p->bits, bit by bit.     32 WORDS (5M + 1S) */
LANE_INLINE void batch_multiply_fixed(enum layout layout, enum fusion fusion, const struct papers *p,
                                      const limb *powers) {
    const struct worker *w = &p->c.worker;
    limb *points = layout == BY_SLOTS ? p->other : p->c.m.points;
    for (size_t i = w->first; i < w->count; i += w->step)
        point_save(layout, points, i, affine_infinity());
    LANE_LOOP for (unsigned bit = 0; bit < SCALAR_BITS; bit++) {
        struct affine t = power_load(powers, bit);
        if (fusion == FUSED)
            batch_add_fixed(layout, p, points, bit, &t);
        else
            batch_add_fixed_apart(layout, p, points, bit, &t);
    }
    if (layout == BY_SLOTS)
        points_move(BY_SLOTS, BY_COLUMNS, w, p->c.m.points, points);
}

/* q[i] += p[i] where the bit of i is 1, and p[i] doubles, by one inversion: algorithm 3. Of the two products of a slot one is
 * kept; the other is computed again.     11M + 3S a slot */
LANE_INLINE void batch_add_double(enum layout layout, const struct papers *p, limb *doubled, limb *sums, unsigned bit) {
    const struct worker *w = &p->c.worker;
    fe product = fe_one();
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        element_store(layout, p->prefix, i, 1, 0, product);
        fe y = element_load(layout, doubled, i, 2, 1);
        product = fe_mul(product, one_for_zero(fe_double(y)));
        fe difference = fe_sub(element_load(layout, doubled, i, 2, 0), element_load(layout, sums, i, 2, 0));
        product = fe_mul(product, one_for_zero(difference));
    }
    fe inverse = batch_quotient(product);
    LANE_LOOP for (SLOTS_DOWN(w, i)) {
        struct affine a = point_load(layout, doubled, i), q = point_load(layout, sums, i);
        fe before = element_load(layout, p->prefix, i, 1, 0);
        fe twice_y = one_for_zero(fe_double(a.y)), difference = one_for_zero(fe_sub(a.x, q.x));
        fe own = fe_mul(inverse, fe_mul(twice_y, before));
        struct affine sum = sum_of(a, q, own);
        if (bit_at(p, i, bit))
            point_save(layout, sums, i, sum);
        inverse = fe_mul(inverse, difference);
        own = fe_mul(inverse, before);
        inverse = fe_mul(inverse, twice_y);
        point_save(layout, doubled, i, double_of(a, own));
    }
}

/* The same by passes, additions apart from doublings. */
LANE_INLINE void batch_add_double_apart(enum layout layout, const struct papers *p, limb *doubled, limb *sums,
                                        unsigned bit) {
    const struct worker *w = &p->c.worker;
    LANE_LOOP for (int doubling = 0; doubling <= 1; doubling++) {
        fe product = fe_one();
        LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
            fe divisor;
            if (doubling)
                divisor = fe_double(element_load(layout, doubled, i, 2, 1));
            else
                divisor = fe_sub(element_load(layout, doubled, i, 2, 0), element_load(layout, sums, i, 2, 0));
            divisor = one_for_zero(divisor);
            element_store(layout, p->prefix, i, 1, 0, product);
            element_store(layout, p->fractions, i, 1, 0, divisor);
            product = fe_mul(product, divisor);
        }
        fe inverse = batch_quotient(product);
        LANE_LOOP for (SLOTS_DOWN(w, i)) {
            fe own = fe_mul(inverse, element_load(layout, p->prefix, i, 1, 0));
            inverse = fe_mul(inverse, element_load(layout, p->fractions, i, 1, 0));
            element_store(layout, p->fractions, i, 1, 0, own);
        }
        LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
            fe own = element_load(layout, p->fractions, i, 1, 0);
            struct affine a = point_load(layout, doubled, i);
            if (doubling) {
                point_save(layout, doubled, i, double_of(a, own));
            } else {
                struct affine sum = sum_of(a, point_load(layout, sums, i), own);
                if (bit_at(p, i, bit))
                    point_save(layout, sums, i, sum);
            }
        }
    }
}

/* k P, affine, for the scalars of p->bits and P of c.points, which are lost, from the lowest bit on. Returns the
 * column. 32 WORDS (11M + 3S) */
LANE_INLINE limb *batch_multiply_unknown(enum layout layout, enum fusion fusion, const struct papers *p) {
    const struct worker *w = &p->c.worker;
    limb *doubled = layout == BY_SLOTS ? p->c.m.points : p->c.points;
    limb *sums = layout == BY_SLOTS ? p->other : p->c.m.points;
    if (layout == BY_SLOTS)
        points_move(BY_COLUMNS, BY_SLOTS, w, doubled, p->c.points);
    for (size_t i = w->first; i < w->count; i += w->step)
        point_save(layout, sums, i, affine_infinity());
    LANE_LOOP for (unsigned bit = 0; bit < SCALAR_BITS; bit++) {
        if (fusion == FUSED)
            batch_add_double(layout, p, doubled, sums, bit);
        else
            batch_add_double_apart(layout, p, doubled, sums, bit);
    }
    if (layout == BY_COLUMNS)
        return sums;
    points_move(BY_SLOTS, BY_COLUMNS, w, p->c.points, sums);
    return p->c.points;
}

#endif
