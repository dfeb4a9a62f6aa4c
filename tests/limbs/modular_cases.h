/* Residues modulo m against GMP: every operation on edge values and random ones. */
#ifndef TESTS_LIMBS_MODULAR_CASES_H
#define TESTS_LIMBS_MODULAR_CASES_H

#include "integers.h"

#include "field/modular.h"

/* The constants of m, odd and below R; pseudo-Mersenne: m = R - c, c < 2^33. */
static inline void modulus_set(struct modulus *modulus, const mpz_t m, enum reduction reduction) {
    mpz_t r, radix, word;
    int montgomery = reduction != REDUCE_PSEUDO_MERSENNE;
    mpz_inits(r, radix, word, NULL);
    integer_radix(radix);
    *modulus = (struct modulus){.m = constant_from_integer(m), .reduction = reduction};
    mpz_mod(r, radix, m);
    if (!montgomery)
        mpz_set_ui(r, 1);
    modulus->one = constant_from_integer(r);
    mpz_mul(r, r, r);
    mpz_mod(r, r, m);
    modulus->r_squared = constant_from_integer(r);
    mpz_ui_pow_ui(word, 2, LIMB_BITS);
    mpz_invert(r, m, word);
    mpz_sub(r, word, r);
    modulus->negative_inverse = limbs_from_integer(r).v[0];
    mpz_sub(r, radix, m);
    modulus->c = montgomery ? 0 : limbs_from_integer(r).v[0];
    mpz_clears(r, radix, word, NULL);
}

/* A modulus with GMP's side of it: what a representation stands for. */
struct ring {
    const struct modulus *modulus;
    mpz_t m, factor; /* representation of x: x * factor mod m */
    mpz_t a, b, r;   /* operands, result */
};

static inline void ring_open(struct ring *ring, const struct modulus *modulus) {
    struct limbs m;
    mpz_inits(ring->m, ring->factor, ring->a, ring->b, ring->r, NULL);
    memcpy(m.v, modulus->m.v, sizeof m.v);
    integer_from_limbs(ring->m, m);
    ring->modulus = modulus;
    if (modulus->reduction == REDUCE_PSEUDO_MERSENNE)
        mpz_set_ui(ring->factor, 1);
    else
        integer_radix(ring->factor);
}

static inline void ring_close(struct ring *ring) { mpz_clears(ring->m, ring->factor, ring->a, ring->b, ring->r, NULL); }

/* The representation of r, computed by GMP. */
static inline struct limbs ring_represent(struct ring *ring, const mpz_t r) {
    mpz_t t;
    mpz_init(t);
    mpz_mul(t, r, ring->factor);
    mpz_mod(t, t, ring->m);
    struct limbs x = limbs_from_integer(t);
    mpz_clear(t);
    return x;
}

/* r = an element of [0, m): random, or one of 0, 1, 2, m - 1, m - 2, (m - 1) / 2, (m + 1) / 2, R mod m and R^-1. */
static inline void ring_draw(struct ring *ring, mpz_t r, struct prng *prng) {
    switch (prng_below(prng, 24)) {
    case 0:
    case 1:
    case 2:
        mpz_set_ui(r, prng_below(prng, 3));
        break;
    case 3:
    case 4:
        mpz_sub_ui(r, ring->m, 1 + prng_below(prng, 2));
        break;
    case 5:
    case 6:
        mpz_add_ui(r, ring->m, prng_below(prng, 2));
        mpz_fdiv_q_2exp(r, r, 1);
        break;
    case 7:
        mpz_set(r, ring->factor);
        break;
    case 8:
        mpz_invert(r, ring->factor, ring->m);
        break;
    default:
        integer_from_limbs(r, limbs_random(prng));
    }
    mpz_mod(r, r, ring->m);
}

/* b = an element as above; now and then a itself, or a b that makes the product or its representation small or close to
 * m, where carries run through all limbs. */
static inline void ring_draw_factor(struct ring *ring, struct prng *prng) {
    uint64_t choice = prng_below(prng, 16);
    if (choice == 0)
        mpz_set(ring->b, ring->a);
    else if (choice > 4 || mpz_invert(ring->b, ring->a, ring->m) == 0)
        ring_draw(ring, ring->b, prng);
    if (choice == 0 || choice > 4)
        return;
    mpz_set_ui(ring->r, prng_next(prng) >> prng_below(prng, 64));
    mpz_mul_ui(ring->r, ring->r, choice & 1 ? 1 : 1000003);
    mpz_mul(ring->b, ring->b, ring->r);
    if (choice & 2 && mpz_invert(ring->r, ring->factor, ring->m) != 0)
        mpz_mul(ring->b, ring->b, ring->r);
    if (prng_below(prng, 2))
        mpz_neg(ring->b, ring->b);
    mpz_mod(ring->b, ring->b, ring->m);
}

/* The residue x, which must be canonical on this machine, represents ring->r mod m. */
static inline void expect_residue(struct ring *ring, const char *what, struct limbs x) {
    mpz_mod(ring->r, ring->r, ring->m);
    mpz_mul(ring->r, ring->r, ring->factor);
    mpz_mod(ring->r, ring->r, ring->m);
    expect_integer(what, ring->r, x, ring->a, ring->b);
}

