/* Sums of k_i P_i for public k_i and P_i of a curve of Weierstrass form: of many terms by buckets, of few by doublings
 * that they share.
 *
 * Points lie in rows, one behind the other (limbs_scatter_pair_vartime), since which of them are added to each other
 * the scalars decide. Every addition is affine and right for every two points; additions that do not wait for each
 * other share an inversion. Whoever sees the time learns scalars and points. */
#ifndef GECC_BATCH_TERM_SUMS_H
#define GECC_BATCH_TERM_SUMS_H

#include "batch/multiply.h"

enum {
    SUM_TERMS = 1 << 15,     /* that are summed at once, at most: docs/performance.md */
    BUCKET_TERMS_LEAST = 64, /* of a group whose terms go into buckets: docs/performance.md */
    BUCKET_WIDTH_LEAST = 4,  /* of windows */
    BUCKET_WIDTH_MOST = 13,  /* the same */
    CHAIN_TERMS = 16,        /* that share doublings, at most */
    SUM_SLOTS = 512 / LANES, /* of additions, or of tables of points, that share an inversion */
    SUM_ADDITIONS = SUM_SLOTS * LANES,
    SUM_POSITIONS = SCALAR_BITS + 2 * BUCKET_WIDTH_MOST /* bits of a recoded scalar, at most */
};

/* Where rows of points are: infinity; G; terms; sums of groups that have buckets; sums of runs, which are buckets or
 * chains (there are no more of either than terms); of a window's buckets sums of neighbours, level by level; of those
 * sums for each bit of a bucket's number; and the points that stand for a power of two. Chains of a group are added up
 * when no group has buckets any more, into the rows of levels and of bits together. */
enum {
    INFINITY_ROW = 0,
    GENERATOR_ROW = 1,
    TERM_ROW = 2,
    GROUP_ROW = TERM_ROW + SUM_TERMS,
    RUN_ROW = GROUP_ROW + SUM_TERMS / BUCKET_TERMS_LEAST,
    LEVEL_ROW = RUN_ROW + SUM_TERMS,
    BIT_ROW = LEVEL_ROW + SUM_TERMS / 2,
    POSITION_ROW = BIT_ROW + SUM_TERMS / 2 + 2,
    SUM_ROWS = POSITION_ROW + SUM_POSITIONS
};

static_assert(POSITION_ROW - LEVEL_ROW > SUM_TERMS, "as many chains as terms, in as many groups, have room (runs_sum)");

/* A point of the rows, or its negative: its row * 2 + sign bit. */
enum { INFINITY_REFERENCE = 2 * INFINITY_ROW };

struct term_sums {
    limb *rows;                     /* of points */
    limb *scalars;                  /* rows of terms, as those of points are numbered: k and 0; row 0 has 0 */
    limb *a, *b, *prefix;           /* columns of additions */
    uint32_t *to, *left, *right;    /* the additions that wait: row `to` = left + right, references */
    size_t additions;               /* how many these are */
    uint32_t *digits;               /* of a group's terms */
    uint32_t *index, *first, *next; /* references sorted into runs, where each run starts; scratch */
    uint32_t *chains;               /* of few terms: the first one's row * 32 + how many */
    limb *points;                   /* a column of the points of chains */
    struct multiplication m;
};

enum {
    /* Digits of most terms have the widest windows; windows of 10 bits or wider, if there are so many terms. */
    SUM_DIGITS = SUM_TERMS * WINDOW_COUNT(SCALAR_BITS, 10),
    SUM_WORDS = 3 * SUM_ADDITIONS + SUM_DIGITS + 4 * (SUM_TERMS + 1)
};

/* Memory for them, besides that of a multiplication of SUM_SLOTS slots. */
#define TERM_SUMS_BYTES                                                                                                \
    (((size_t)SUM_ROWS + TERM_ROW + SUM_TERMS) * ROW_LIMBS * sizeof(limb) + SUM_WORDS * sizeof(uint32_t) +             \
     (size_t)7 * SUM_SLOTS * LIMBS * LANES * sizeof(limb) + 16 * 64)

