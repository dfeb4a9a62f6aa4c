/* Carry chains of 32-bit limbs, which PTX has instructions for and C has not.
 *
 * A chain is one asm statement, since a compiler may put anything between two, and it is written once, as a list of
 * steps. A step is PTX to nvcc and a model of it in C to any other compiler, so what a GPU runs is tested without one.
 * Operands have numbers, which must not depend on the length of the chain: so they come in the order of the steps, and
 * all as in and out, operands that are only read in copies. */
#ifndef GECC_LIMBS_PTX_CARRY_H
#define GECC_LIMBS_PTX_CARRY_H

#include "limbs/attributes.h"

enum { CHAIN_LIMBS = 16, CHAIN_PRODUCTS = 18 }; /* the most of one asm statement */

/* S(k, number of the operand x[k], number of y[k]) for k = 1 .. n - 1; operand 0 is the carry. */
#define LIMBS_1(S)
#define LIMBS_2(S) S(1, 3, 4)
#define LIMBS_3(S) LIMBS_2(S) S(2, 5, 6)
#define LIMBS_4(S) LIMBS_3(S) S(3, 7, 8)
#define LIMBS_5(S) LIMBS_4(S) S(4, 9, 10)
#define LIMBS_6(S) LIMBS_5(S) S(5, 11, 12)
#define LIMBS_7(S) LIMBS_6(S) S(6, 13, 14)
#define LIMBS_8(S) LIMBS_7(S) S(7, 15, 16)
#define LIMBS_9(S) LIMBS_8(S) S(8, 17, 18)
#define LIMBS_10(S) LIMBS_9(S) S(9, 19, 20)
#define LIMBS_11(S) LIMBS_10(S) S(10, 21, 22)
#define LIMBS_12(S) LIMBS_11(S) S(11, 23, 24)
#define LIMBS_13(S) LIMBS_12(S) S(12, 25, 26)
#define LIMBS_14(S) LIMBS_13(S) S(13, 27, 28)
#define LIMBS_15(S) LIMBS_14(S) S(14, 29, 30)
#define LIMBS_16(S) LIMBS_15(S) S(15, 31, 32)

/* S(k, number of t[2 k], of t[2 k + 1], of a[k]) for k = 1 .. n - 1; operands 0 to 3 are carry, factor, x and y. */
#define PRODUCTS_1(S)
#define PRODUCTS_2(S) S(1, 7, 8, 9)
#define PRODUCTS_3(S) PRODUCTS_2(S) S(2, 10, 11, 12)
#define PRODUCTS_4(S) PRODUCTS_3(S) S(3, 13, 14, 15)
#define PRODUCTS_5(S) PRODUCTS_4(S) S(4, 16, 17, 18)
#define PRODUCTS_6(S) PRODUCTS_5(S) S(5, 19, 20, 21)
#define PRODUCTS_7(S) PRODUCTS_6(S) S(6, 22, 23, 24)
#define PRODUCTS_8(S) PRODUCTS_7(S) S(7, 25, 26, 27)
#define PRODUCTS_9(S) PRODUCTS_8(S) S(8, 28, 29, 30)
#define PRODUCTS_10(S) PRODUCTS_9(S) S(9, 31, 32, 33)
#define PRODUCTS_11(S) PRODUCTS_10(S) S(10, 34, 35, 36)
#define PRODUCTS_12(S) PRODUCTS_11(S) S(11, 37, 38, 39)
#define PRODUCTS_13(S) PRODUCTS_12(S) S(12, 40, 41, 42)
#define PRODUCTS_14(S) PRODUCTS_13(S) S(13, 43, 44, 45)
#define PRODUCTS_15(S) PRODUCTS_14(S) S(14, 46, 47, 48)
#define PRODUCTS_16(S) PRODUCTS_15(S) S(15, 49, 50, 51)
#define PRODUCTS_17(S) PRODUCTS_16(S) S(16, 52, 53, 54)
#define PRODUCTS_18(S) PRODUCTS_17(S) S(17, 55, 56, 57)

#ifdef __CUDACC__

