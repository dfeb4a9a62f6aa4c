/* The machine of NVIDIA's GPUs: one lane, a thread, and limbs of 32 bits. Other compilers than nvcc make a model of it,
 * for tests.
 *
 * The includer defines the number of limbs, even, from 4 to 18, and of 32-bit words, before: `enum { LIMBS = 8, WORDS =
 * 8 };`. A struct limbs is an integer in [0, 2^(32 LIMBS)), least significant limb first, and lives in registers: loops
 * over limbs are unrolled. Comparisons are written as such: on a GPU they are instructions, not branches. */
#ifndef GECC_LIMBS_PTX_MACHINE_H
#define GECC_LIMBS_PTX_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"
#include "limbs/lanes_scalar.h"
#include "limbs/ptx/threads.h"

typedef uint32_t limb;
typedef uint32_t mask; /* all ones: true; all zeros: false */

/* A product with 0, 1 or -1 takes fewer instructions than a selection by a mask: field/gcd.h. */
#define LANE32_QUICK_PRODUCTS

/* Neighbouring threads have neighbouring slots: a column keeps the slots of a warp interleaved, so that its accesses
 * are to whole cache lines; and rows are read and written by aligned words. */
#define LIMB_BITS 32
enum { LIMB_WORDS = 1, SLOT_GROUP = 32, ALIGNED_ROWS = 1, POINTS_IN_STEP = 1 };

#include "limbs/modulus.h"

#include "limbs/ptx/carry.h"

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

/* m ? a : b, on bits. Where a predicate selects, ptxas leaves out the load of the operand that is not selected. */
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

/* Digit i of `width` bits, for i = 0, 1, ... in turn; k loses it, so that no register is indexed. */
LANE_INLINE lane32 limbs_next_bits(struct limbs *k, unsigned i, unsigned width) {
    lane32 bits = k->v[0] & ((1u << width) - 1);
    (void)i;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) k->v[j] =
        (limb)(lane64_join(j + 1 < LIMBS ? k->v[j + 1] : 0, k->v[j]) >> width);
    return bits;
}

/* t + 2^32 odd += the products a[i] b[j] of n limbs, j > 0, given those with b[0] of an even i in t and those of an odd
 * i in odd; t[n] <= 3. Products with an even i + j are summed apart from those with an odd one, so that each has an
 * aligned pair of limbs to itself. odd[2 n - 1] = 0. */
LANE_INLINE void product_rows_apart(limb *t, limb odd[2 * LIMBS], const limb *a, const limb *b, int n) {
    LANE_UNROLL for (int i = n; i < 2 * n; i++) {
        odd[i] = 0;
        if (i > n)
            t[i] = 0;
    }
    LANE_UNROLL for (int j = 1; j < n; j++) {
        /* of a row's two sums one reaches a limb further than the rows before, and has a carry */
        if (j % 2) {
            odd[j + n - 1] = chain_products(odd + j - 1, a, b[j], n / 2);
            chain_products(t + j + 1, a + 1, b[j], n / 2);
        } else {
            t[j + n] = chain_products(t + j, a, b[j], n / 2);
            chain_products(odd + j, a + 1, b[j], n / 2);
        }
    }
}

/* The same, in t alone. */
LANE_INLINE void product_rows(limb *t, limb odd[2 * LIMBS], const limb *a, const limb *b, int n) {
    product_rows_apart(t, odd, a, b, n);
    chain_add(t + 1, odd, 2 * n - 1);
}

