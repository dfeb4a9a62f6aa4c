/* Residues on the portable machine, for x86-64 with BMI2 and ADX (Broadwell, Zen and later): the functions of
 * limbs/portable/multiply.h with the carry chains in assembly. Included after limbs/portable/machine.h; LIMBS is 4 or
 * 6.
 *
 * mulx leaves the flags alone, adcx carries in CF and adox in OF: a row of a product needs three instructions a
 * limb. */
#ifndef GECC_LIMBS_PORTABLE_MULTIPLY_ADX_H
#define GECC_LIMBS_PORTABLE_MULTIPLY_ADX_H

#include "limbs/portable/machine.h"

/* How field.h compiles a multiplication: inlined, since it is some 80 instructions; a call in the VERIFY build, where
 * sanitizers make it longer. */
#ifdef GECC_VERIFY
#define FIELD_MULTIPLY LANE_FUNCTION
#else
#define FIELD_MULTIPLY LANE_INLINE
#endif

/* lo += low half of rdx * factor on one chain, hi += high half on the other. */
#define MULX_ADD(factor, lo, hi)                                                                                       \
    "mulx %[" factor "], %%rax, %%rcx\n\tadcx %%rax, %[" lo "]\n\tadox %%rcx, %[" hi "]\n\t"

/* The ends of both chains: hi += CF, over += OF + CF. */
#define CHAINS_END(hi, over)                                                                                           \
    "mov $0, %%eax\n\tadcx %%rax, %[" hi "]\n\tadox %%rax, %[" over "]\n\tadcx %%rax, %[" over "]\n\t"

/* t[0 .. LIMBS] = a * b. */
LANE_INLINE void row_first(limb *t, limb a, const limb *b) {
    if (LIMBS == 4) {
        __asm__("mulx %[b0], %[t0], %[t1]\n\t"
                "mulx %[b1], %%rax, %[t2]\n\tadd %%rax, %[t1]\n\t"
                "mulx %[b2], %%rax, %[t3]\n\tadc %%rax, %[t2]\n\t"
                "mulx %[b3], %%rax, %[t4]\n\tadc %%rax, %[t3]\n\t"
                "adc $0, %[t4]"
                : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4])
                : "d"(a), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
                : "rax", "cc");
    } else {
        __asm__("mulx %[b0], %[t0], %[t1]\n\t"
                "mulx %[b1], %%rax, %[t2]\n\tadd %%rax, %[t1]\n\t"
                "mulx %[b2], %%rax, %[t3]\n\tadc %%rax, %[t2]\n\t"
                "mulx %[b3], %%rax, %[t4]\n\tadc %%rax, %[t3]\n\t"
                "mulx %[b4], %%rax, %[t5]\n\tadc %%rax, %[t4]\n\t"
                "mulx %[b5], %%rax, %[t6]\n\tadc %%rax, %[t5]\n\t"
                "adc $0, %[t6]"
                : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
                  [t5] "=&r"(t[5]), [t6] "=&r"(t[6])
                : "d"(a), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3]), [b4] "m"(b[4]), [b5] "m"(b[5])
                : "rax", "cc");
    }
}

/* t[0 .. LIMBS] += a * b; t[LIMBS + 1] = the carry out of it. */
LANE_INLINE void row_add(limb *t, limb a, const limb *b) {
    if (LIMBS == 4) {
        __asm__("xor %k[over], %k[over]\n\t" /* clears CF and OF */
                MULX_ADD("b0", "t0", "t1") MULX_ADD("b1", "t1", "t2") MULX_ADD("b2", "t2", "t3")
                    MULX_ADD("b3", "t3", "t4") CHAINS_END("t4", "over")
                : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
                  [over] "=&r"(t[5])
                : "d"(a), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
                : "rax", "rcx", "cc");
    } else {
        __asm__("xor %k[over], %k[over]\n\t" MULX_ADD("b0", "t0", "t1") MULX_ADD("b1", "t1", "t2")
                    MULX_ADD("b2", "t2", "t3") MULX_ADD("b3", "t3", "t4") MULX_ADD("b4", "t4", "t5")
                        MULX_ADD("b5", "t5", "t6") CHAINS_END("t6", "over")
                : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
                  [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [over] "=&r"(t[7])
                : "d"(a), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3]), [b4] "m"(b[4]), [b5] "m"(b[5])
                : "rax", "rcx", "cc");
    }
}