/* The first step of a chain, and the steps that follow. */
#define ADD_FIRST "add.cc.u32 %1, %1, %2;\n\t"
#define ADD_CARRY "add.cc.u32 %0, %0, 0xffffffff;\n\taddc.cc.u32 %1, %1, %2;\n\t"
#define ADD_STEP(k, x, y) "addc.cc.u32 %" #x ", %" #x ", %" #y ";\n\t"
#define SUB_FIRST "sub.cc.u32 %1, %1, %2;\n\t"
#define SUB_BORROW "sub.cc.u32 %0, 0, %0;\n\tsubc.cc.u32 %1, %1, %2;\n\t"
#define SUB_STEP(k, x, y) "subc.cc.u32 %" #x ", %" #x ", %" #y ";\n\t"
#define PRODUCT_FIRST "mad.lo.cc.u32 %4, %6, %1, %4;\n\tmadc.hi.cc.u32 %5, %6, %1, %5;\n\t"
#define PRODUCT_AFTER_ADD                                                                                              \
    "add.cc.u32 %2, %2, %3;\n\tmadc.lo.cc.u32 %4, %6, %1, %4;\n\tmadc.hi.cc.u32 %5, %6, %1, %5;\n\t"
#define PRODUCT_STEP(k, low, high, a)                                                                                  \
    "madc.lo.cc.u32 %" #low ", %" #a ", %1, %" #low ";\n\tmadc.hi.cc.u32 %" #high ", %" #a ", %1, %" #high ";\n\t"
#define SQUARE_FIRST "mad.lo.cc.u32 %4, %6, %6, %4;\n\tmadc.hi.cc.u32 %5, %6, %6, %5;\n\t"
#define SQUARE_AFTER_ADD                                                                                               \
    "add.cc.u32 %2, %2, %3;\n\tmadc.lo.cc.u32 %4, %6, %6, %4;\n\tmadc.hi.cc.u32 %5, %6, %6, %5;\n\t"
#define SQUARE_STEP(k, low, high, a)                                                                                   \
    "madc.lo.cc.u32 %" #low ", %" #a ", %" #a ", %" #low ";\n\t"                                                       \
    "madc.hi.cc.u32 %" #high ", %" #a ", %" #a ", %" #high ";\n\t"

#define LIMBS_OPERAND(k, x, y) , "+r"(r[k]), "+r"(c[k])
#define PRODUCTS_OPERAND(k, low, high, a) , "+r"(t[2 * k]), "+r"(t[2 * k + 1]), "+r"(c[k])

#define CHAIN_OF_LIMBS(first, step, end, list)                                                                         \
    __asm__(first list(step) end " %0, 0, 0;" : "+r"(carry)LIMBS_OPERAND(0, 1, 2) list(LIMBS_OPERAND))
#define CHAIN_OF_PRODUCTS(first, step, list)                                                                           \
    __asm__(first list(step) "addc.u32 %0, %0, 0;"                                                                     \
            : "+r"(carry), "+r"(b), "+r"(x), "+r"(y)PRODUCTS_OPERAND(0, 4, 5, 6) list(PRODUCTS_OPERAND))
#define CHAIN_ADD_END "addc.u32"
#define CHAIN_SUB_END "subc.u32"

#else

/* What an instruction gives, and the carry flag; sub.cc's flag is the borrow. */
LANE_INLINE limb model_addc(limb *flag, limb a, limb b) {
    uint64_t t = (uint64_t)a + b + *flag;
    *flag = (limb)(t >> 32);
    return (limb)t;
}

LANE_INLINE limb model_subc(limb *flag, limb a, limb b) {
    uint64_t t = (uint64_t)a - b - *flag;
    *flag = (limb)(t >> 32) & 1;
    return (limb)t;
}

LANE_INLINE limb model_madc_low(limb *flag, limb a, limb b, limb c) { return model_addc(flag, a * b, c); }
LANE_INLINE limb model_madc_high(limb *flag, limb a, limb b, limb c) {
    return model_addc(flag, (limb)((uint64_t)a * b >> 32), c);
}

#define ADD_FIRST r[0] = model_addc(&flag, r[0], c[0]);
#define ADD_CARRY                                                                                                      \
    model_addc(&flag, carry, 0xffffffff);                                                                              \
    r[0] = model_addc(&flag, r[0], c[0]);
#define ADD_STEP(k, x, y) r[k] = model_addc(&flag, r[k], c[k]);
#define SUB_FIRST r[0] = model_subc(&flag, r[0], c[0]);
#define SUB_BORROW                                                                                                     \
    model_subc(&flag, 0, carry);                                                                                       \
    r[0] = model_subc(&flag, r[0], c[0]);
