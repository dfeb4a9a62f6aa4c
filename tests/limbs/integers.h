/* Integers of the machine that is included before, against GMP's: conversion, edge values, comparison. */
#ifndef TESTS_LIMBS_INTEGERS_H
#define TESTS_LIMBS_INTEGERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "support/effort.h"
#include "support/prng.h"

/* repetitions(), where every lane has a case of its own. */
static inline size_t lane_repetitions(size_t fast, size_t slow) {
    return (repetitions(fast, slow) + LANES - 1) / LANES;
}

/* Bits that limbs of a residue may have above LIMB_BITS, on machines where they may. */
#ifndef LIMB_SPARE_BITS
#define LIMB_SPARE_BITS 0
#endif

/* r = the sum of v[i] 2^(LIMB_BITS i). */
static inline void integer_from_array(mpz_t r, const limb v[LIMBS]) {
    mpz_import(r, 1, -1, sizeof(limb), 0, 0, &v[LIMBS - 1]);
    mpz_t t;
    mpz_init(t);
    for (int i = LIMBS - 1; i-- > 0;) {
        mpz_import(t, 1, -1, sizeof(limb), 0, 0, &v[i]);
        mpz_mul_2exp(r, r, LIMB_BITS);
        mpz_add(r, r, t);
    }
    mpz_clear(t);
}

static inline void integer_from_constant(mpz_t r, const struct limbs_constant *c) { integer_from_array(r, c->v); }

/* A constant of the machine from 0 <= a < R, or what its last limb holds besides. Those of `loose` limbs are
 * 2^LIMB_BITS greater and the next one 1 less, wherever that is possible. */
static inline struct limbs_constant constant_from(const mpz_t a, int loose) {
    struct limbs_constant r;
    mpz_t rest;
    mpz_init_set(rest, a);
    assert_true(mpz_sgn(a) >= 0);
    for (int i = 0; i < LIMBS; i++) {
        uint64_t low = mpz_get_ui(rest), more = 0;
        if (i < LIMBS - 1 || LIMB_SPARE_BITS == 0)
            low &= ~(uint64_t)0 >> (64 - LIMB_BITS);
        if (loose && i < LIMBS - 1 && mpz_sizeinbase(rest, 2) > LIMB_BITS)
            more = 1;
        r.v[i] = (limb)(low + (more << (LIMB_BITS - 1) << 1));
        mpz_sub_ui(rest, rest, low);
        mpz_fdiv_q_2exp(rest, rest, i < LIMBS - 1 || LIMB_SPARE_BITS == 0 ? LIMB_BITS : 64);
        mpz_sub_ui(rest, rest, more);
    }
    assert_int_equal(mpz_sgn(rest), 0);
    mpz_clear(rest);
    return r;
}

static inline struct limbs_constant constant_from_integer(const mpz_t a) { return constant_from(a, 0); }

/* r = the integer of a lane, whose limbs must be below 2^bits. */
static inline void integer_from_lane_of(mpz_t r, struct limbs a, int lane, int bits) {
    limb v[LIMBS][LANES], column[LIMBS];
    memcpy(v, a.v, sizeof v);
    for (int i = 0; i < LIMBS; i++) {
        column[i] = v[i][lane];
        assert_int_equal(column[i] & ~((limb) ~(limb)0 >> (8 * (int)sizeof(limb) - bits)), 0);
    }
    integer_from_array(r, column);
}

static inline void integer_from_lane(mpz_t r, struct limbs a, int lane) { integer_from_lane_of(r, a, lane, LIMB_BITS); }

/* r = the integer that is the same in all lanes, or the first one's. */
static inline void integer_from_limbs(mpz_t r, struct limbs a) { integer_from_lane(r, a, 0); }

/* 0 <= a < R, in all lanes. */
static inline struct limbs limbs_from_integer(const mpz_t a) {
    struct limbs_constant c = constant_from_integer(a);
    return limbs_set(&c);
}

static inline struct limbs limbs_from_small(limb a) {
    struct limbs r = limbs_zero();
    r.v[0] = r.v[0] + a;
    return r;
}

/* One lane of *x = a. */
static inline void limbs_insert(struct limbs *x, int lane, struct limbs_constant a) {
    limb v[LIMBS][LANES];
    memcpy(v, x->v, sizeof v);
    for (int i = 0; i < LIMBS; i++)
        v[i][lane] = a.v[i];
    memcpy(x->v, v, sizeof v);
}

/* R. */
static inline void integer_radix(mpz_t r) {
    mpz_set_ui(r, 1);
    mpz_mul_2exp(r, r, LIMBS * LIMB_BITS);
}

/* An integer below R whose limbs are random or, half of the time each, an edge of their range. */
static inline struct limbs_constant constant_random(struct prng *prng) {
    static const limb edges[] = {0,
                                 1,
                                 2,
                                 UINT32_MAX,
                                 (limb)((uint64_t)1 << 32),
                                 (limb)1 << (LIMB_BITS - 2),
                                 ((limb)1 << (LIMB_BITS - 1)) - 1,
                                 (limb)1 << (LIMB_BITS - 1),
                                 (limb)UINT64_MAX,
                                 (limb)(UINT64_MAX - 1),
                                 (limb)(0x3d1 + ((uint64_t)1 << 32))};
    struct limbs_constant r;
    uint64_t uniform = prng_next(prng) % 2;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t choice = prng_next(prng);
        r.v[i] = uniform || choice % 2 ? prng_next(prng) : edges[choice / 2 % (sizeof edges / sizeof edges[0])];
        r.v[i] &= (limb)UINT64_MAX >> (8 * sizeof(limb) - LIMB_BITS);
    }
    return r;
}

/* The same, another one in each lane. */
static inline struct limbs limbs_random(struct prng *prng) {
    struct limbs r = limbs_zero();
    for (int lane = 0; lane < LANES; lane++)
        limbs_insert(&r, lane, constant_random(prng));
    return r;
}

static inline void integer_random(mpz_t r, struct prng *prng) {
    struct limbs_constant c = constant_random(prng);
    integer_from_constant(r, &c);
}

/* Fails, naming what was computed and the integers it was computed from, unless this lane of got = expected. */
static inline void expect_lane(const char *what, const mpz_t expected, struct limbs got, int lane, const mpz_t a,
                               const mpz_t b) {
    mpz_t integer;
    mpz_init(integer);
    integer_from_lane(integer, got, lane);
    if (mpz_cmp(integer, expected) != 0) {
        gmp_fprintf(stderr, "%s, lane %d\n  a        %Zx\n  b        %Zx\n  expected %Zx\n  got      %Zx\n", what, lane,
                    a, b, expected, integer);
        fail();
    }
    mpz_clear(integer);
}

/* The same for all lanes. */
static inline void expect_integer(const char *what, const mpz_t expected, struct limbs got, const mpz_t a,
                                  const mpz_t b) {
    for (int lane = 0; lane < LANES; lane++)
        expect_lane(what, expected, got, lane, a, b);
}

static inline void expect_lane_mask(const char *what, int expected, mask got, int lane, const mpz_t a, const mpz_t b) {
    if (mask_any(got ^ mask_insert(got, lane, expected))) {
        gmp_fprintf(stderr, "%s, lane %d\n  a        %Zx\n  b        %Zx\n  expected %d\n", what, lane, a, b, expected);
        fail();
    }
}

static inline void expect_mask(const char *what, int expected, mask got, const mpz_t a, const mpz_t b) {
    for (int lane = 0; lane < LANES; lane++)
        expect_lane_mask(what, expected, got, lane, a, b);
}

#endif