/* a * b. Of C's product with a b that a loop does not change nvcc adds the upper halves of both, which are 0. */
LANE_INLINE lane64 limb_product(limb a, limb b) {
#ifdef __CUDACC__
    lane64 r;
    __asm__("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
    return r;
#else
    return (lane64)a * b;
#endif
}

/* t[0 .. n - 1] = the products of b and a[0], a[2], ...: each has its two limbs to itself. */
LANE_INLINE void products_apart(limb *t, const limb *a, limb b, int n) {
    LANE_UNROLL for (int i = 0; i < n; i += 2) {
        lane64 product = limb_product(a[i], b);
        t[i] = lane64_low(product);
        t[i + 1] = lane64_high(product);
    }
}

/* t = a * b for n limbs, n even. n^2 products. */
LANE_INLINE void product_by_rows(limb *t, const limb *a, const limb *b, int n) {
    limb odd[2 * LIMBS];
    products_apart(t, a, b[0], n);
    products_apart(odd, a + 1, b[0], n);
    t[n] = 0;
    product_rows(t, odd, a, b, n);
}

/* t = a * b. (3/4) LIMBS^2 products, by Karatsuba's method: for a = a0 + B a1 and b = b0 + B b1, B = 2^(32 h),
 *   a b = a0 b0 + B (a0 b0 + a1 b1 - (a0 - a1) (b0 - b1)) + B^2 a1 b1.
 * x = a0 - a1 + B where that is negative, y likewise. */
LANE_INLINE void product_by_halves(limb t[2 * LIMBS], const limb *a, const limb *b) {
    enum { HALF = LIMBS / 2 };
    limb x[HALF], y[HALF], xy[LIMBS], middle[LIMBS], addend[HALF];
    product_by_rows(t, a, b, HALF);
    product_by_rows(t + LIMBS, a + HALF, b + HALF, HALF);
    LANE_UNROLL for (int i = 0; i < HALF; i++) {
        x[i] = a[i];
        y[i] = b[i];
    }
    mask x_less = chain_sub(x, a + HALF, HALF), y_less = chain_sub(y, b + HALF, HALF);
    product_by_rows(xy, x, y, HALF);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) middle[i] = t[i];
    limb top = chain_add(middle, t + LIMBS, LIMBS);
    top += chain_sub(middle, xy, LIMBS);
    LANE_UNROLL for (int i = 0; i < HALF; i++) addend[i] = y[i] & x_less;
    top += chain_add(middle + HALF, addend, HALF);
    LANE_UNROLL for (int i = 0; i < HALF; i++) addend[i] = x[i] & y_less;
    top += chain_add(middle + HALF, addend, HALF);
    LANE_UNROLL for (int i = 0; i < HALF; i++) addend[i] = i == 0 ? top + (x_less & y_less) : 0;
    limb carry = chain_add(t + HALF, middle, LIMBS);
    chain_add_from(t + HALF + LIMBS, addend, HALF, carry);
}

/* t = a * b. Halves take less from 12 limbs on. */
LANE_INLINE void limbs_product(limb t[2 * LIMBS], const limb *a, const limb *b) {
    if (LIMBS == 12)
        product_by_halves(t, a, b);
    else
        product_by_rows(t, a, b, LIMBS);
}

/* t = a * b + t[0 .. LIMBS], of which t[LIMBS] <= 2. */
LANE_INLINE void limbs_product_onto(limb t[2 * LIMBS], const limb *a, const limb *b) {
    limb odd[2 * LIMBS];
    t[LIMBS] = chain_products_onto(t[LIMBS], t, a, b[0], LIMBS / 2);
    products_apart(odd, a + 1, b[0], LIMBS);
    product_rows(t, odd, a, b, LIMBS);
}

/* t + 2^32 odd += the products of a[i] with the limbs above it, i > 0. i is a literal, so that the chains' lengths are
 * known as soon as they are inlined: compile time. */
LANE_INLINE void square_row(limb *t, limb *odd, const limb *a, int i) {
    const int odd_products = (LIMBS - i) / 2, even_products = (LIMBS - 1 - i) / 2;
    limb odd_carry = chain_products(odd + 2 * i, a + i + 1, a[i], odd_products);
    limb even_carry = even_products ? chain_products(t + 2 * i + 2, a + i + 2, a[i], even_products) : 0;
    if (i % 2)
        odd[LIMBS + i - 1] = odd_carry;
    else
        t[LIMBS + i] = even_carry;
}

/* odd = the products of a[0] with a[1], a[3], ...; then t + 2^32 odd += those of the other limbs with the limbs above
 * them. */
LANE_INLINE void square_rows(limb t[2 * LIMBS], limb odd[2 * LIMBS], const limb *a) {
    products_apart(odd, a + 1, a[0], LIMBS);
    LANE_UNROLL for (int i = LIMBS; i < 2 * LIMBS; i++) {
        odd[i] = 0;
        if (i > LIMBS)
            t[i] = 0;
    }
#define ROW(n)                                                                                                         \
    if (n > 1 && n < LIMBS)                                                                                            \
        square_row(t, odd, a, n - 1);
    EACH_PRODUCTS(ROW)
#undef ROW
}

LANE_INLINE void limbs_double(limb t[2 * LIMBS]) {
    LANE_UNROLL for (int i = 2 * LIMBS - 1; i > 0; i--) t[i] = t[i] << 1 | t[i - 1] >> 31;
    t[0] <<= 1;
}

