/* Residues modulo m against GMP: every operation on edge values and random ones, loose residues among them, and other
 * ones in each lane. */
#ifndef TESTS_LIMBS_MODULAR_CASES_H
#define TESTS_LIMBS_MODULAR_CASES_H

#include "integers.h"

#include "field/modular.h"

/* The constants of m, odd and below 2^(32 WORDS); plain: m = 2^(32 WORDS) - c, c < 2^33, or 2^255 - 19, or
 * SM2's prime, which has no such c. */
static inline void modulus_set(struct modulus *modulus, const mpz_t m, enum reduction reduction) {
    mpz_t r, radix, word;
    int montgomery = !reduction_is_plain(reduction);
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
    modulus->negative_inverse = constant_from_integer(r).v[0];
    mpz_ui_pow_ui(r, 2, mpz_sizeinbase(m, 2));
    mpz_sub(r, r, m);
    modulus->c = montgomery || mpz_sizeinbase(r, 2) > 33 ? 0 : mpz_get_ui(r);
    mpz_clears(r, radix, word, NULL);
}

/* A residue in each lane: x represents value. */
struct operand {
    struct limbs x;
    mpz_t value[LANES];
};

/* A modulus with GMP's side of it: what a representation stands for. */
struct ring {
    const struct modulus *modulus;
    mpz_t m, factor, inverse;  /* representation of x: x * factor mod m */
    mpz_t bound;               /* residues are below it */
    struct operand a, b, c, d; /* operands */
    mpz_t r;                   /* result of a lane */
};

/* What an operation on a lane's operands gives, mod m. */
typedef void lane_formula(mpz_t r, const struct ring *ring, int lane);

/* May the limbs of a residue overlap (limbs/portable/multiply_spare.h)? */
static inline int ring_is_loose(const struct ring *ring) {
    return LIMB_SPARE_BITS && reduction_is_plain(ring->modulus->reduction);
}

/* r = the integer that a lane of a residue is. */
static inline void integer_from_residue(mpz_t r, const struct ring *ring, struct limbs a, int lane) {
    integer_from_lane_of(r, a, lane, LIMB_BITS + (ring_is_loose(ring) ? LIMB_SPARE_BITS : 0));
}

/* A residue that is this integer; where its limbs may overlap, they do so half of the time, and where there is no other
 * way. */
static inline struct limbs_constant residue_from_integer(const struct ring *ring, const mpz_t x) {
    return constant_from(x, ring_is_loose(ring) &&
                                (mpz_tstbit(x, 1) || mpz_sizeinbase(x, 2) > LIMBS * LIMB_BITS + LIMB_SPARE_BITS));
}

/* Loose residues are below it: the portable machine has canonical ones, or any below R, limbs/vector/multiply.h and
 * limbs/ptx/multiply.h say how loose. */
static inline void residue_bound(mpz_t bound, const struct ring *ring) {
    struct limbs ones = limbs_zero();
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) ones.v[i] = ones.v[i] - 1;
    if (ring_is_loose(ring)) { /* one more than the sum of (2^(LIMB_BITS + LIMB_SPARE_BITS) - 1) 2^(LIMB_BITS i) */
        mpz_set_ui(bound, 0);
        for (int i = 0; i < LIMBS; i++) {
            mpz_mul_2exp(bound, bound, LIMB_BITS);
            mpz_add_ui(bound, bound, ((uint64_t)1 << (LIMB_BITS + LIMB_SPARE_BITS) % 64) - 1);
        }
        mpz_add_ui(bound, bound, 1);
    } else if (LIMB_SPARE_BITS) {
        mpz_set(bound, ring->m);
    } else if (LIMB_BITS == 64 && mask_any(modular_is_residue(ring->modulus, ones))) {
        integer_radix(bound);
    } else if (LIMB_BITS == 32 &&
               (ring->modulus->reduction == REDUCE_PSEUDO_MERSENNE || ring->modulus->reduction == REDUCE_P25519)) {
        mpz_ui_pow_ui(bound, 2, 32 * WORDS);
    } else if (LIMB_BITS != 52) {
        mpz_set(bound, ring->m);
    } else if (ring->modulus->reduction == REDUCE_MONTGOMERY) {
        mpz_mul_ui(bound, ring->m, 2);
    } else {
        mpz_ui_pow_ui(bound, 2, mpz_sizeinbase(ring->m, 2) - 3);
        mpz_mul_ui(bound, bound, 9);
    }
}