static inline void expect_linear(struct ring *ring, struct limbs x, struct limbs y) {
    const struct modulus *m = ring->modulus;
    mpz_add(ring->r, ring->a, ring->b);
    expect_residue(ring, "a + b mod m", modular_add(m, x, y));
    mpz_sub(ring->r, ring->a, ring->b);
    expect_residue(ring, "a - b mod m", modular_sub(m, x, y));
    mpz_neg(ring->r, ring->a);
    expect_residue(ring, "-a mod m", modular_neg(m, x));
    mpz_set(ring->r, ring->a);
    if (mpz_odd_p(ring->r))
        mpz_add(ring->r, ring->r, ring->m);
    mpz_fdiv_q_2exp(ring->r, ring->r, 1);
    expect_residue(ring, "a / 2 mod m", modular_half(m, x));
    expect_mask("a = b mod m", mpz_cmp(ring->a, ring->b) == 0, modular_equal(m, x, y), ring->a, ring->b);
    expect_mask("a = a mod m", 1, modular_equal(m, x, x), ring->a, ring->b);
    expect_mask("a = 0 mod m", mpz_sgn(ring->a) == 0, modular_is_zero(m, x), ring->a, ring->b);
}

static inline void expect_products(struct ring *ring, struct limbs x, struct limbs y) {
    mpz_mul(ring->r, ring->a, ring->b);
    expect_residue(ring, "a b mod m", modular_mul(ring->modulus, x, y));
    mpz_mul(ring->r, ring->a, ring->a);
    expect_residue(ring, "a^2 mod m", modular_sqr(ring->modulus, x));
}

/* Any integer below R, and values about multiples of m, to a representation and back. */
static inline void expect_encoding(struct ring *ring, struct prng *prng) {
    struct limbs x = limbs_random(prng);
    if (prng_below(prng, 4) == 0) {
        memcpy(x.v, ring->modulus->m.v, sizeof x.v);
        x.v[0] += prng_below(prng, 3) - 1;
    }
    integer_from_limbs(ring->a, x);
    mpz_set_ui(ring->b, 0);
    mpz_set(ring->r, ring->a);
    struct limbs encoded = modular_encode(ring->modulus, x);
    if (ring->modulus->reduction == REDUCE_PSEUDO_MERSENNE) {
        mpz_mul_2exp(ring->r, ring->m, 1);
        if (mpz_cmp(ring->a, ring->r) >= 0)
            return;
        mpz_set(ring->r, ring->a);
    }
    expect_residue(ring, "representation of a", encoded);
    mpz_mod(ring->r, ring->a, ring->m);
    expect_integer("decoded representation of a", ring->r, modular_decode(ring->modulus, encoded), ring->a, ring->b);
}

/* Every operation but powers, on `count` pairs of operands. */
static inline void modular_cases(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i++) {
        ring_draw(&ring, ring.a, prng);
        ring_draw_factor(&ring, prng);
        struct limbs x = ring_represent(&ring, ring.a), y = ring_represent(&ring, ring.b);
        expect_linear(&ring, x, y);
        expect_products(&ring, x, y);
        expect_encoding(&ring, prng);
    }
    ring_close(&ring);
}

/* Products alone, of random operands. */
static inline void modular_products(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i++) {
        struct limbs x = limbs_random(prng), y = limbs_random(prng);
        integer_from_limbs(ring.a, x);
        integer_from_limbs(ring.b, y);
        mpz_mod(ring.a, ring.a, ring.m);
        mpz_mod(ring.b, ring.b, ring.m);
        expect_products(&ring, ring_represent(&ring, ring.a), ring_represent(&ring, ring.b));
    }
    ring_close(&ring);
}

/* a^e for random exponents, and 0, 1, m and R - 1. */
static inline void modular_powers(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i++) {
        struct limbs_constant e = modulus->m;
        struct limbs random = limbs_random(prng);
        uint64_t choice = prng_below(prng, 8);
        ring_draw(&ring, ring.a, prng);
        if (choice > 3)
            memcpy(e.v, random.v, sizeof e.v);
        else if (choice > 0)
            memset(e.v, choice == 3 ? 0xff : 0, sizeof e.v);
        if (choice == 2)
            e.v[0] = 1;
        mpz_import(ring.b, LIMBS, -1, sizeof(limb), 0, 0, e.v);
        mpz_powm(ring.r, ring.a, ring.b, ring.m);
        expect_residue(&ring, "a^b mod m", modular_power_public(modulus, ring_represent(&ring, ring.a), &e));
    }
    ring_close(&ring);
}

/* 1 / a where a and m, less than 2^(32 WORDS), have no common factor; elsewhere 0, and said to be none. */
static inline void modular_inverses(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i++) {
        mask exists;
        ring_draw(&ring, ring.a, prng);
        int expected = mpz_invert(ring.r, ring.a, ring.m) != 0;
        if (!expected)
            mpz_set_ui(ring.r, 0);
        struct limbs inverse = modular_inverse(modulus, ring_represent(&ring, ring.a), &exists);
        expect_mask("1 / a exists", expected, exists, ring.a, ring.m);
        expect_residue(&ring, "1 / a mod m", inverse);
    }
    ring_close(&ring);
}

#endif
