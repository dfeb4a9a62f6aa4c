/* The constants of a modulus that is known only at run time. */
#ifndef GECC_FIELD_MODULUS_H
#define GECC_FIELD_MODULUS_H

#include "field/modular.h"
#include "limbs/bytes.h"

enum { R_BITS = LIMBS * LIMB_BITS };

/* -m^-1 mod 2^LIMB_BITS for an odd limb m: Newton's iteration from m, which is its own inverse mod 8. */
LANE_INLINE limb limb_negative_inverse(limb m) {
    limb x = m;
    for (int bits = 3; bits < LIMB_BITS; bits *= 2)
        x *= 2 - m * x;
    return (0 - x) & (~(limb)0 >> (8 * sizeof(limb) - LIMB_BITS));
}

LANE_INLINE struct limbs_constant limbs_to_constant(struct limbs a) {
    struct limbs_constant r;
    LANE_UNROLL for (unsigned i = 0; i < LIMBS; i++) r.v[i] = limbs_extract(a, i, 0);
    return r;
}

/* The number of m's bits. */
LANE_INLINE int modulus_bits(const struct modulus *m) {
    int bits = R_BITS;
    while (!(m->m.v[(bits - 1) / LIMB_BITS] >> (bits - 1) % LIMB_BITS & 1))
        bits--;
    return bits;
}

/* R mod m: the greatest power of 2 below m, doubled. */
LANE_INLINE struct limbs modulus_one(const struct modulus *m) {
    struct limbs_constant power = {{0}};
    int bit = modulus_bits(m) - 1;
    power.v[bit / LIMB_BITS] = (limb)1 << bit % LIMB_BITS;
    struct limbs r = limbs_set(&power);
    for (; bit < R_BITS; bit++)
        r = modular_add(m, r, r);
    return r;
}

/* R^2 mod m, the representation of 2^R_BITS: by squaring and doubling. */
LANE_INLINE struct limbs modulus_r_squared(const struct modulus *m) {
    struct limbs r = limbs_set(&m->one);
    for (int bit = 15; bit >= 0; bit--) {
        r = modular_sqr(m, r);
        if (R_BITS >> bit & 1)
            r = modular_add(m, r, r);
    }
    return r;
}

/* The modulus m, odd and at least 3, the same in all lanes; it need not be a prime. Public. Without `one` and
 * `r_squared`, for those who represent nothing. */
LANE_INLINE struct modulus modulus_bare(struct limbs m) {
    struct modulus r = {0};
    r.m = limbs_to_constant(m);
    r.reduction = REDUCE_MONTGOMERY;
    r.negative_inverse = limb_negative_inverse(r.m.v[0]);
    return r;
}

/* The same with them. */
LANE_FUNCTION struct modulus modulus_derive(struct limbs m) {
    struct modulus r = modulus_bare(m);
    r.one = limbs_to_constant(modular_canonical(&r, modulus_one(&r)));
    r.r_squared = limbs_to_constant(modular_canonical(&r, modulus_r_squared(&r)));
    return r;
}

/* A prime with a reduction of its own, which is 2^(32 words) plus these multiples of 2^(32 i). */
struct known_prime {
    enum reduction reduction;
    int words;
    int16_t multiple[12];
};

enum { KNOWN_PRIMES = 4, SECP256K1_LOW = 977 };

LANE_CONSTANT struct known_prime KNOWN_PRIME[KNOWN_PRIMES] = {
    {REDUCE_PSEUDO_MERSENNE, 8, {-SECP256K1_LOW, -1}},
    {REDUCE_P256, 8, {-1, 0, 0, 1, 0, 0, 1, -1}},
    {REDUCE_SM2, 8, {-1, 0, 1, -1, 0, 0, 0, -1}},
    {REDUCE_P384, 12, {-1, 1, 0, -1, -1}},
};

LANE_INLINE int modulus_is(const struct known_prime *prime, const uint8_t *modulus, size_t bytes) {
    int64_t carry = 0;
    if (bytes != 4 * (size_t)prime->words)
        return 0;
    for (int i = 0; i < prime->words; i++) {
        carry += prime->multiple[i];
        if (word_read(modulus + bytes - 4 * (size_t)i - 4) != (uint32_t)carry)
            return 0;
        carry = carry < 0 ? -1 : 0;
    }
    return 1;
}

/* How to reduce by a modulus of so many big-endian bytes. */
LANE_INLINE enum reduction modulus_reduction(const uint8_t *modulus, size_t bytes) {
    for (int i = 0; i < KNOWN_PRIMES; i++)
        if (KNOWN_PRIME[i].words == WORDS && modulus_is(&KNOWN_PRIME[i], modulus, bytes))
            return KNOWN_PRIME[i].reduction;
    return REDUCE_MONTGOMERY;
}

/* m with a reduction that it has. As a constant to the compiler this leaves no code for others. */
LANE_INLINE struct modulus modulus_reduced(const struct modulus *m, enum reduction reduction) {
    const struct limbs_constant one = {{1}};
    struct modulus r = *m;
    r.reduction = reduction;
    if (reduction == REDUCE_PSEUDO_MERSENNE) {
        r.c = ((uint64_t)1 << 32) + SECP256K1_LOW;
        r.one = r.r_squared = one;
    }
    return r;
}

#endif
