/* The machine of NVIDIA's GPUs: one lane, a thread, and limbs of 32 bits. Other compilers than nvcc make a model of it,
 * for tests.
 *
 * The includer defines the number of limbs, even, from 4 to 16, and of 32-bit words, before: `enum { LIMBS = 8, WORDS =
 * 8 };`. A struct limbs is an integer in [0, 2^(32 LIMBS)), least significant limb first, and lives in registers: loops
 * over limbs are unrolled. Comparisons are written as such: on a GPU they are instructions, not branches. */
#ifndef GECC_LIMBS_PTX_H
#define GECC_LIMBS_PTX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"
#include "limbs/lanes_portable.h"

typedef uint32_t limb;
typedef uint32_t mask; /* all ones: true; all zeros: false */

enum { LIMB_BITS = 32, LIMB_WORDS = 1 };

#include "limbs/modulus.h"

#include "limbs/ptx_carry.h"

struct limbs {
    limb v[LIMBS];
};

/* Masks. */

/* A mask from a bit that is 0 or 1. */
LANE_INLINE mask mask_from_bit(limb bit) { return (mask)0 - bit; }
LANE_INLINE mask mask_set(int value) { return value ? ~(mask)0 : 0; }
LANE_INLINE int mask_any(mask m) { return m != 0; }
LANE_INLINE int mask_lane(mask m, int lane) { return (void)lane, m != 0; }
LANE_INLINE mask mask_insert(mask m, int lane, int value) { return (void)m, (void)lane, mask_set(value); }
/* All ones or zeros in 32 bits. */
LANE_INLINE lane32 mask_to_lane32(mask m) { return m; }

LANE_INLINE mask lane32_equal(lane32 a, lane32 b) { return mask_set(a == b); }
/* Is bit 0 set? */
LANE_INLINE mask lane32_is_odd(lane32 a) { return mask_from_bit(a & 1); }

/* Limb vectors. */

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
    *carry = mask_from_bit(chain_add(a.v, b.v, LIMBS));
    return a;
}

/* r = a - b mod R; *borrow: whether a < b. */
LANE_INLINE struct limbs limbs_sub(struct limbs a, struct limbs b, mask *borrow) {
    *borrow = chain_sub(a.v, b.v, LIMBS);
    return a;
}

/* m ? a : b, on bits. Where a predicate selects, ptxas leaves out the load of what is not selected. */
LANE_INLINE limb limb_select(mask m, limb a, limb b) {
#ifdef __CUDACC__
    limb r;
    __asm__("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(m), "r"(a), "r"(b));
    return r;
#else
    return (a & m) | (b & ~m);
#endif
}

/* m ? a : b. */
LANE_INLINE struct limbs limbs_select(mask m, struct limbs a, struct limbs b) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_select(m, a.v[i], b.v[i]);
    return r;
}

/* a < b. */
LANE_INLINE mask limbs_less(struct limbs a, struct limbs b) { return chain_sub(a.v, b.v, LIMBS); }

LANE_INLINE mask limbs_is_zero(struct limbs a) {
    limb any = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) any |= a.v[i];
    return mask_set(any == 0);
}

LANE_INLINE mask limbs_equal(struct limbs a, struct limbs b) {
    limb any = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) any |= a.v[i] ^ b.v[i];
    return mask_set(any == 0);
}

LANE_INLINE mask limbs_is_odd(struct limbs a) { return mask_from_bit(a.v[0] & 1); }

/* floor((carry : a) / 2), carry being a mask for bit 32 * LIMBS. */
LANE_INLINE struct limbs limbs_half(struct limbs a, mask carry) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) r.v[i] = a.v[i] >> 1 | a.v[i + 1] << 31;
    r.v[LIMBS - 1] = a.v[LIMBS - 1] >> 1 | carry << 31;
    return r;
}

