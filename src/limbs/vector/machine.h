/* Integers of vector machines: LANES lanes, limbs of 52 bits. Included after the lanes of one.
 *
 * The includer defines the number of limbs, and of 32-bit words, before: `enum { LIMBS = 5, WORDS = 8 };`. A struct
 * limbs is an integer in [0, 2^(52 LIMBS)) in each lane, every limb below 2^52, least significant first. Everything but
 * what has vartime in its name runs in constant time, and reads no address that depends on a lane. Nothing gathers:
 * eight loads and a transposition take less. */
#ifndef GECC_LIMBS_VECTOR_MACHINE_H
#define GECC_LIMBS_VECTOR_MACHINE_H

#include <stddef.h>
#include <string.h>

#include "limbs/vector/lanes.h"

typedef uint64_t limb;

/* Two points of eight limbs take longer in step (docs/performance.md). */
#define LIMB_BITS 52
enum { LIMB_WORDS = 2, SLOT_GROUP = 1, ALIGNED_ROWS = 0, POINTS_IN_STEP = LIMBS < 8 ? 2 : 1 };

#include "limbs/modulus.h"

struct limbs {
    lane64 v[LIMBS];
};

/* The low 52 bits of every lane. */
LANE_INLINE lane64 limb_low(lane64 v) { return v & lane64_set(((limb)1 << LIMB_BITS) - 1); }

LANE_INLINE struct limbs limbs_set(const struct limbs_constant *c) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = lane64_set(c->v[i]);
    return r;
}

LANE_INLINE struct limbs limbs_zero(void) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = lane64_set(0);
    return r;
}

/* Limbs of any size, in two's complement, to limbs below 2^52; the last keeps what is above, with its sign. */
LANE_INLINE struct limbs limbs_carry(struct limbs t) {
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) {
        t.v[i + 1] = t.v[i + 1] + lane64_shift_right_signed(t.v[i], LIMB_BITS);
        t.v[i] = limb_low(t.v[i]);
    }
    return t;
}

/* r = a + b mod R; *carry: whether it overflowed. */
LANE_INLINE struct limbs limbs_add(struct limbs a, struct limbs b, mask *carry) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = a.v[i] + b.v[i];
    a = limbs_carry(a);
    *carry = lane64_test(a.v[LIMBS - 1], lane64_set((limb)1 << LIMB_BITS));
    a.v[LIMBS - 1] = limb_low(a.v[LIMBS - 1]);
    return a;
}

/* r = a - b mod R; *borrow: whether a < b. */
LANE_INLINE struct limbs limbs_sub(struct limbs a, struct limbs b, mask *borrow) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = a.v[i] - b.v[i];
    a = limbs_carry(a);
    *borrow = lane64_is_negative(a.v[LIMBS - 1]);
    a.v[LIMBS - 1] = limb_low(a.v[LIMBS - 1]);
    return a;
}

/* m ? a : b. */
LANE_INLINE struct limbs limbs_select(mask m, struct limbs a, struct limbs b) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = lane64_blend(m, a.v[i], b.v[i]);
    return a;
}

/* a < b. */
LANE_INLINE mask limbs_less(struct limbs a, struct limbs b) {
    mask borrow;
    limbs_sub(a, b, &borrow);
    return borrow;
}

LANE_INLINE mask limbs_is_zero(struct limbs a) {
    lane64 any = a.v[0];
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) any = any | a.v[i];
    return lane64_is_zero(any);
}

LANE_INLINE mask limbs_equal(struct limbs a, struct limbs b) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = a.v[i] ^ b.v[i];
    return limbs_is_zero(a);
}

LANE_INLINE mask limbs_is_odd(struct limbs a) { return lane64_test(a.v[0], lane64_set(1)); }

/* floor((carry : a) / 2), carry being a mask for bit 52 * LIMBS. */
LANE_INLINE struct limbs limbs_half(struct limbs a, mask carry) {
    lane64 top = lane64_blend(carry, lane64_set((limb)1 << (LIMB_BITS - 1)), lane64_set(0));
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) a.v[i] = a.v[i] >> 1 | limb_low(a.v[i + 1] << (LIMB_BITS - 1));
    a.v[LIMBS - 1] = a.v[LIMBS - 1] >> 1 | top;
    return a;
}

/* Bits from .. from + width - 1 of a, width <= 24; bits past the end read 0. from and width are uniform. */
LANE_INLINE lane32 limbs_bits(const struct limbs *a, unsigned from, unsigned width) {
    unsigned i = from / LIMB_BITS, shift = from % LIMB_BITS;
    lane64 bits = i < LIMBS ? a->v[i] >> shift : lane64_set(0);
    if (i + 1 < LIMBS)
        bits = bits | a->v[i + 1] << (LIMB_BITS - shift);
    return lane64_low(bits) & lane32_set((1u << width) - 1);
}