/* t += q * m for the q that clears t[0]: the rest stands in t[1 .. LIMBS + 1]. */
LANE_INLINE void montgomery_row(const struct modulus *m, limb *t) {
    limb q = t[0] * m->negative_inverse;
    if (LIMBS == 4) {
        __asm__("xor %%eax, %%eax\n\t" MULX_ADD("m0", "t0", "t1") MULX_ADD("m1", "t1", "t2") MULX_ADD("m2", "t2", "t3")
                    MULX_ADD("m3", "t3", "t4") CHAINS_END("t4", "over")
                : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
                  [over] "+&r"(t[5])
                : "d"(q), [m0] "m"(m->m.v[0]), [m1] "m"(m->m.v[1]), [m2] "m"(m->m.v[2]), [m3] "m"(m->m.v[3])
                : "rax", "rcx", "cc");
    } else {
        __asm__("xor %%eax, %%eax\n\t" MULX_ADD("m0", "t0", "t1") MULX_ADD("m1", "t1", "t2") MULX_ADD("m2", "t2", "t3")
                    MULX_ADD("m3", "t3", "t4") MULX_ADD("m4", "t4", "t5") MULX_ADD("m5", "t5", "t6")
                        CHAINS_END("t6", "over")
                : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
                  [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [over] "+&r"(t[7])
                : "d"(q), [m0] "m"(m->m.v[0]), [m1] "m"(m->m.v[1]), [m2] "m"(m->m.v[2]), [m3] "m"(m->m.v[3]),
                  [m4] "m"(m->m.v[LIMBS - 2]), [m5] "m"(m->m.v[LIMBS - 1])
                : "rax", "rcx", "cc");
    }
}

/* The same for p = 2^256 - 2^224 - 2^96 + 2^64 - 1: q = t[0], and
 * q * p + t[0] = q * 2^256 + q * 2^64 - q * 2^224 - q * 2^96. */
LANE_INLINE void montgomery_row_sm2(limb *t) {
    limb low = t[0] << 32, high = t[0] >> 32;
    __asm__("add %[q], %[t1]\n\tadc $0, %[t2]\n\tadc $0, %[t3]\n\tadc %[q], %[t4]\n\tadc $0, %[over]\n\t"
            "sub %[low], %[t1]\n\tsbb %[high], %[t2]\n\tsbb %[low], %[t3]\n\tsbb %[high], %[t4]\n\tsbb $0, %[over]"
            : [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]), [over] "+&r"(t[5])
            : [q] "r"(t[0]), [low] "r"(low), [high] "r"(high)
            : "cc");
}

/* t mod m for t = top * R + t < 2 m, top being 0 or 1. */
LANE_INLINE struct limbs reduce_once(const struct modulus *m, const limb *t, limb top) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = t[i];
    if (LIMBS == 4) {
        __asm__("sub %[m0], %[r0]\n\tsbb %[m1], %[r1]\n\tsbb %[m2], %[r2]\n\tsbb %[m3], %[r3]\n\tsbb $0, %[top]\n\t"
                "cmovc %[t0], %[r0]\n\tcmovc %[t1], %[r1]\n\tcmovc %[t2], %[r2]\n\tcmovc %[t3], %[r3]"
                : [r0] "+&r"(r.v[0]), [r1] "+&r"(r.v[1]), [r2] "+&r"(r.v[2]), [r3] "+&r"(r.v[3]), [top] "+&r"(top)
                : [t0] "r"(t[0]), [t1] "r"(t[1]), [t2] "r"(t[2]), [t3] "r"(t[3]), [m0] "m"(m->m.v[0]),
                  [m1] "m"(m->m.v[1]), [m2] "m"(m->m.v[2]), [m3] "m"(m->m.v[3])
                : "cc");
    } else {
        __asm__("sub %[m0], %[r0]\n\tsbb %[m1], %[r1]\n\tsbb %[m2], %[r2]\n\tsbb %[m3], %[r3]\n\tsbb %[m4], %[r4]\n\t"
                "sbb %[m5], %[r5]\n\tsbb $0, %[top]\n\t"
                "cmovc %[t0], %[r0]\n\tcmovc %[t1], %[r1]\n\tcmovc %[t2], %[r2]\n\tcmovc %[t3], %[r3]\n\t"
                "cmovc %[t4], %[r4]\n\tcmovc %[t5], %[r5]"
                : [r0] "+&r"(r.v[0]), [r1] "+&r"(r.v[1]), [r2] "+&r"(r.v[2]), [r3] "+&r"(r.v[3]),
                  [r4] "+&r"(r.v[LIMBS - 2]), [r5] "+&r"(r.v[LIMBS - 1]), [top] "+&r"(top)
                : [t0] "rm"(t[0]), [t1] "rm"(t[1]), [t2] "rm"(t[2]), [t3] "rm"(t[3]), [t4] "rm"(t[LIMBS - 2]),
                  [t5] "rm"(t[LIMBS - 1]), [m0] "m"(m->m.v[0]), [m1] "m"(m->m.v[1]), [m2] "m"(m->m.v[2]),
                  [m3] "m"(m->m.v[3]), [m4] "m"(m->m.v[LIMBS - 2]), [m5] "m"(m->m.v[LIMBS - 1])
                : "cc");
    }
    return r;
}

