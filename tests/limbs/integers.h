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

static inline void integer_from_limbs(mpz_t r, struct limbs a) { mpz_import(r, LIMBS, -1, sizeof(limb), 0, 0, a.v); }

/* 0 <= a < R. */
static inline struct limbs limbs_from_integer(const mpz_t a) {
    struct limbs r = {{0}};
    assert_true(mpz_sgn(a) >= 0 && mpz_sizeinbase(a, 2) <= LIMBS * LIMB_BITS);
    mpz_export(r.v, NULL, -1, sizeof(limb), 0, 0, a);
    return r;
}

static inline struct limbs_constant constant_from_integer(const mpz_t a) {
    struct limbs_constant r;
    struct limbs b = limbs_from_integer(a);
    memcpy(r.v, b.v, sizeof r.v);
    return r;
}

/* R. */
static inline void integer_radix(mpz_t r) {
    mpz_set_ui(r, 1);
    mpz_mul_2exp(r, r, LIMBS * LIMB_BITS);
}

/* An integer below R whose limbs are random or, half of the time each, an edge of their range. */
static inline struct limbs limbs_random(struct prng *prng) {
    static const limb edges[] = {0,
                                 1,
                                 2,
                                 UINT32_MAX,
                                 (limb)1 << 32,
                                 (limb)1 << 62,
                                 INT64_MAX,
                                 (limb)1 << 63,
                                 UINT64_MAX,
                                 UINT64_MAX - 1,
                                 0x3d1 + ((limb)1 << 32)};
    struct limbs r;
    uint64_t uniform = prng_next(prng) % 2;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t choice = prng_next(prng);
        r.v[i] = uniform || choice % 2 ? prng_next(prng) : edges[choice / 2 % (sizeof edges / sizeof edges[0])];
    }
    return r;
}

/* Fails, naming what was computed and the integers it was computed from, unless got = expected. */
static inline void expect_integer(const char *what, const mpz_t expected, struct limbs got, const mpz_t a,
                                  const mpz_t b) {
    mpz_t integer;
    mpz_init(integer);
    integer_from_limbs(integer, got);
    if (mpz_cmp(integer, expected) != 0) {
        gmp_fprintf(stderr, "%s\n  a        %Zx\n  b        %Zx\n  expected %Zx\n  got      %Zx\n", what, a, b,
                    expected, integer);
        fail();
    }
    mpz_clear(integer);
}

static inline void expect_mask(const char *what, int expected, mask got, const mpz_t a, const mpz_t b) {
    if (got != mask_set(expected)) {
        gmp_fprintf(stderr, "%s\n  a        %Zx\n  b        %Zx\n  expected %d\n", what, a, b, expected);
        fail();
    }
}

#endif