/* Rows are numbered one after the other: those of a slot whose first one is `row`; where it has fewer than LANES, the
 * last ones are `other`. */
LANE_INLINE lane32 rows_of_slot(uint32_t row, int rows, uint32_t other) {
    uint32_t at[LANES];
    for (int lane = 0; lane < LANES; lane++)
        at[lane] = lane < rows ? row + (uint32_t)lane : other;
    return lane32_load(at);
}

LANE_INLINE struct term_sums term_sums_take(struct arena *arena) {
    struct term_sums s;
    s.rows = (limb *)arena_take(arena, (size_t)SUM_ROWS * ROW_LIMBS * sizeof(limb));
    s.scalars = (limb *)arena_take(arena, ((size_t)TERM_ROW + SUM_TERMS) * ROW_LIMBS * sizeof(limb));
    s.a = affine_columns_take(arena, SUM_SLOTS, 1);
    s.b = affine_columns_take(arena, SUM_SLOTS, 1);
    s.prefix = column_take(arena, SUM_SLOTS);
    s.points = affine_columns_take(arena, SUM_SLOTS, 1);
    s.to = (uint32_t *)arena_take(arena, SUM_ADDITIONS * sizeof(uint32_t));
    s.left = (uint32_t *)arena_take(arena, SUM_ADDITIONS * sizeof(uint32_t));
    s.right = (uint32_t *)arena_take(arena, SUM_ADDITIONS * sizeof(uint32_t));
    s.additions = 0;
    s.digits = (uint32_t *)arena_take(arena, SUM_DIGITS * sizeof(uint32_t));
    s.index = (uint32_t *)arena_take(arena, (SUM_TERMS + 1) * sizeof(uint32_t));
    s.first = (uint32_t *)arena_take(arena, (SUM_TERMS + 1) * sizeof(uint32_t));
    s.next = (uint32_t *)arena_take(arena, (SUM_TERMS + 1) * sizeof(uint32_t));
    s.chains = (uint32_t *)arena_take(arena, (SUM_TERMS + 1) * sizeof(uint32_t));
    multiplication_take(&s.m, ANY_POINT, arena, SUM_SLOTS);
    struct affine zero = affine_infinity();
    entry_store(s.rows, lane32_set(INFINITY_ROW), zero, 1);
    entry_store(s.rows, lane32_set(GENERATOR_ROW), affine_canonical(affine_generator()), 1);
    entry_store(s.scalars, lane32_set(INFINITY_ROW), zero, 1);
    return s;
}

/* a[i] = a[i] + b[i], affine, for public points that are seldom infinity, equal or opposite: 5M + 1S a slot, a product
 * more where one of them is, and a share of one inversion. */
LANE_FUNCTION void batch_add_seldom_alike_vartime(size_t slots, limb *a, const limb *b, limb *prefix) {
    fe product = fe_one();
    for (size_t i = 0; i < slots; i++) {
        fe difference = fe_sub(affine_load(b, i).x, affine_load(a, i).x);
        limbs_store(prefix, i, product);
        product = fe_mul(product, affine_divisor_vartime(difference, a, i));
    }
    fe inverse = fe_inverse(product);
    for (size_t i = slots; i-- > 0;) {
        struct affine p = affine_load(a, i), q = affine_load(b, i);
        fe difference = fe_sub(q.x, p.x), own = fe_mul(inverse, limbs_load(prefix, i));
        mask rare = fe_is_zero(difference) | affine_is_infinity(p) | affine_is_infinity(q);
        inverse = fe_mul(inverse, affine_divisor_vartime(difference, a, i));
        affine_store(a, i, mask_any(rare) ? affine_add(&p, &q, &own) : affine_add_distinct(&p, &q, own));
    }
}

