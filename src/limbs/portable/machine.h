/* The portable machine: one lane, words of 64 bits, 128-bit products from the compiler.
 *
 * The includer defines the number of limbs, and of 32-bit words, before: `enum { LIMBS = 4, WORDS = 8 };`, and
 * LIMB_BITS where limbs have spare bits (limbs/portable/multiply_spare.h). A struct limbs is an integer in [0,
 * 2^(LIMB_BITS LIMBS)), least significant limb first; where that is less than 2^(32 WORDS), integers that come from
 * words or go into a comparison may have up to 64 bits in their last limb. Residues are canonical, in [0, m), on this
 * machine, unless they are modulo 2^255 - 19, 2^521 - 1 or, in assembly, 2^256 - c: each header of multiplications
 * describes its own. Code above must not rely on it and asks modular_canonical where it needs that.
 * Everything runs in constant time. */
#ifndef GECC_LIMBS_PORTABLE_MACHINE_H
#define GECC_LIMBS_PORTABLE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"
#include "limbs/lanes_scalar.h"

typedef uint64_t limb;
typedef uint64_t mask; /* all ones: true; all zeros: false */
__extension__ typedef unsigned __int128 limb_pair;

#ifndef LIMB_BITS
#define LIMB_BITS 64
#endif

/* Two points of six limbs take longer in step (docs/performance.md). */
enum { LIMB_WORDS = 2, SLOT_GROUP = 1, ALIGNED_ROWS = 0, POINTS_IN_STEP = LIMBS < 6 ? 2 : 1 };

#include "limbs/modulus.h"

struct limbs {
    limb v[LIMBS];
};

/* Masks. */

/* A mask from a bit that is 0 or 1; the empty asm keeps compilers from turning selections into branches. */
LANE_INLINE mask mask_from_bit(limb bit) {
    __asm__("" : "+r"(bit));
    return (mask)0 - bit;
}
LANE_INLINE mask mask_set(int value) { return value ? ~(mask)0 : 0; }
LANE_INLINE int mask_any(mask m) { return m != 0; }
LANE_INLINE int mask_lane(mask m, int lane) { return (void)lane, m != 0; }
LANE_INLINE mask mask_insert(mask m, int lane, int value) { return (void)m, (void)lane, mask_set(value); }
/* All ones or zeros in 32 bits. */
LANE_INLINE lane32 mask_to_lane32(mask m) { return (lane32)m; }

LANE_INLINE mask lane32_equal(lane32 a, lane32 b) { return mask_from_bit(((uint64_t)(a ^ b) - 1) >> 63); }
/* Is bit 0 set? */
LANE_INLINE mask lane32_is_odd(lane32 a) { return mask_from_bit(a & 1); }

/* Limb vectors. */

/* The low LIMB_BITS bits. */
LANE_INLINE limb limb_low(limb a) { return a & ~(limb)0 >> (64 - LIMB_BITS); }

/* t = a * b + c + d, which cannot overflow; returns the low limb, *high the high one. */
LANE_INLINE limb limb_mul_add(limb *high, limb a, limb b, limb c, limb d) {
    limb_pair t = (limb_pair)a * b + c + d;
    *high = (limb)(t >> LIMB_BITS);
    return limb_low((limb)t);
}

LANE_INLINE limb limb_add(limb *carry, limb a, limb b) {
    limb_pair t = (limb_pair)a + b + *carry;
    *carry = (limb)(t >> LIMB_BITS);
    return limb_low((limb)t);
}

LANE_INLINE limb limb_sub(limb *borrow, limb a, limb b) {
    limb_pair t = (limb_pair)a - b - *borrow;
    *borrow = (limb)(t >> 64) & 1;
    return limb_low((limb)t);
}

LANE_INLINE struct limbs limbs_set(const struct limbs_constant *c) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = c->v[i];
    return r;
}

LANE_INLINE struct limbs limbs_zero(void) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = 0;
    return r;
}