LANE_INLINE struct limbs modular_reduce_once(const struct modulus *m, struct limbs a, limb carry) {
    return reduce_once(m, a.v, carry);
}

/* Modulo 2^256 - c and 2^255 - 19 residues are any integers below 2^256, which is this. LIMBS = 4. */
LANE_INLINE limb plain_excess(const struct modulus *m) { return m->reduction == REDUCE_P25519 ? 2 * m->c : m->c; }

LANE_INLINE struct limbs plain_add(const struct modulus *m, struct limbs a, struct limbs b) {
    limb fold;
    __asm__(
        "add %[b0], %[a0]\n\tadc %[b1], %[a1]\n\tadc %[b2], %[a2]\n\tadc %[b3], %[a3]\n\t"
        "sbb %[fold], %[fold]\n\tand %[c], %[fold]\n\t"
        "add %[fold], %[a0]\n\tadc $0, %[a1]\n\tadc $0, %[a2]\n\tadc $0, %[a3]\n\t"
        "sbb %[fold], %[fold]\n\tand %[c], %[fold]\n\tadd %[fold], %[a0]"
        : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[LIMBS - 1]), [fold] "=&r"(fold)
        : [b0] "rm"(b.v[0]), [b1] "rm"(b.v[1]), [b2] "rm"(b.v[2]), [b3] "rm"(b.v[LIMBS - 1]), [c] "re"(plain_excess(m))
        : "cc");
    return a;
}

LANE_INLINE struct limbs plain_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    limb fold;
    __asm__(
        "sub %[b0], %[a0]\n\tsbb %[b1], %[a1]\n\tsbb %[b2], %[a2]\n\tsbb %[b3], %[a3]\n\t"
        "sbb %[fold], %[fold]\n\tand %[c], %[fold]\n\t"
        "sub %[fold], %[a0]\n\tsbb $0, %[a1]\n\tsbb $0, %[a2]\n\tsbb $0, %[a3]\n\t"
        "sbb %[fold], %[fold]\n\tand %[c], %[fold]\n\tsub %[fold], %[a0]"
        : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[LIMBS - 1]), [fold] "=&r"(fold)
        : [b0] "rm"(b.v[0]), [b1] "rm"(b.v[1]), [b2] "rm"(b.v[2]), [b3] "rm"(b.v[LIMBS - 1]), [c] "re"(plain_excess(m))
        : "cc");
    return a;
}

/* a mod p: bit 255 is 19. */
LANE_INLINE struct limbs p25519_canonical(const struct modulus *m, struct limbs a) {
    limb carry = 0, top = a.v[LIMBS - 1] >> 63;
    a.v[LIMBS - 1] &= ~(limb)0 >> 1;
    a.v[0] = limb_add(&carry, a.v[0], m->c & mask_from_bit(top));
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) a.v[i] = limb_add(&carry, a.v[i], 0);
    return reduce_once(m, a.v, 0);
}

LANE_INLINE struct limbs modular_canonical(const struct modulus *m, struct limbs a) {
    if (m->reduction == REDUCE_P25519)
        return p25519_canonical(m, a);
    return reduction_is_plain(m->reduction) ? reduce_once(m, a.v, 0) : a;
}

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    return reduction_is_plain(m->reduction) ? mask_set(1) : limbs_less(a, limbs_set(&m->m));
}

