/* A modulus and the constants derived from it, in the limbs of the machine that includes this file.
 *
 * Needs LIMBS and limb. A residue x is kept as x * R mod m with R = 2^(LIMBS * LIMB_BITS) where the reduction is
 * Montgomery's, as x itself where it is plain. */
#ifndef GECC_LIMBS_MODULUS_H
#define GECC_LIMBS_MODULUS_H

struct limbs_constant {
    limb v[LIMBS];
};

enum reduction {
    REDUCE_MONTGOMERY,      /* any odd m */
    REDUCE_PSEUDO_MERSENNE, /* m = 2^(32 * words) - c, c < 2^33: secp256k1 */
    REDUCE_P256,            /* Montgomery, with the multiples of m made of shifts, as are the next three */
    REDUCE_P384,
    REDUCE_SM2,
    REDUCE_P521,   /* m = 2^521 - 1: the same, or plain in limbs of 58 bits */
    REDUCE_P25519, /* m = 2^255 - 19, plain as the pseudo-Mersenne ones are */
    /* Numbers of reductions that a translation unit brings to the GPU's machine (OWN_REDUCTIONS, limbs/ptx/reduce.h):
     * from here on those of Montgomery's representation, ... */
    REDUCE_OWN = 8,
    REDUCE_OWN_PLAIN = 16 /* ... and from here to 31 those whose residues are plain */
};

struct modulus {
    struct limbs_constant m;
    struct limbs_constant one;       /* the representation of 1 */
    struct limbs_constant r_squared; /* R^2 mod m: takes an integer to its representation; 1 if plain */
    limb negative_inverse;           /* -m^-1 mod 2^LIMB_BITS */
    uint64_t c;                      /* pseudo-Mersenne's c, 19 for 2^255 - 19, 1 for a plain 2^521 - 1, else 0 */
    enum reduction reduction;
};

/* Is a residue x kept as x itself? */
LANE_INLINE int reduction_is_plain(enum reduction reduction) {
    return reduction == REDUCE_PSEUDO_MERSENNE || reduction == REDUCE_P25519 ||
           (LIMB_BITS == 58 && reduction == REDUCE_P521) || (LIMB_BITS == 32 && reduction >= REDUCE_OWN_PLAIN);
}

/* A power by a chain: x[0] = a, then x[to] = x[from]^(2^squarings) x[times] by each step, x[from]^(2^squarings) if
 * `times` is POWER_ALONE; the last one is the power. */
enum { POWER_STEPS = 128, POWERS_KEPT = 18, POWER_ALONE = 255 };

struct power_step {
    uint8_t from, squarings, times, to;
};

struct power_chain {
    unsigned steps;
    struct power_step step[POWER_STEPS];
};

#endif