#define SUB_STEP(k, x, y) r[k] = model_subc(&flag, r[k], c[k]);
#define PRODUCT_FIRST                                                                                                  \
    t[0] = model_madc_low(&flag, c[0], b, t[0]);                                                                       \
    t[1] = model_madc_high(&flag, c[0], b, t[1]);
#define PRODUCT_AFTER_ADD                                                                                              \
    x = model_addc(&flag, x, y);                                                                                       \
    PRODUCT_FIRST
#define PRODUCT_STEP(k, low, high, a)                                                                                  \
    t[2 * k] = model_madc_low(&flag, c[k], b, t[2 * k]);                                                               \
    t[2 * k + 1] = model_madc_high(&flag, c[k], b, t[2 * k + 1]);
#define SQUARE_FIRST                                                                                                   \
    t[0] = model_madc_low(&flag, c[0], c[0], t[0]);                                                                    \
    t[1] = model_madc_high(&flag, c[0], c[0], t[1]);
#define SQUARE_AFTER_ADD                                                                                               \
    x = model_addc(&flag, x, y);                                                                                       \
    SQUARE_FIRST
#define SQUARE_STEP(k, low, high, a)                                                                                   \
    t[2 * k] = model_madc_low(&flag, c[k], c[k], t[2 * k]);                                                            \
    t[2 * k + 1] = model_madc_high(&flag, c[k], c[k], t[2 * k + 1]);

#define CHAIN_OF_LIMBS(first, step, end, list)                                                                         \
    do {                                                                                                               \
        limb flag = 0;                                                                                                 \
        first list(step) carry = end(&flag, 0, 0);                                                                     \
    } while (0)
#define CHAIN_OF_PRODUCTS(first, step, list)                                                                           \
    do {                                                                                                               \
        limb flag = 0;                                                                                                 \
        first list(step) carry = model_addc(&flag, carry, 0);                                                          \
    } while (0)
#define CHAIN_ADD_END model_addc
#define CHAIN_SUB_END model_subc

#endif

#define EACH_LENGTH(C) C(1) C(2) C(3) C(4) C(5) C(6) C(7) C(8) C(9) C(10) C(11) C(12) C(13) C(14) C(15) C(16)
#define EACH_PRODUCTS(C) EACH_LENGTH(C) C(17) C(18)