/* Digit i of `width` bits; asked for in turn, i = 0, 1, ... */
LANE_INLINE lane32 limbs_next_bits(struct limbs *k, unsigned i, unsigned width) {
    return limbs_bits(k, i * width, width);
}

/* round(a * b / 2^shift), shift a constant from 64 up; the result must fit. */
LANE_INLINE struct limbs limbs_mul_high(struct limbs a, struct limbs b, unsigned shift) {
    lane64 t[2 * LIMBS + 2];
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS + 2; i++) t[i] = lane64_set(0);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) LANE_UNROLL for (int j = 0; j < LIMBS; j++) {
        t[i + j] = lane64_add_product_low(t[i + j], a.v[i], b.v[j]);
        t[i + j + 1] = lane64_add_product_high(t[i + j + 1], a.v[i], b.v[j]);
    }
    unsigned half = shift - 1, first = shift / LIMB_BITS, bit = shift % LIMB_BITS;
    t[half / LIMB_BITS] = t[half / LIMB_BITS] + lane64_set((limb)1 << half % LIMB_BITS);
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) {
        t[i + 1] = t[i + 1] + (t[i] >> LIMB_BITS);
        t[i] = limb_low(t[i]);
    }
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        unsigned k = first + (unsigned)i;
        r.v[i] = k < 2 * LIMBS + 1 ? limb_low(t[k] >> bit | t[k + 1] << (LIMB_BITS - bit)) : lane64_set(0);
    }
    return r;
}

/* The bits of `words` (32-bit words, most significant first) from bit `from` up, 64 or fewer at the end; a constant. */
LANE_INLINE lane64 words_bits(const lane32 *words, int from) {
    int k = from / 32, shift = from % 32;
    lane64 r = lane64_set(0);
    if (k < WORDS)
        r = lane64_join(k + 1 < WORDS ? words[WORDS - 2 - k] : lane32_set(0), words[WORDS - 1 - k]) >> shift;
    if (shift && k + 2 < WORDS)
        r = r | lane64_from_lane32(words[WORDS - 3 - k]) << (64 - shift);
    return r;
}

/* WORDS 32-bit words, most significant first, to an integer and back. */
LANE_INLINE struct limbs limbs_from_words(const lane32 *words) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_low(words_bits(words, LIMB_BITS * i));
    return r;
}

LANE_INLINE void limbs_to_words(lane32 *words, struct limbs a) {
    LANE_UNROLL for (int k = 0; k < WORDS; k++) {
        int i = 32 * k / LIMB_BITS, shift = 32 * k % LIMB_BITS;
        lane64 bits = a.v[i] >> shift;
        if (shift > LIMB_BITS - 32 && i + 1 < LIMBS)
            bits = bits | a.v[i + 1] << (LIMB_BITS - shift);
        words[WORDS - 1 - k] = lane64_low(bits);
    }
}

/* Columns: slot i holds LANES consecutive items; limb j of its lane l is column[(i * LIMBS + j) * LANES + l]. */
LANE_INLINE struct limbs limbs_load(const limb *column, size_t slot) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] =
        lane64_load_aligned(column + (slot * LIMBS + (size_t)i) * LANES);
    return r;
}

LANE_INLINE void limbs_store(limb *column, size_t slot, struct limbs a) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++)
        lane64_store_aligned(column + (slot * LIMBS + (size_t)i) * LANES, a.v[i]);
}

/* Rows, the same for every lane: LIMBS limbs at row + j. */
LANE_INLINE struct limbs limbs_load_row(const limb *row) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = lane64_set(row[i]);
    return r;
}

LANE_INLINE void limbs_store_row(limb *row, struct limbs a, int lane) {
    for (int i = 0; i < LIMBS; i++)
        row[i] = lane64_extract(a.v[i], lane);
}

/* Limb j of lane `lane`. */
LANE_INLINE limb limbs_extract(struct limbs a, unsigned j, int lane) { return lane64_extract(a.v[j], lane); }

/* Tables that are indexed: rows of a pair of integers below 2^(32 WORDS), as words of 64 bits, in whole cache lines. */
enum { PAIR_WORDS = (WORDS + 1) / 2, ROW_LIMBS = (2 * PAIR_WORDS + 7) / 8 * 8 };