/* The points that references of a slot stand for. */
LANE_INLINE struct affine references_load(const struct term_sums *s, const uint32_t *references, size_t slot) {
    lane32 at = column32_load(references, slot);
    return affine_negate_if(lane32_is_odd(at), entry_load(s->rows, at >> 1));
}

/* Do the additions that wait. */
LANE_FUNCTION void additions_run(struct term_sums *s) {
    const size_t count = s->additions, slots = (count + LANES - 1) / LANES;
    if (count == 0)
        return;
    for (size_t i = count; i < slots * LANES; i++)
        s->to[i] = s->left[i] = s->right[i] = INFINITY_REFERENCE;
    for (size_t i = 0; i < slots; i++) {
        affine_store(s->a, i, references_load(s, s->left, i));
        affine_store(s->b, i, references_load(s, s->right, i));
    }
    batch_add_seldom_alike_vartime(slots, s->a, s->b, s->prefix);
    for (size_t i = 0; i < slots; i++)
        entry_store(s->rows, column32_load(s->to, i), affine_canonical(affine_load(s->a, i)), lanes_filled(count, i));
    s->additions = 0;
}

/* Row `to` = left + right, once additions_run is called, at the latest. Nothing that waits reads what another one
 * writes. */
LANE_INLINE void addition_add(struct term_sums *s, size_t to, uint32_t left, uint32_t right) {
    VERIFY(to < SUM_ROWS && left < 2 * SUM_ROWS && right < 2 * SUM_ROWS);
    s->to[s->additions] = (uint32_t)to;
    s->left[s->additions] = left;
    s->right[s->additions] = right;
    if (++s->additions == SUM_ADDITIONS)
        additions_run(s);
}

/* Run r has the references index[first[r]] .. index[first[r + 1] - 1]. The row of its sum: that and as many behind it
 * as are half the run, of those from row `to` on. */
LANE_INLINE size_t run_row(const struct term_sums *s, size_t to, size_t r) { return to + (s->first[r] + r + 1) / 2; }

LANE_INLINE uint32_t run_sum(const struct term_sums *s, size_t to, size_t r) {
    return s->first[r] == s->first[r + 1] ? (uint32_t)INFINITY_REFERENCE : (uint32_t)(2 * run_row(s, to, r));
}

/* The sums of runs, in rounds, of which each adds pairs: (number of references + runs) / 2 + 1 rows from `to` on are
 * written. */
LANE_FUNCTION void runs_sum(struct term_sums *s, size_t runs, size_t to) {
    int more = 1;
    for (size_t r = 0; r < runs; r++)
        for (uint32_t i = s->first[r], end = s->first[r + 1], half = 0; i < end; i += 2, half++)
            addition_add(s, run_row(s, to, r) + half, s->index[i],
                         i + 1 < end ? s->index[i + 1] : (uint32_t)INFINITY_REFERENCE);
    additions_run(s);
    for (size_t distance = 1; more; distance *= 2) {
        more = 0;
        for (size_t r = 0; r < runs; r++) {
            const size_t row = run_row(s, to, r), rows = (s->first[r + 1] - s->first[r] + 1) / 2;
            for (size_t i = 0; i + distance < rows; i += 2 * distance) {
                addition_add(s, row + i, (uint32_t)(2 * (row + i)), (uint32_t)(2 * (row + i + distance)));
                more = 1;
            }
        }
        additions_run(s);
    }
}

/* How the terms of a group go into buckets. Bucket i of a window, 1 <= i <= buckets, is for digits +-i. */
struct buckets {
    size_t term, count; /* rows TERM_ROW + term and so on */
    unsigned width, windows;
    size_t buckets; /* 2^(width - 1) */
    size_t at_once; /* windows */
};