/* r = a + b mod m. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    limb top = 0;
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (reduction_is_plain(m->reduction))
        return plain_add(m, a, b);
    if (LIMBS == 4)
        __asm__("add %[b0], %[a0]\n\tadc %[b1], %[a1]\n\tadc %[b2], %[a2]\n\tadc %[b3], %[a3]\n\tadc $0, %[top]"
                : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[3]), [top] "+&r"(top)
                : [b0] "rm"(b.v[0]), [b1] "rm"(b.v[1]), [b2] "rm"(b.v[2]), [b3] "rm"(b.v[3])
                : "cc");
    else
        __asm__("add %[b0], %[a0]\n\tadc %[b1], %[a1]\n\tadc %[b2], %[a2]\n\tadc %[b3], %[a3]\n\tadc %[b4], %[a4]\n\t"
                "adc %[b5], %[a5]\n\tadc $0, %[top]"
                : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[3]),
                  [a4] "+&r"(a.v[LIMBS - 2]), [a5] "+&r"(a.v[LIMBS - 1]), [top] "+&r"(top)
                : [b0] "rm"(b.v[0]), [b1] "rm"(b.v[1]), [b2] "rm"(b.v[2]), [b3] "rm"(b.v[3]), [b4] "rm"(b.v[LIMBS - 2]),
                  [b5] "rm"(b.v[LIMBS - 1])
                : "cc");
    return reduce_once(m, a.v, top);
}

/* a += t, and THEN with the carry, of 4 limbs or of 6. */
#define ADD_LIMBS(a, t, THEN_4, THEN_6)                                                                                \
    do                                                                                                                 \
        if (LIMBS == 4)                                                                                                \
            __asm__("add %[t0], %[a0]\n\tadc %[t1], %[a1]\n\tadc %[t2], %[a2]\n\tadc %[t3], %[a3]" THEN_4              \
                    : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[3])                   \
                    : [t0] "rm"(t[0]), [t1] "rm"(t[1]), [t2] "rm"(t[2]), [t3] "rm"(t[3])                               \
                    : "cc");                                                                                           \
        else                                                                                                           \
            __asm__("add %[t0], %[a0]\n\tadc %[t1], %[a1]\n\tadc %[t2], %[a2]\n\tadc %[t3], %[a3]\n\t"                 \
                    "adc %[t4], %[a4]\n\tadc %[t5], %[a5]" THEN_6                                                      \
                    : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[3]),                  \
                      [a4] "+&r"(a.v[LIMBS - 2]), [a5] "+&r"(a.v[LIMBS - 1])                                           \
                    : [t0] "rm"(t[0]), [t1] "rm"(t[1]), [t2] "rm"(t[2]), [t3] "rm"(t[3]), [t4] "rm"(t[LIMBS - 2]),     \
                      [t5] "rm"(t[LIMBS - 1])                                                                          \
                    : "cc");                                                                                           \
    while (0)

/* r = a - b mod m. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    limb wrap, t[LIMBS];
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (reduction_is_plain(m->reduction))
        return plain_sub(m, a, b);
    if (LIMBS == 4)
        __asm__("sub %[b0], %[a0]\n\tsbb %[b1], %[a1]\n\tsbb %[b2], %[a2]\n\tsbb %[b3], %[a3]\n\tsbb %[wrap], %[wrap]"
                : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[3]), [wrap] "=&r"(wrap)
                : [b0] "rm"(b.v[0]), [b1] "rm"(b.v[1]), [b2] "rm"(b.v[2]), [b3] "rm"(b.v[3])
                : "cc");
    else
        __asm__("sub %[b0], %[a0]\n\tsbb %[b1], %[a1]\n\tsbb %[b2], %[a2]\n\tsbb %[b3], %[a3]\n\tsbb %[b4], %[a4]\n\t"
                "sbb %[b5], %[a5]\n\tsbb %[wrap], %[wrap]"
                : [a0] "+&r"(a.v[0]), [a1] "+&r"(a.v[1]), [a2] "+&r"(a.v[2]), [a3] "+&r"(a.v[3]),
                  [a4] "+&r"(a.v[LIMBS - 2]), [a5] "+&r"(a.v[LIMBS - 1]), [wrap] "=&r"(wrap)
                : [b0] "rm"(b.v[0]), [b1] "rm"(b.v[1]), [b2] "rm"(b.v[2]), [b3] "rm"(b.v[3]), [b4] "rm"(b.v[LIMBS - 2]),
                  [b5] "rm"(b.v[LIMBS - 1])
                : "cc");
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t[i] = m->m.v[i] & wrap;
    ADD_LIMBS(a, t, "", "");
    return a;
}

/* r = a / 2 mod m, of residues that are canonical or not. */
#define MODULAR_OWN_HALF
LANE_INLINE struct limbs modular_half(const struct modulus *m, struct limbs a) {
    limb t[LIMBS];
    const mask odd = mask_from_bit(a.v[0] & 1);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t[i] = m->m.v[i] & odd;
    ADD_LIMBS(a, t, "\n\trcr %[a3]\n\trcr %[a2]\n\trcr %[a1]\n\trcr %[a0]",
              "\n\trcr %[a5]\n\trcr %[a4]\n\trcr %[a3]\n\trcr %[a2]\n\trcr %[a1]\n\trcr %[a0]");
    return a;
}