/* t = a^2: the products above the diagonal once, doubled, and the squares. LIMBS (LIMBS + 1) / 2 products. */
LANE_INLINE void limbs_square(limb t[2 * LIMBS], const limb *a) {
    limb odd[2 * LIMBS];
    products_apart(t + 2, a + 2, a[0], LIMBS - 2);
    t[LIMBS] = 0;
    square_rows(t, odd, a);
    t[0] = 0;
    t[1] = odd[0];
    t[2 * LIMBS - 1] = chain_add(t + 2, odd + 1, 2 * LIMBS - 3);
    limbs_double(t);
    lane64 first = limb_product(a[0], a[0]);
    t[0] = lane64_low(first);
    chain_add_squares(t + 1, lane64_high(first), t + 2, a + 1, LIMBS - 1);
}

/* t = 2 t + a^2, given t[0 .. LIMBS] with t[LIMBS] <= 2. Returns the carry. */
LANE_INLINE limb limbs_square_onto(limb t[2 * LIMBS], const limb *a) {
    limb odd[2 * LIMBS];
    t[LIMBS] = chain_products_onto(t[LIMBS], t + 2, a + 2, a[0], LIMBS / 2 - 1);
    square_rows(t, odd, a);
    t[2 * LIMBS - 1] = chain_add(t + 1, odd, 2 * LIMBS - 2);
    limbs_double(t);
    return chain_squares(t, a, LIMBS);
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

/* So many limbs are read and written at once. */
enum { PIECE_LIMBS = LIMBS % 4 == 0 ? 4 : 2 };

/* Limbs at .. at + PIECE_LIMBS - 1, aligned to as many bytes. */
LANE_INLINE void piece_load(limb *r, const limb *at) {
#ifdef __CUDACC__
    if (PIECE_LIMBS == 4) {
        uint4 v = *(const uint4 *)at;
        r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w;
    } else {
        uint2 v = *(const uint2 *)at;
        r[0] = v.x, r[1] = v.y;
    }
#else
    memcpy(r, at, PIECE_LIMBS * sizeof(limb));
#endif
}

LANE_INLINE void piece_store(limb *at, const limb *a) {
#ifdef __CUDACC__
    if (PIECE_LIMBS == 4)
        *(uint4 *)at = make_uint4(a[0], a[1], a[2], a[3]);
    else
        *(uint2 *)at = make_uint2(a[0], a[1]);
#else
    memcpy(at, a, PIECE_LIMBS * sizeof(limb));
#endif
}

/* Columns: slot i holds one item; of each SLOT_GROUP slots the first pieces come first, then the second ones, and so
 * on. */
LANE_INLINE size_t slot_at(size_t slot) {
    return slot / SLOT_GROUP * (SLOT_GROUP * LIMBS) + slot % SLOT_GROUP * PIECE_LIMBS;
}

LANE_INLINE struct limbs limbs_load(const limb *column, size_t slot) {
    struct limbs r;
    const limb *at = column + slot_at(slot);
    LANE_UNROLL for (int i = 0; i < LIMBS; i += PIECE_LIMBS) piece_load(r.v + i, at + i * SLOT_GROUP);
    return r;
}

LANE_INLINE void limbs_store(limb *column, size_t slot, struct limbs a) {
    limb *at = column + slot_at(slot);
    LANE_UNROLL for (int i = 0; i < LIMBS; i += PIECE_LIMBS) piece_store(at + i * SLOT_GROUP, a.v + i);
}

/* Rows, the same for every lane: LIMBS limbs at row + j. */
LANE_INLINE struct limbs limbs_load_row(const limb *row) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i += PIECE_LIMBS) piece_load(r.v + i, row + i);
    return r;
}

LANE_INLINE void limbs_store_row(limb *row, struct limbs a, int lane) {
    (void)lane;
    LANE_UNROLL for (int i = 0; i < LIMBS; i += PIECE_LIMBS) piece_store(row + i, a.v + i);
}

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

/* The way back, for the first `lanes` lanes. */
LANE_INLINE void limbs_scatter_pair_vartime(limb *rows, lane32 index, const struct limbs pair[2], int lanes) {
    if (lanes > 0)
        limbs_store_pair(rows + (size_t)index * ROW_LIMBS, pair, 0);
}

/* Residues: limbs/ptx/multiply.h. */

#endif