/* The width for which there are fewest additions: one of each term for a window, and two of each bucket. */
LANE_INLINE struct buckets buckets_plan(size_t term, size_t count) {
    struct buckets b = {term, count, 0, 0, 0, 0};
    size_t fewest = SIZE_MAX;
    for (unsigned width = BUCKET_WIDTH_LEAST; width <= BUCKET_WIDTH_MOST; width++) {
        const unsigned windows = WINDOW_COUNT(SCALAR_BITS, width);
        const size_t additions = windows * (count + ((size_t)2 << (width - 1)));
        if (additions < fewest) {
            fewest = additions;
            b.width = width;
            b.windows = windows;
        }
    }
    b.buckets = (size_t)1 << (b.width - 1);
    b.at_once = SUM_TERMS / count < b.windows ? SUM_TERMS / count : b.windows;
    VERIFY(b.buckets <= count / 2 && b.width * b.windows <= SUM_POSITIONS);
    VERIFY((count + LANES) * b.windows <= SUM_DIGITS);
    return b;
}

/* Digits of the terms, those of a slot one behind the other. */
LANE_INLINE void buckets_recode(const struct term_sums *s, const struct buckets *b) {
    for (size_t slot = 0; slot * LANES < b->count; slot++) {
        const uint32_t row = (uint32_t)(TERM_ROW + b->term + slot * LANES);
        struct limbs k = entry_load(s->scalars, rows_of_slot(row, lanes_filled(b->count, slot), INFINITY_ROW)).x;
        recode_scalar(&k, b->width, b->windows, s->digits + slot * b->windows * LANES);
    }
}

LANE_INLINE uint32_t bucket_digit(const struct term_sums *s, const struct buckets *b, size_t i, size_t window) {
    return s->digits[(i / LANES * b->windows + window) * LANES + i % LANES];
}

/* Sort the terms into the runs of buckets, those of `windows` windows from `window` on. */
LANE_INLINE void buckets_sort(const struct term_sums *s, const struct buckets *b, size_t window, size_t windows) {
    uint32_t sum = 0;
    for (size_t run = 0; run <= windows * b->buckets; run++)
        s->next[run] = 0;
    for (size_t i = 0; i < b->count; i++)
        for (size_t v = 0; v < windows; v++) {
            const uint32_t digit = bucket_digit(s, b, i, window + v);
            if (digit >> 1 != 0)
                s->next[v * b->buckets + (digit >> 1) - 1]++;
        }
    for (size_t run = 0; run <= windows * b->buckets; run++) {
        const uint32_t count = s->next[run];
        s->first[run] = s->next[run] = sum;
        sum += count;
    }
    for (size_t i = 0; i < b->count; i++)
        for (size_t v = 0; v < windows; v++) {
            const uint32_t digit = bucket_digit(s, b, i, window + v);
            if (digit >> 1 != 0)
                s->index[s->next[v * b->buckets + (digit >> 1) - 1]++] =
                    (uint32_t)(2 * (TERM_ROW + b->term + i)) | (digit & 1);
        }
}

/* Sum i of level j of window number v: level 0 are the buckets, of which the one of number 0 is empty, and those of a
 * level are sums of two neighbours of the level before. Buckets are in s->next. */
LANE_INLINE uint32_t level_sum(const struct term_sums *s, const struct buckets *b, size_t v, unsigned j, size_t i) {
    if (j == 0)
        return i == 0 ? (uint32_t)INFINITY_REFERENCE : s->next[v * b->buckets + i - 1];
    return (uint32_t)(2 * (LEVEL_ROW + v * b->buckets + b->buckets - (b->buckets >> (j - 1)) + i));
}

/* Sum of i B_i over the buckets i < 2^(width - 1) of each window, as the points C_j in sum of 2^j C_j, j < width - 1:
 * C_j is the sum of buckets whose number has bit j, the odd ones of level j. The sums of runs, a window's one behind
 * the other, are C_0, C_1 and so on. */