static inline void ring_open(struct ring *ring, const struct modulus *modulus) {
    struct operand *operands[] = {&ring->a, &ring->b, &ring->c, &ring->d};
    mpz_inits(ring->m, ring->factor, ring->inverse, ring->bound, ring->r, NULL);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 4; i++)
            mpz_init(operands[i]->value[lane]);
    integer_from_constant(ring->m, &modulus->m);
    ring->modulus = modulus;
    mpz_set_ui(ring->factor, 1);
    if (!reduction_is_plain(modulus->reduction))
        integer_radix(ring->factor);
    mpz_invert(ring->inverse, ring->factor, ring->m);
    residue_bound(ring->bound, ring);
}

static inline void ring_close(struct ring *ring) {
    struct operand *operands[] = {&ring->a, &ring->b, &ring->c, &ring->d};
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 4; i++)
            mpz_clear(operands[i]->value[lane]);
    mpz_clears(ring->m, ring->factor, ring->inverse, ring->bound, ring->r, NULL);
}

/* The canonical representation of r. */
static inline struct limbs_constant ring_constant(struct ring *ring, const mpz_t r) {
    mpz_t t;
    mpz_init(t);
    mpz_mul(t, r, ring->factor);
    mpz_mod(t, t, ring->m);
    struct limbs_constant c = constant_from_integer(t);
    mpz_clear(t);
    return c;
}

/* The same in all lanes. */
static inline struct limbs ring_represent(struct ring *ring, const mpz_t r) {
    struct limbs_constant c = ring_constant(ring, r);
    return limbs_set(&c);
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
        mpz_set(r, ring->inverse);
        break;
    default:
        integer_random(r, prng);
    }
    mpz_mod(r, r, ring->m);
}

/* A lane of an operand = what the representation x, below the bound, stands for. */
static inline void operand_set_representation(struct ring *ring, struct operand *o, int lane, const mpz_t x) {
    limbs_insert(&o->x, lane, residue_from_integer(ring, x));
    mpz_mul(o->value[lane], x, ring->inverse);
    mpz_mod(o->value[lane], o->value[lane], ring->m);
}

/* A lane of an operand = value, in one of its representations. */
static inline void operand_set(struct ring *ring, struct operand *o, int lane, const mpz_t value, struct prng *prng) {
    mpz_t x, loose;
    mpz_inits(x, loose, NULL);
    mpz_set(o->value[lane], value);
    mpz_mul(x, value, ring->factor);
    mpz_mod(x, x, ring->m);
    mpz_mul_ui(loose, ring->m, ring_is_loose(ring) ? 1 + prng_below(prng, 3) : 1);
    mpz_add(loose, loose, x);
    if (mpz_cmp(loose, ring->bound) < 0 && prng_below(prng, 2))
        mpz_set(x, loose);
    limbs_insert(&o->x, lane, residue_from_integer(ring, x));
    mpz_clears(x, loose, NULL);
}