/* Row = lane `lane` of the pair. */
LANE_INLINE void limbs_store_pair(limb *row, const struct limbs pair[2], int lane) {
    for (int i = 0; i < ROW_LIMBS; i++) {
        int bit = 64 * (i % PAIR_WORDS), j = bit / LIMB_BITS, shift = bit % LIMB_BITS;
        row[i] = 0;
        for (int k = 0; i < 2 * PAIR_WORDS && k < 3 && j + k < LIMBS; k++) {
            limb v = lane64_extract(pair[i / PAIR_WORDS].v[j + k], lane);
            row[i] |= k == 0 ? v >> shift : LIMB_BITS * k - shift < 64 ? v << (LIMB_BITS * k - shift) : 0;
        }
    }
}

/* Bring the rows index[l] near. Public data only. */
LANE_INLINE void limbs_prefetch_pair_vartime(const limb *rows, lane32 index) {
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < ROW_LIMBS; i += 8)
            __builtin_prefetch(rows + (size_t)lane32_extract(index, l) * ROW_LIMBS + i);
}

/* 52 bits from bit `from` on of the words, a constant. */
LANE_INLINE lane64 pair_limb(const lane64 *words, int from) {
    int k = from / 64, shift = from % 64;
    lane64 r = words[k] >> shift;
    if (shift > 64 - LIMB_BITS && k + 1 < PAIR_WORDS)
        r = r | words[k + 1] << (64 - shift);
    return limb_low(r);
}

/* Lane l: row index[l]. Loads the rows, whose addresses depend on the index: public data only. */
LANE_INLINE void limbs_gather_pair_vartime(struct limbs pair[2], const limb *rows, lane32 index) {
    lane64 words[ROW_LIMBS];
    LANE_UNROLL for (int i = 0; i < ROW_LIMBS; i += LANES) {
        LANE_UNROLL for (int l = 0; l < LANES; l++) words[i + l] =
            lane64_load_aligned(rows + (size_t)lane32_extract(index, l) * ROW_LIMBS + i);
        lane64_transpose(words + i);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        pair[0].v[i] = pair_limb(words, LIMB_BITS * i);
        pair[1].v[i] = pair_limb(words + PAIR_WORDS, LIMB_BITS * i);
    }
}

/* Word i of 64 bits of the integer. */
LANE_INLINE lane64 pair_word(struct limbs a, int i) {
    int bit = 64 * i, j = bit / LIMB_BITS, shift = bit % LIMB_BITS;
    lane64 r = a.v[j] >> shift;
    if (j + 1 < LIMBS)
        r = r | a.v[j + 1] << (LIMB_BITS - shift);
    if (j + 2 < LIMBS && 2 * LIMB_BITS - shift < 64)
        r = r | a.v[j + 2] << (2 * LIMB_BITS - shift);
    return r;
}

/* The way back: row index[l] = lane l of the pair, for the first `lanes`. The integers are canonical. */
LANE_INLINE void limbs_scatter_pair_vartime(limb *rows, lane32 index, const struct limbs pair[2], int lanes) {
    lane64 words[ROW_LIMBS];
    LANE_UNROLL for (int i = 0; i < ROW_LIMBS; i++) words[i] =
        i < 2 * PAIR_WORDS ? pair_word(pair[i / PAIR_WORDS], i % PAIR_WORDS) : lane64_set(0);
    LANE_UNROLL for (int i = 0; i < ROW_LIMBS; i += LANES) {
        lane64_transpose(words + i);
        for (int l = 0; l < lanes; l++)
            lane64_store_aligned(rows + (size_t)lane32_extract(index, l) * ROW_LIMBS + i, words[i + l]);
    }
}

/* Tables that are scanned: `entries` entries, a multiple of 16, whose limbs stand apart. */
#define LIMBS_OWN_SCAN
enum { SCAN_ENTRIES = 16, SCAN_PARTS = 1 };

/* Limb j < parts LIMBS of entry `entry` of a table. */
LANE_INLINE void limbs_scan_store(limb *table, int parts, unsigned entries, unsigned entry, unsigned j, limb value) {
    (void)parts;
    table[(size_t)j * entries + entry] = value;
}

/* Lane l: entry index[l] of a table whose entries have `parts` integers, zeros where the index is `entries` or more.
 * Every entry is read; the index permutes registers. */
LANE_INLINE void limbs_scan(struct limbs *result, int parts, const limb *table, unsigned entries, lane32 index) {
    lane64 at = lane64_from_lane32(index);
    for (int j = 0; j < parts * LIMBS; j++) {
        const limb *plane = table + (size_t)j * entries;
        lane64 r = lane64_set(0);
        for (unsigned first = 0; first < entries; first += LOOKUP_ENTRIES) {
            mask here = lane64_is_zero((at & lane64_set(-(uint64_t)LOOKUP_ENTRIES)) ^ lane64_set(first));
            r = lane64_blend(here, lane64_lookup(plane + first, at), r);
        }
        result[j / LIMBS].v[j % LIMBS] = r;
    }
}

#endif