/* r = a + b mod R; *carry: whether it overflowed. */
LANE_INLINE struct limbs limbs_add(struct limbs a, struct limbs b, mask *carry) {
    struct limbs r;
    limb c = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_add(&c, a.v[i], b.v[i]);
    *carry = mask_from_bit(c);
    return r;
}

/* r = a - b mod R; *borrow: whether a < b. */
LANE_INLINE struct limbs limbs_sub(struct limbs a, struct limbs b, mask *borrow) {
    struct limbs r;
    limb c = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_sub(&c, a.v[i], b.v[i]);
    *borrow = mask_from_bit(c);
    return r;
}

/* m ? a : b. */
LANE_INLINE struct limbs limbs_select(mask m, struct limbs a, struct limbs b) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = b.v[i] ^ (m & (a.v[i] ^ b.v[i]));
    return r;
}

/* a < b. */
LANE_INLINE mask limbs_less(struct limbs a, struct limbs b) {
    mask borrow;
    limbs_sub(a, b, &borrow);
    return borrow;
}

LANE_INLINE mask limbs_is_zero(struct limbs a) {
    limb any = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) any |= a.v[i];
    return mask_from_bit(1 ^ ((any | ((limb)0 - any)) >> 63));
}

LANE_INLINE mask limbs_equal(struct limbs a, struct limbs b) {
    limb any = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) any |= a.v[i] ^ b.v[i];
    return mask_from_bit(1 ^ ((any | ((limb)0 - any)) >> 63));
}

LANE_INLINE mask limbs_is_odd(struct limbs a) { return mask_from_bit(a.v[0] & 1); }

/* floor((carry : a) / 2), carry being a mask for bit 64 * LIMBS. */
LANE_INLINE struct limbs limbs_half(struct limbs a, mask carry) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) r.v[i] = a.v[i] >> 1 | limb_low(a.v[i + 1] << (LIMB_BITS - 1));
    r.v[LIMBS - 1] = a.v[LIMBS - 1] >> 1 | (carry & 1) << (LIMB_BITS - 1);
    return r;
}

/* Bits from .. from + width - 1 of a, width <= 24; bits past the end read 0. from and width are uniform. */
LANE_INLINE lane32 limbs_bits(const struct limbs *a, unsigned from, unsigned width) {
    unsigned i = from / LIMB_BITS, shift = from % LIMB_BITS;
    limb low = i < LIMBS ? a->v[i] >> shift : 0;
    limb high = shift && i + 1 < LIMBS ? a->v[i + 1] << (LIMB_BITS - shift) : 0;
    return (lane32)((low | high) & (((limb)1 << width) - 1));
}

/* Digit i of `width` bits; asked for in turn, i = 0, 1, ... */
LANE_INLINE lane32 limbs_next_bits(struct limbs *k, unsigned i, unsigned width) {
    return limbs_bits(k, i * width, width);
}

/* round(a * b / 2^shift), shift a constant from 64 up; the result must fit. */
LANE_INLINE struct limbs limbs_mul_high(struct limbs a, struct limbs b, unsigned shift) {
    limb t[2 * LIMBS + 1] = {0};
    for (int i = 0; i < LIMBS; i++) {
        limb carry = 0;
        for (int j = 0; j < LIMBS; j++)
            t[i + j] = limb_mul_add(&carry, a.v[i], b.v[j], t[i + j], carry);
        t[i + LIMBS] = carry;
    }
    unsigned first = shift / LIMB_BITS, bit = shift % LIMB_BITS;
    limb carry = bit ? t[first] >> (bit - 1) & 1 : t[first - 1] >> (LIMB_BITS - 1);
    struct limbs r;
    for (int i = 0; i < LIMBS; i++) {
        unsigned k = first + (unsigned)i;
        limb low = k < 2 * LIMBS ? t[k] >> bit : 0;
        limb high = bit && k + 1 < 2 * LIMBS ? limb_low(t[k + 1] << (LIMB_BITS - bit)) : 0;
        r.v[i] = limb_add(&carry, low | high, 0);
    }
    return r;
}