/* x = any representation: random limbs; next to 0, m or the bound; or the greatest whose lower limbs are maximal. */
static inline void draw_representation(struct ring *ring, mpz_t x, struct prng *prng) {
    uint64_t kind = prng_below(prng, 6);
    if (kind < 3)
        integer_random(x, prng);
    else if (kind == 3)
        mpz_fdiv_q_2exp(x, ring->bound, (LIMBS - 1) * LIMB_BITS);
    else
        mpz_set(x, prng_below(prng, 3) == 0 ? ring->bound : ring->m);
    if (kind == 3) {
        mpz_mul_2exp(x, x, (LIMBS - 1) * LIMB_BITS);
        mpz_sub_ui(x, x, 1);
    } else if (kind > 3) {
        mpz_add_ui(x, x, prng_below(prng, 4));
        mpz_sub_ui(x, x, prng_below(prng, 4));
    }
    mpz_mod(x, x, ring->bound);
}

/* Another residue in each lane: an element as above or any representation. */
static inline void operand_draw(struct ring *ring, struct operand *o, struct prng *prng) {
    mpz_t x;
    mpz_init(x);
    for (int lane = 0; lane < LANES; lane++) {
        if (prng_below(prng, 2)) {
            ring_draw(ring, x, prng);
            operand_set(ring, o, lane, x, prng);
            continue;
        }
        draw_representation(ring, x, prng);
        operand_set_representation(ring, o, lane, x);
    }
    mpz_clear(x);
}

/* x = a representation that makes the quotient by which a product with this lane of a is reduced, -a x / m mod R, one
 * whose limbs are edges of their range: all ones make columns and result maximal. Returns whether one was found. */
static inline int draw_by_quotient(struct ring *ring, mpz_t x, int lane, struct prng *prng) {
    mpz_t a, radix;
    int found = 0;
    mpz_inits(a, radix, NULL);
    integer_radix(radix);
    integer_from_residue(a, ring, ring->a.x, lane);
    if (ring->modulus->reduction != REDUCE_PSEUDO_MERSENNE && mpz_invert(a, a, radix) != 0)
        for (int i = 0; i < 32 && !found; i++) {
            if (i == 0)
                mpz_set_si(x, -1);
            else
                integer_random(x, prng);
            mpz_mul(x, x, ring->m);
            mpz_mul(x, x, a);
            mpz_neg(x, x);
            mpz_mod(x, x, radix);
            found = mpz_cmp(x, ring->bound) < 0;
        }
    mpz_clears(a, radix, NULL);
    return found;
}

/* The lanes of b: elements as above; now and then a itself, a b that makes the product or its representation small or
 * close to m, where carries run through all limbs, or one with a quotient as above. */
static inline void ring_draw_factor(struct ring *ring, struct prng *prng) {
    mpz_t b;
    mpz_init(b);
    operand_draw(ring, &ring->b, prng);
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t choice = prng_below(prng, 16);
        if (choice < 8 && choice > 4 && draw_by_quotient(ring, b, lane, prng))
            operand_set_representation(ring, &ring->b, lane, b);
        mpz_set(b, ring->a.value[lane]);
        if (choice > 4 || (choice > 0 && mpz_invert(b, b, ring->m) == 0))
            continue;
        if (choice > 0) {
            mpz_set_ui(ring->r, prng_next(prng) >> prng_below(prng, 64));
            mpz_mul_ui(ring->r, ring->r, choice & 1 ? 1 : 1000003);
            mpz_mul(b, b, ring->r);
            if (choice & 2)
                mpz_mul(b, b, ring->inverse);
            if (prng_below(prng, 2))
                mpz_neg(b, b);
        }
        mpz_mod(b, b, ring->m);
        operand_set(ring, &ring->b, lane, b, prng);
    }
    mpz_clear(b);
}

/* This lane of x is a residue in its range and represents r mod m. r is overwritten. */
static inline void expect_residue_lane(struct ring *ring, const char *what, struct limbs x, int lane, mpz_t r) {
    mpz_t got;
    mpz_init(got);
    integer_from_residue(got, ring, x, lane);
    mpz_mul(r, r, ring->factor);
    mpz_mod(r, r, ring->m);
    if (mpz_cmp(got, ring->bound) >= 0 || !mpz_congruent_p(got, r, ring->m)) {
        gmp_fprintf(stderr,
                    "%s, lane %d\n  m        %Zx\n  a        %Zx\n  b        %Zx\n  c        %Zx\n  d        %Zx\n"
                    "  expected %Zx\n  got      %Zx\n  below    %Zx\n",
                    what, lane, ring->m, ring->a.value[lane], ring->b.value[lane], ring->c.value[lane],
                    ring->d.value[lane], r, got, ring->bound);
        fail();
    }
    mpz_clear(got);
}