LANE_INLINE void buckets_split(struct term_sums *s, const struct buckets *b, size_t windows) {
    size_t run = 0, used = 0;
    for (unsigned j = 1; j + 1 < b->width; j++) {
        for (size_t v = 0; v < windows; v++)
            for (size_t i = 0; i < b->buckets >> j; i++)
                addition_add(s, level_sum(s, b, v, j, i) / 2, level_sum(s, b, v, j - 1, 2 * i),
                             level_sum(s, b, v, j - 1, 2 * i + 1));
        additions_run(s);
    }
    for (size_t v = 0; v < windows; v++)
        for (unsigned j = 0; j + 1 < b->width; j++) {
            s->first[run++] = (uint32_t)used;
            for (size_t i = 1; i < b->buckets >> j; i += 2) {
                const uint32_t sum = level_sum(s, b, v, j, i);
                if (sum != INFINITY_REFERENCE)
                    s->index[used++] = sum;
            }
        }
    s->first[run] = (uint32_t)used;
    runs_sum(s, run, BIT_ROW);
}

/* Row POSITION_ROW + width * window + j = the points that 2^j times is a part of the window's sum, j < width. */
LANE_FUNCTION void buckets_sum_windows(struct term_sums *s, const struct buckets *b, size_t window, size_t windows) {
    buckets_sort(s, b, window, windows);
    runs_sum(s, windows * b->buckets, RUN_ROW);
    for (size_t run = 0; run < windows * b->buckets; run++)
        s->next[run] = run_sum(s, RUN_ROW, run);
    buckets_split(s, b, windows);
    for (size_t v = 0; v < windows; v++) {
        const size_t row = POSITION_ROW + b->width * (window + v), run = v * (b->width - 1);
        for (unsigned j = 0; j + 1 < b->width; j++)
            addition_add(s, row + j, run_sum(s, BIT_ROW, run + j), INFINITY_REFERENCE);
        addition_add(s, row + b->width - 1, s->next[(v + 1) * b->buckets - 1], INFINITY_REFERENCE);
    }
    additions_run(s);
}

LANE_INLINE void jacobian_add_public(struct jacobian *r, const struct affine *q) {
    if (LANES == 1)
        jacobian_add_affine_vartime(r, q);
    else
        jacobian_add_affine(r, q);
}

/* Row `to` = sum of 2^i (row POSITION_ROW + i). */
LANE_FUNCTION void positions_sum(const struct term_sums *s, size_t positions, size_t to) {
    struct jacobian r = jacobian_from_affine(entry_load(s->rows, lane32_set((uint32_t)(POSITION_ROW + positions - 1))));
    for (size_t i = positions - 1; i-- > 0;) {
        struct affine q = entry_load(s->rows, lane32_set((uint32_t)(POSITION_ROW + i)));
        jacobian_double(&r);
        jacobian_add_public(&r, &q);
    }
    struct affine xy = {r.x, r.y}, sum = affine_from_jacobian(xy, fe_inverse(r.z));
    entry_store(s->rows, lane32_set((uint32_t)to), affine_canonical(sum), 1);
}

/* Row `to` = the sum of the terms `term` and so on, BUCKET_TERMS_LEAST or more. */
LANE_FUNCTION void bucket_terms_sum_vartime(struct term_sums *s, size_t term, size_t count, size_t to) {
    const struct buckets b = buckets_plan(term, count);
    buckets_recode(s, &b);
    for (size_t window = 0; window < b.windows; window += b.at_once)
        buckets_sum_windows(s, &b, window, b.at_once < b.windows - window ? b.at_once : b.windows - window);
    positions_sum(s, (size_t)b.width * b.windows, to);
}

/* Few terms. A chain has up to CHAIN_TERMS, in one lane of slots that follow each other; its accumulator is doubled
 * once for all (Straus 1964). */

LANE_INLINE uint32_t chain_of(size_t term, size_t terms) { return (uint32_t)((TERM_ROW + term) << 5 | terms); }
LANE_INLINE unsigned chain_terms(uint32_t chain) { return chain & 31; }

static_assert(SLOT_GROUP == 1, "columns of digits are those of a CPU");
static_assert(CHAIN_TERMS < 32 && (SUM_SLOTS >= CHAIN_TERMS), "a chain is packed, and fits in a batch");