/* r += b for n limbs, 1 <= n <= CHAIN_LIMBS, n constant. Returns the carry, 0 or 1. */
LANE_STEP limb chain_add_piece(limb *r, const limb *b, int n) {
    limb carry = 0, c[CHAIN_LIMBS];
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = b[i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_LIMBS(ADD_FIRST, ADD_STEP, CHAIN_ADD_END, LIMBS_##n);                                                 \
        break;
        EACH_LENGTH(CHAIN)
#undef CHAIN
    }
    return carry;
}

/* r += b + carry, carry being 0 or 1. */
LANE_STEP limb chain_add_carry_piece(limb *r, const limb *b, int n, limb carry) {
    limb c[CHAIN_LIMBS];
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = b[i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_LIMBS(ADD_CARRY, ADD_STEP, CHAIN_ADD_END, LIMBS_##n);                                                 \
        break;
        EACH_LENGTH(CHAIN)
#undef CHAIN
    }
    return carry;
}

/* r -= b. Returns all ones where r < b, else 0. */
LANE_STEP limb chain_sub_piece(limb *r, const limb *b, int n) {
    limb carry = 0, c[CHAIN_LIMBS];
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = b[i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_LIMBS(SUB_FIRST, SUB_STEP, CHAIN_SUB_END, LIMBS_##n);                                                 \
        break;
        EACH_LENGTH(CHAIN)
#undef CHAIN
    }
    return carry;
}

/* r -= b + 1 where carry is not 0, else r -= b. */
LANE_STEP limb chain_sub_borrow_piece(limb *r, const limb *b, int n, limb carry) {
    limb c[CHAIN_LIMBS];
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = b[i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_LIMBS(SUB_BORROW, SUB_STEP, CHAIN_SUB_END, LIMBS_##n);                                                \
        break;
        EACH_LENGTH(CHAIN)
#undef CHAIN
    }
    return carry;
}

/* r += b + carry for any constant n > 0; returns the carry. carry constant 0 costs nothing. */
LANE_INLINE limb chain_add_from(limb *r, const limb *b, int n, limb carry) {
    LANE_UNROLL for (int i = 0; i < n; i += CHAIN_LIMBS) carry =
        chain_add_carry_piece(r + i, b + i, n - i < CHAIN_LIMBS ? n - i : CHAIN_LIMBS, carry);
    return carry;
}

LANE_INLINE limb chain_add(limb *r, const limb *b, int n) {
    if (n <= CHAIN_LIMBS)
        return chain_add_piece(r, b, n);
    limb carry = chain_add_piece(r, b, CHAIN_LIMBS);
    return chain_add_from(r + CHAIN_LIMBS, b + CHAIN_LIMBS, n - CHAIN_LIMBS, carry);
}

/* r -= b; returns the borrow, all ones or 0. */
LANE_INLINE limb chain_sub(limb *r, const limb *b, int n) {
    if (n <= CHAIN_LIMBS)
        return chain_sub_piece(r, b, n);
    limb borrow = chain_sub_piece(r, b, CHAIN_LIMBS);
    LANE_UNROLL for (int i = CHAIN_LIMBS; i < n; i += CHAIN_LIMBS) borrow =
        chain_sub_borrow_piece(r + i, b + i, n - i < CHAIN_LIMBS ? n - i : CHAIN_LIMBS, borrow);
    return borrow;
}

/* t[0 .. 2 n - 1] += b (a[0] + a[2] 2^64 + ... + a[2 n - 2] 2^(64 (n - 1))), n <= CHAIN_PRODUCTS constant. Returns
 * carry + the chain's. Each product is an IMAD.WIDE, which needs its two limbs of t to be aligned. */
LANE_STEP limb chain_products_onto(limb carry, limb *t, const limb *a, limb b, int n) {
    limb x = 0, y = 0, c[CHAIN_PRODUCTS];
    (void)x, (void)y;
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = a[2 * i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_PRODUCTS(PRODUCT_FIRST, PRODUCT_STEP, PRODUCTS_##n);                                                  \
        break;
        EACH_PRODUCTS(CHAIN)
#undef CHAIN
    }
    return carry;
}

/* The same; returns the carry, 0 or 1. */
LANE_INLINE limb chain_products(limb *t, const limb *a, limb b, int n) { return chain_products_onto(0, t, a, b, n); }

/* The same after *low += left, whose carry is the first of the chain: it weighs as much as t[0]. */
LANE_STEP limb chain_add_products(limb *low, limb left, limb *t, const limb *a, limb b, int n) {
    limb carry = 0, x = *low, y = left, c[CHAIN_PRODUCTS];
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = a[2 * i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_PRODUCTS(PRODUCT_AFTER_ADD, PRODUCT_STEP, PRODUCTS_##n);                                              \
        break;
        EACH_PRODUCTS(CHAIN)
#undef CHAIN
    }
    *low = x;
    return carry;
}

/* t[0 .. 2 n - 1] += a[0]^2 + a[1]^2 2^64 + ... + a[n - 1]^2 2^(64 (n - 1)). Returns the carry. */
LANE_STEP limb chain_squares(limb *t, const limb *a, int n) {
    limb carry = 0, b = 0, x = 0, y = 0, c[CHAIN_PRODUCTS];
    (void)b, (void)x, (void)y;
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = a[i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_PRODUCTS(SQUARE_FIRST, SQUARE_STEP, PRODUCTS_##n);                                                    \
        break;
        EACH_PRODUCTS(CHAIN)
#undef CHAIN
    }
    return carry;
}

/* The same after *low += left, whose carry is the first of the chain. */
LANE_STEP limb chain_add_squares(limb *low, limb left, limb *t, const limb *a, int n) {
    limb carry = 0, b = 0, x = *low, y = left, c[CHAIN_PRODUCTS];
    (void)b;
    LANE_UNROLL_STEP for (int i = 0; i < n; i++) c[i] = a[i];
    switch (n) {
#define CHAIN(n)                                                                                                       \
    case n:                                                                                                            \
        CHAIN_OF_PRODUCTS(SQUARE_AFTER_ADD, SQUARE_STEP, PRODUCTS_##n);                                                \
        break;
        EACH_PRODUCTS(CHAIN)
#undef CHAIN
    }
    *low = x;
    return carry;
}

#endif