#undef ADD_LIMBS

/* Products modulo 2^256 - c, 2^255 - 19 and P-256's prime are whole before they are reduced. LIMBS = 4. */

/* t0 .. t3 += rdx * b on two chains, t4 = the limb above. */
#define ROW(b0, b1, b2, b3, t0, t1, t2, t3, t4)                                                                        \
    "xor %k[" t4 "], %k[" t4 "]\n\t" MULX_ADD(b0, t0, t1) MULX_ADD(b1, t1, t2) MULX_ADD(b2, t2, t3)                    \
        MULX_ADD(b3, t3, t4) "mov $0, %%eax\n\tadcx %%rax, %[" t4 "]\n\t"

LANE_INLINE void row_extend(limb *t, limb a, const limb *b) {
    __asm__(ROW("b0", "b1", "b2", "b3", "t0", "t1", "t2", "t3", "t4")
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "=&r"(t[4])
            : "d"(a), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
            : "rax", "rcx", "cc");
}

/* t = a * b. */
LANE_INLINE void limbs_product(limb t[8], const limb *a, const limb *b) {
    row_first(t, a[0], b);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) row_extend(t + i, a[i], b);
}

/* t mod 2^256 - excess, excess < 2^33: the upper half folds onto the lower times it, then the limb above the sum. Where
 * that overflows, the rest is below excess^2, so that adding excess once more ends in t[1]. */
LANE_INLINE struct limbs plain_reduce(const struct modulus *m, limb t[8]) {
    struct limbs r;
    limb top;
    __asm__(ROW("t4", "t5", "t6", "t7", "t0", "t1", "t2", "t3",
                "top") "mulx %[top], %%rax, %%rcx\n\tadd %%rax, %[t0]\n\tadc %%rcx, %[t1]\n\tadc $0, %[t2]\n\tadc $0, "
                       "%[t3]\n\t"
                       "sbb %%rax, %%rax\n\tand %%rdx, %%rax\n\tadd %%rax, %[t0]\n\tadc $0, %[t1]"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [top] "=&r"(top)
            : [t4] "rm"(t[4]), [t5] "rm"(t[5]), [t6] "rm"(t[6]), [t7] "rm"(t[7]), "d"(plain_excess(m))
            : "rax", "rcx", "cc");
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = t[i];
    return r;
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    struct limbs fold = limbs_zero();
    limb carry = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = limb_mul_add(&carry, a.v[i], k, carry, 0);
    fold.v[0] = 2 * m->c * carry;
    return plain_add(m, a, fold);
}

LANE_INLINE void modular_row(const struct modulus *m, limb *t) {
    if (m->reduction == REDUCE_SM2 && LIMBS == 4)
        montgomery_row_sm2(t);
    else
        montgomery_row(m, t);
}

/* t[0 .. 7] = a^2, LIMBS = 4: the six products above the diagonal, doubled, and the four squares. */
LANE_INLINE void row_square(limb t[8], const limb *a) {
    __asm__(
        "mov %[a0], %%rdx\n\t"
        "mulx %[a1], %[t1], %[t2]\n\t"
        "mulx %[a2], %%rax, %[t3]\n\tadd %%rax, %[t2]\n\t"
        "mulx %[a3], %%rax, %[t4]\n\tadc %%rax, %[t3]\n\tadc $0, %[t4]\n\t"
        "mov %[a1], %%rdx\n\txor %k[t5], %k[t5]\n\t" MULX_ADD("a2", "t3", "t4") MULX_ADD(
            "a3", "t4", "t5") "mov $0, %%eax\n\tadcx %%rax, %[t5]\n\t"
                              "mov %[a2], %%rdx\n\tmulx %[a3], %%rax, %[t6]\n\tadd %%rax, %[t5]\n\tadc $0, %[t6]\n\t"
                              "xor %k[t7], %k[t7]\n\tadd %[t1], %[t1]\n\tadc %[t2], %[t2]\n\tadc %[t3], %[t3]\n\tadc "
                              "%[t4], %[t4]\n\t"
                              "adc %[t5], %[t5]\n\tadc %[t6], %[t6]\n\tadc %[t7], %[t7]\n\t"
                              "mov %[a0], %%rdx\n\tmulx %%rdx, %[t0], %%rax\n\tadd %%rax, %[t1]\n\t"
                              "mov %[a1], %%rdx\n\tmulx %%rdx, %%rax, %%rcx\n\tadc %%rax, %[t2]\n\tadc %%rcx, %[t3]\n\t"
                              "mov %[a2], %%rdx\n\tmulx %%rdx, %%rax, %%rcx\n\tadc %%rax, %[t4]\n\tadc %%rcx, %[t5]\n\t"
                              "mov %[a3], %%rdx\n\tmulx %%rdx, %%rax, %%rcx\n\tadc %%rax, %[t6]\n\tadc %%rcx, %[t7]"
        : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]), [t5] "=&r"(t[5]),
          [t6] "=&r"(t[6]), [t7] "=&r"(t[7])
        : [a0] "m"(a[0]), [a1] "m"(a[1]), [a2] "m"(a[2]), [a3] "m"(a[3])
        : "rax", "rcx", "rdx", "cc");
}