/* Every lane of x represents ring->r mod m. */
static inline void expect_residue(struct ring *ring, const char *what, struct limbs x) {
    mpz_t r;
    mpz_init(r);
    for (int lane = 0; lane < LANES; lane++) {
        mpz_set(r, ring->r);
        expect_residue_lane(ring, what, x, lane, r);
    }
    mpz_clear(r);
}

/* Every lane of x represents what the formula gives. */
static inline void expect_formula(struct ring *ring, const char *what, struct limbs x, lane_formula *f) {
    for (int lane = 0; lane < LANES; lane++) {
        f(ring->r, ring, lane);
        expect_residue_lane(ring, what, x, lane, ring->r);
    }
}

static inline void formula_add(mpz_t r, const struct ring *g, int lane) {
    mpz_add(r, g->a.value[lane], g->b.value[lane]);
}
static inline void formula_sub(mpz_t r, const struct ring *g, int lane) {
    mpz_sub(r, g->a.value[lane], g->b.value[lane]);
}
static inline void formula_neg(mpz_t r, const struct ring *g, int lane) { mpz_neg(r, g->a.value[lane]); }
static inline void formula_half(mpz_t r, const struct ring *g, int lane) {
    mpz_set(r, g->a.value[lane]);
    if (mpz_odd_p(r))
        mpz_add(r, r, g->m);
    mpz_fdiv_q_2exp(r, r, 1);
}
static inline void formula_mul(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->b.value[lane]);
}
static inline void formula_sqr(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->a.value[lane]);
}

static inline void expect_linear(struct ring *ring) {
    const struct modulus *m = ring->modulus;
    struct limbs x = ring->a.x, y = ring->b.x;
    expect_formula(ring, "a + b mod m", modular_add(m, x, y), formula_add);
    expect_formula(ring, "a - b mod m", modular_sub(m, x, y), formula_sub);
    expect_formula(ring, "-a mod m", modular_neg(m, x), formula_neg);
    expect_formula(ring, "a / 2 mod m", modular_half(m, x), formula_half);
    mask equal = modular_equal(m, x, y), zero = modular_is_zero(m, x);
    struct limbs canonical = modular_canonical(m, x);
    for (int lane = 0; lane < LANES; lane++) {
        mpz_t *a = &ring->a.value[lane], *b = &ring->b.value[lane];
        expect_lane_mask("a = b mod m", mpz_cmp(*a, *b) == 0, equal, lane, *a, *b);
        expect_lane_mask("a = 0 mod m", mpz_sgn(*a) == 0, zero, lane, *a, *b);
        mpz_mul(ring->r, *a, ring->factor);
        mpz_mod(ring->r, ring->r, ring->m);
        expect_lane("canonical a", ring->r, canonical, lane, *a, *b);
    }
    expect_mask("a = a mod m", 1, modular_equal(m, x, x), ring->m, ring->m);
}

static inline void expect_products(struct ring *ring) {
    expect_formula(ring, "a b mod m", modular_mul(ring->modulus, ring->a.x, ring->b.x), formula_mul);
    expect_formula(ring, "a^2 mod m", modular_sqr(ring->modulus, ring->a.x), formula_sqr);
}

/* a = an integer to be encoded: below R for a modulus without a special form, else below 2^(32 WORDS), which is what
 * rows hold, or about m. A pseudo-Mersenne modulus takes what is below 2 m. */