/* Bits from .. from + width - 1 of a, width <= 24; bits past the end read 0. from and width are uniform. */
LANE_INLINE lane32 limbs_bits(const struct limbs *a, unsigned from, unsigned width) {
    unsigned i = from / 32;
    limb low = i < LIMBS ? a->v[i] : 0, high = i + 1 < LIMBS ? a->v[i + 1] : 0;
    return (lane32)(lane64_join(high, low) >> from % 32) & ((1u << width) - 1);
}

/* t = a * b. Products a[i] b[j] with an even i + j are summed apart from those with an odd one, so that each has an
 * aligned pair of limbs to itself. LIMBS^2 products. */
LANE_INLINE void limbs_product(limb t[2 * LIMBS], const limb *a, const limb *b) {
    limb odd[2 * LIMBS]; /* weighs 2^32 */
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = odd[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i += 2) {
        lane64 even_product = (lane64)a[i] * b[0], odd_product = (lane64)a[i + 1] * b[0];
        t[i] = lane64_low(even_product);
        t[i + 1] = lane64_high(even_product);
        odd[i] = lane64_low(odd_product);
        odd[i + 1] = lane64_high(odd_product);
    }
    LANE_UNROLL for (int j = 1; j < LIMBS; j++) {
        /* of a row's two sums one reaches a limb further than the rows before, and has a carry */
        if (j % 2) {
            odd[j + LIMBS - 1] = chain_products(odd + j - 1, a, b[j], LIMBS / 2);
            chain_products(t + j + 1, a + 1, b[j], LIMBS / 2);
        } else {
            t[j + LIMBS] = chain_products(t + j, a, b[j], LIMBS / 2);
            chain_products(odd + j, a + 1, b[j], LIMBS / 2);
        }
    }
    chain_add(t + 1, odd, 2 * LIMBS - 1);
}

/* t + 2^32 odd += the products of a[i] with the limbs above it. i is a literal, so that the chains' lengths are known as
 * soon as they are inlined: compile time. */
LANE_INLINE void square_row(limb *t, limb *odd, const limb *a, int i) {
    const int odd_products = (LIMBS - i) / 2, even_products = (LIMBS - 1 - i) / 2;
    limb odd_carry = chain_products(odd + 2 * i, a + i + 1, a[i], odd_products);
    limb even_carry = even_products ? chain_products(t + 2 * i + 2, a + i + 2, a[i], even_products) : 0;
    if (i % 2)
        odd[LIMBS + i - 1] = odd_carry;
    else
        t[LIMBS + i] = even_carry;
}

/* t = a^2: the products above the diagonal once, doubled, and the squares. LIMBS (LIMBS + 1) / 2 products. */
LANE_INLINE void limbs_square(limb t[2 * LIMBS], const limb *a) {
    limb odd[2 * LIMBS];
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = odd[i] = 0;
#define ROW(n)                                                                                                         \
    if (n < LIMBS)                                                                                                     \
        square_row(t, odd, a, n - 1);
    EACH_LENGTH(ROW)
#undef ROW
    t[2 * LIMBS - 1] = chain_add(t + 1, odd, 2 * LIMBS - 2);
    LANE_UNROLL for (int i = 2 * LIMBS - 1; i > 0; i--) t[i] = t[i] << 1 | t[i - 1] >> 31;
    t[0] <<= 1;
    chain_squares(t, a, LIMBS);
}

/* round(a * b / 2^shift), shift a constant from 32 up; the result must fit. */
LANE_INLINE struct limbs limbs_mul_high(struct limbs a, struct limbs b, unsigned shift) {
    limb t[2 * LIMBS];
    limbs_product(t, a.v, b.v);
    unsigned first = shift / 32, bit = shift % 32;
    limb zero[LIMBS], carry = bit ? t[first] >> (bit - 1) & 1 : t[first - 1] >> 31;
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        unsigned k = first + (unsigned)i;
        limb low = k < 2 * LIMBS ? t[k] : 0, high = k + 1 < 2 * LIMBS ? t[k + 1] : 0;
        r.v[i] = (limb)(lane64_join(high, low) >> bit);
        zero[i] = 0;
    }
    chain_add_from(r.v, zero, LIMBS, carry);
    return r;
}