/* The most terms of the chains of a slot. */
LANE_INLINE unsigned chains_terms(const struct term_sums *s, size_t chain, int lanes) {
    unsigned terms = 0;
    for (int lane = 0; lane < lanes; lane++) {
        const unsigned here = chain_terms(s->chains[chain + (size_t)lane]);
        terms = here > terms ? here : terms;
    }
    return terms;
}

/* Term number t of each chain to a slot: its point and the digits of its scalar; of chains that have fewer G and 0. */
LANE_INLINE void chains_take(const struct term_sums *s, size_t chain, int lanes, unsigned t, size_t slot) {
    uint32_t point[LANES], factor[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        const uint32_t here = lane < lanes ? s->chains[chain + (size_t)lane] : 0;
        point[lane] = t < chain_terms(here) ? (here >> 5) + t : (uint32_t)GENERATOR_ROW;
        factor[lane] = t < chain_terms(here) ? (here >> 5) + t : (uint32_t)INFINITY_ROW;
    }
    struct limbs k = entry_load(s->scalars, lane32_load(factor)).x;
    affine_store(s->points, slot, entry_load(s->rows, lane32_load(point)));
    recode_point(&k, point_digits_at(&s->m, slot));
}

/* The sum of the terms in the slots `slot` and so on. */
LANE_INLINE struct jacobian chain_sum(const struct term_sums *s, const struct worker *w, size_t slot, unsigned terms) {
    struct jacobian r = jacobian_from_affine(table_lookup(PUBLIC, w, &s->m, slot, point_digit(&s->m, slot, 0)));
    for (unsigned step = 0; step < point_windows(); step++) {
        for (unsigned j = 0; step > 0 && j < point_window(); j++)
            jacobian_double(&r);
        for (unsigned t = step == 0; t < terms; t++) {
            struct affine q = table_lookup(PUBLIC, w, &s->m, slot + t, point_digit(&s->m, slot + t, step));
            jacobian_add_public(&r, &q);
        }
    }
    return r;
}

/* Rows RUN_ROW + chain and so on = the sums of chains, as many as have room; returns how many. */
LANE_FUNCTION size_t chains_sum_some(const struct term_sums *s, size_t chain, size_t chains) {
    unsigned terms[SUM_SLOTS];
    size_t slots = 0, sums = 0, slot = 0;
    for (; chain + sums * LANES < chains; sums++) {
        const size_t here = chain + sums * LANES;
        const int lanes = chains - here < LANES ? (int)(chains - here) : LANES;
        const unsigned most = chains_terms(s, here, lanes);
        if (slots + most > SUM_SLOTS)
            break;
        VERIFY(most != 0);
        terms[sums] = most;
        for (unsigned t = 0; t < most; t++)
            chains_take(s, here, lanes, t, slots++);
    }
    const struct worker w = {0, 1, slots}, all = {0, 1, sums};
    batch_tables(&w, &s->m, s->points);
    if (table_is_rotated(PUBLIC))
        batch_table_rotate(&w, &s->m);
    for (size_t i = 0; i < sums; slot += terms[i++]) {
        struct jacobian r = chain_sum(s, &w, slot, terms[i]);
        point_store(&s->m, i, &r);
    }
    batch_normalise(&all, s->m.points, s->m.z, s->m.prefix);
    for (size_t i = 0; i < sums; i++) {
        const size_t here = chain + i * LANES;
        const int lanes = chains - here < LANES ? (int)(chains - here) : LANES;
        entry_store(s->rows, rows_of_slot((uint32_t)(RUN_ROW + here), lanes, INFINITY_ROW),
                    affine_canonical(affine_load(s->m.points, i)), lanes);
    }
    return sums * LANES < chains - chain ? sums * LANES : chains - chain;
}

/* The sums of all chains. */
LANE_INLINE void chains_sum_vartime(const struct term_sums *s, size_t chains) {
    for (size_t chain = 0; chain < chains;)
        chain += chains_sum_some(s, chain, chains);
}

#endif