/* (t + q p) / 2^64 for p = 2^256 - 2^224 + 2^192 + 2^96 - 1, t < R and q = t0, where
 * q p + t0 = q * 2^96 + q * (2^64 - 2^32 + 1) * 2^192: the limbs are t1, t2, t3 and, the highest one, t0. */
#define P256_ROW(t0, t1, t2, t3)                                                                                       \
    "shlx %[by32], %[" t0 "], %%rax\n\tshrx %[by32], %[" t0 "], %%rcx\n\tmov %[" t0 "], %%rdx\n\tsub %%rax, %%rdx\n\t" \
    "sbb %%rcx, %[" t0 "]\n\tadd %%rax, %[" t1 "]\n\tadc %%rcx, %[" t2 "]\n\tadc %%rdx, %[" t3 "]\n\tadc $0, %[" t0    \
    "]\n\t"

/* t = t / R mod p, at most p, for t < R. */
LANE_INLINE void p256_rows(limb t[4]) {
    __asm__(P256_ROW("t0", "t1", "t2", "t3") P256_ROW("t1", "t2", "t3", "t0") P256_ROW("t2", "t3", "t0", "t1")
                P256_ROW("t3", "t0", "t1", "t2")
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3])
            : [by32] "r"((limb)32)
            : "rax", "rcx", "rdx", "cc");
}

/* t / R mod m for t < m R, LIMBS = 4: the lower half, reduced to at most m, and the upper. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, const limb t[8]) {
    limb low[10] = {t[0], t[1], t[2], t[3]}, top = 0, *r = low;
    if (m->reduction == REDUCE_P256) {
        p256_rows(low);
    } else {
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) modular_row(m, low + i);
        r = low + LIMBS;
    }
    __asm__("add %[b0], %[a0]\n\tadc %[b1], %[a1]\n\tadc %[b2], %[a2]\n\tadc %[b3], %[a3]\n\tadc $0, %[top]"
            : [a0] "+&r"(r[0]), [a1] "+&r"(r[1]), [a2] "+&r"(r[2]), [a3] "+&r"(r[3]), [top] "+&r"(top)
            : [b0] "rm"(t[4]), [b1] "rm"(t[5]), [b2] "rm"(t[6]), [b3] "rm"(t[7])
            : "cc");
    return reduce_once(m, r, top);
}

/* r = a * b in the representation of m. With Montgomery's reduction a may be any integer below R. Where the prime
 * has no cheaper one, each row of the product is followed by one of the reduction, after which t has moved up by a
 * limb. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    limb t[2 * LIMBS + 2];
    VERIFY_LANES(modular_is_residue(m, b));
    if (LIMBS == 4 && (reduction_is_plain(m->reduction) || m->reduction == REDUCE_P256)) {
        limbs_product(t, a.v, b.v);
        return reduction_is_plain(m->reduction) ? plain_reduce(m, t) : montgomery_reduce(m, t);
    }
    row_first(t, a.v[0], b.v);
    t[LIMBS + 1] = 0;
    modular_row(m, t);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) {
        row_add(t + i, a.v[i], b.v);
        modular_row(m, t + i);
    }
    return reduce_once(m, t + LIMBS, t[2 * LIMBS]);
}

/* r = a^2 in the representation of m. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    limb t[2 * LIMBS];
    if (LIMBS != 4)
        return modular_mul(m, a, a);
    row_square(t, a.v);
    return reduction_is_plain(m->reduction) ? plain_reduce(m, t) : montgomery_reduce(m, t);
}

#endif