/* WORDS 32-bit words, most significant first, to an integer and back. */
LANE_INLINE struct limbs limbs_from_words(const lane32 *words) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = i < WORDS ? words[WORDS - 1 - i] : 0;
    return r;
}

LANE_INLINE void limbs_to_words(lane32 *words, struct limbs a) {
    LANE_UNROLL for (int k = 0; k < WORDS; k++) words[k] = a.v[WORDS - 1 - k];
}

/* Columns: slot i holds one item; its limb j is column[i * LIMBS + j]. A thread's item is contiguous, and is read and
 * written in as wide accesses as its size allows: columns are aligned to 16 bytes. */
LANE_INLINE struct limbs limbs_load(const limb *column, size_t slot) {
    struct limbs r;
    const limb *at = column + slot * LIMBS;
#ifdef __CUDACC__
    if (LIMBS % 4 == 0) {
        LANE_UNROLL for (int i = 0; i < LIMBS / 4; i++) {
            uint4 v = ((const uint4 *)at)[i];
            r.v[4 * i] = v.x, r.v[4 * i + 1] = v.y, r.v[4 * i + 2] = v.z, r.v[4 * i + 3] = v.w;
        }
    } else {
        LANE_UNROLL for (int i = 0; i < LIMBS / 2; i++) {
            uint2 v = ((const uint2 *)at)[i];
            r.v[2 * i] = v.x, r.v[2 * i + 1] = v.y;
        }
    }
#else
    memcpy(r.v, at, sizeof r.v);
#endif
    return r;
}

LANE_INLINE void limbs_store(limb *column, size_t slot, struct limbs a) {
    limb *at = column + slot * LIMBS;
#ifdef __CUDACC__
    if (LIMBS % 4 == 0) {
        LANE_UNROLL for (int i = 0; i < LIMBS / 4; i++)((uint4 *)at)[i] =
            make_uint4(a.v[4 * i], a.v[4 * i + 1], a.v[4 * i + 2], a.v[4 * i + 3]);
    } else {
        LANE_UNROLL for (int i = 0; i < LIMBS / 2; i++)((uint2 *)at)[i] = make_uint2(a.v[2 * i], a.v[2 * i + 1]);
    }
#else
    memcpy(at, a.v, sizeof a.v);
#endif
}

/* Rows, the same for every lane: LIMBS limbs at row + j. */
LANE_INLINE struct limbs limbs_load_row(const limb *row) { return limbs_load(row, 0); }
LANE_INLINE void limbs_store_row(limb *row, struct limbs a, int lane) { (void)lane, limbs_store(row, 0, a); }
/* Limb j. */
LANE_INLINE limb limbs_extract(struct limbs a, unsigned j, int lane) { return (void)lane, a.v[j]; }

/* Tables that are indexed: rows of a pair of integers. */
enum { ROW_LIMBS = 2 * LIMBS };

LANE_INLINE void limbs_store_pair(limb *row, const struct limbs pair[2], int lane) {
    limbs_store_row(row, pair[0], lane);
    limbs_store_row(row + LIMBS, pair[1], lane);
}

/* Nothing: other warps hide how long a row takes. */
LANE_INLINE void limbs_prefetch_pair_vartime(const limb *rows, lane32 index) { (void)rows, (void)index; }

/* Row `index`. Public data only. */
LANE_INLINE void limbs_gather_pair_vartime(struct limbs pair[2], const limb *rows, lane32 index) {
    pair[0] = limbs_load_row(rows + (size_t)index * ROW_LIMBS);
    pair[1] = limbs_load_row(rows + (size_t)index * ROW_LIMBS + LIMBS);
}

/* Residues: limbs/ptx_mul.h. */

#endif