/* WORDS 32-bit words, most significant first, to an integer and back. */
LANE_INLINE struct limbs limbs_from_words(const lane32 *words) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        int k = LIMB_BITS * i / 32, shift = LIMB_BITS * i % 32;
        limb_pair bits = 0;
        LANE_UNROLL for (int j = 0; j < 3; j++) bits |= (limb_pair)(k + j < WORDS ? words[WORDS - 1 - k - j] : 0)
                                                        << 32 * j;
        r.v[i] = i < LIMBS - 1 ? limb_low((limb)(bits >> shift)) : (limb)(bits >> shift);
    }
    return r;
}

LANE_INLINE void limbs_to_words(lane32 *words, struct limbs a) {
    LANE_UNROLL for (int k = 0; k < WORDS; k++) {
        int i = 32 * k / LIMB_BITS < LIMBS ? 32 * k / LIMB_BITS : LIMBS - 1, shift = 32 * k - LIMB_BITS * i;
        limb bits = shift < 64 ? a.v[i] >> shift : 0;
        if (shift > LIMB_BITS - 32 && i + 1 < LIMBS)
            bits |= a.v[i + 1] << (LIMB_BITS - shift);
        words[WORDS - 1 - k] = lane64_low(bits);
    }
}

/* Columns: slot i holds LANES consecutive items; limb j of its lane l is column[(i * LIMBS + j) * LANES + l]. */
LANE_INLINE struct limbs limbs_load(const limb *column, size_t slot) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = column[slot * LIMBS + (size_t)i];
    return r;
}

LANE_INLINE void limbs_store(limb *column, size_t slot, struct limbs a) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) column[slot * LIMBS + (size_t)i] = a.v[i];
}

/* Rows, the same for every lane: LIMBS limbs at row + j. */
LANE_INLINE struct limbs limbs_load_row(const limb *row) { return limbs_load(row, 0); }
LANE_INLINE void limbs_store_row(limb *row, struct limbs a, int lane) { (void)lane, limbs_store(row, 0, a); }
/* Limb j of lane `lane`. */
LANE_INLINE limb limbs_extract(struct limbs a, unsigned j, int lane) { return (void)lane, a.v[j]; }

/* Tables that are indexed: rows of a pair of integers. */
enum { ROW_LIMBS = 2 * LIMBS };

/* Row = lane `lane` of the pair. */
LANE_INLINE void limbs_store_pair(limb *row, const struct limbs pair[2], int lane) {
    limbs_store_row(row, pair[0], lane);
    limbs_store_row(row + LIMBS, pair[1], lane);
}

/* Bring the rows index[l] near. Public data only. */
LANE_INLINE void limbs_prefetch_pair_vartime(const limb *rows, lane32 index) {
    __builtin_prefetch(rows + (size_t)index * ROW_LIMBS);
}

/* Lane l: row index[l]. Public data only. */
LANE_INLINE void limbs_gather_pair_vartime(struct limbs pair[2], const limb *rows, lane32 index) {
    pair[0] = limbs_load_row(rows + (size_t)index * ROW_LIMBS);
    pair[1] = limbs_load_row(rows + (size_t)index * ROW_LIMBS + LIMBS);
}

/* The way back, for the first `lanes` of them. */
LANE_INLINE void limbs_scatter_pair_vartime(limb *rows, lane32 index, const struct limbs pair[2], int lanes) {
    if (lanes > 0)
        limbs_store_pair(rows + (size_t)index * ROW_LIMBS, pair, 0);
}

/* Residues: limbs/portable/multiply.h, or in its place limbs/portable/multiply_adx.h on x86-64 processors that have
 * BMI2 and ADX, limbs/portable/multiply_aarch64.h on 64-bit ARM, or limbs/portable/multiply_spare.h where limbs have
 * spare bits. The includer chooses. */

#endif