static inline void draw_integer_to_encode(struct ring *ring, mpz_t a, struct prng *prng) {
    integer_random(a, prng);
    if (prng_below(prng, 4) == 0) {
        mpz_set(a, ring->m);
        mpz_add_ui(a, a, prng_below(prng, 3));
        mpz_sub_ui(a, a, 1);
    }
    unsigned bits = ring->modulus->reduction == REDUCE_MONTGOMERY ? LIMBS * LIMB_BITS : 32 * WORDS;
    if (LIMB_SPARE_BITS && 32 * WORDS > LIMBS * LIMB_BITS) { /* what the last limb holds besides */
        bits = (LIMBS - 1) * LIMB_BITS + 64;
        if (prng_below(prng, 2)) {
            mpz_mul_2exp(a, a, 64 - LIMB_BITS);
            mpz_add_ui(a, a, prng_below(prng, (uint64_t)1 << (64 - LIMB_BITS)));
        }
    }
    mpz_fdiv_r_2exp(a, a, bits);
    if (ring->modulus->reduction == REDUCE_PSEUDO_MERSENNE) {
        mpz_mul_2exp(ring->r, ring->m, 1);
        mpz_mod(a, a, ring->r);
    }
}

/* Integers, among them about multiples of m, to a representation and back. */
static inline void expect_encoding(struct ring *ring, struct prng *prng) {
    struct limbs x = limbs_zero();
    for (int lane = 0; lane < LANES; lane++) {
        draw_integer_to_encode(ring, ring->a.value[lane], prng);
        limbs_insert(&x, lane, constant_from_integer(ring->a.value[lane]));
    }
    struct limbs encoded = modular_encode(ring->modulus, x), decoded = modular_decode(ring->modulus, encoded);
    for (int lane = 0; lane < LANES; lane++) {
        mpz_t *a = &ring->a.value[lane];
        mpz_set(ring->r, *a);
        expect_residue_lane(ring, "representation of a", encoded, lane, ring->r);
        mpz_mod(ring->r, *a, ring->m);
        expect_lane("decoded representation of a", ring->r, decoded, lane, *a, ring->m);
    }
}

/* Every operation but powers, on `count` pairs of operands. */
static inline void modular_cases(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i += LANES) {
        operand_draw(&ring, &ring.a, prng);
        ring_draw_factor(&ring, prng);
        expect_linear(&ring);
        expect_products(&ring);
        expect_encoding(&ring, prng);
    }
    ring_close(&ring);
}

/* Products alone, of `count` pairs of random operands. */
static inline void modular_products(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            integer_random(ring.r, prng);
            mpz_mod(ring.r, ring.r, ring.m);
            operand_set(&ring, &ring.a, lane, ring.r, prng);
            integer_random(ring.r, prng);
            mpz_mod(ring.r, ring.r, ring.m);
            operand_set(&ring, &ring.b, lane, ring.r, prng);
        }
        expect_products(&ring);
    }
    ring_close(&ring);
}

/* 1 / a where a and m, less than 2^(32 WORDS), have no common factor; elsewhere 0, and said to be none. */
static inline void modular_inverses(const struct modulus *modulus, struct prng *prng, size_t count) {
    struct ring ring;
    ring_open(&ring, modulus);
    for (size_t i = 0; i < count; i += LANES) {
        mask exists;
        operand_draw(&ring, &ring.a, prng);
        struct limbs inverse = modular_inverse(modulus, ring.a.x, &exists);
        for (int lane = 0; lane < LANES; lane++) {
            int expected = mpz_invert(ring.r, ring.a.value[lane], ring.m) != 0;
            if (!expected)
                mpz_set_ui(ring.r, 0);
            expect_lane_mask("1 / a exists", expected, exists, lane, ring.a.value[lane], ring.m);
            expect_residue_lane(&ring, "1 / a mod m", inverse, lane, ring.r);
        }
    }
    ring_close(&ring);
}

#endif
