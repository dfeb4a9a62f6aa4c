/* Residues on the portable machine, for 64-bit ARM: the functions of limbs/portable/multiply.h with the carry chains in
 * assembly. Included after limbs/portable/machine.h; LIMBS is 2 to 9.
 *
 * mul and umulh leave the flags alone, so that a chain of adcs takes up products as they come: a row of a product needs
 * four instructions a limb. A product is whole before it is reduced, which takes one carry a row less than reducing row
 * by row. Residues modulo 2^(64 LIMBS) - c are any integers below 2^(64 LIMBS), as are those modulo 2^255 - 19. */
#ifndef GECC_LIMBS_PORTABLE_MULTIPLY_AARCH64_H
#define GECC_LIMBS_PORTABLE_MULTIPLY_AARCH64_H

#include "limbs/portable/machine.h"

/* How field.h compiles a multiplication: as a call, but cmake/Units.cmake has it inlined where it is some 100
 * instructions. */
#ifndef FIELD_MULTIPLY
#define FIELD_MULTIPLY LANE_FUNCTION
#endif

/* Operands of the statements below: up to nine limbs of t, which are read and written, or written alone, and of b. */
#define ROW_1
#define ROW_2 , [t1] "+&r"(t[1])
#define ROW_3 ROW_2, [t2] "+&r"(t[2])
#define ROW_4 ROW_3, [t3] "+&r"(t[3])
#define ROW_5 ROW_4, [t4] "+&r"(t[4])
#define ROW_6 ROW_5, [t5] "+&r"(t[5])
#define ROW_7 ROW_6, [t6] "+&r"(t[6])
#define ROW_8 ROW_7, [t7] "+&r"(t[7])
#define ROW_9 ROW_8, [t8] "+&r"(t[8])

#define NEW_1 [t0] "=&r"(t[0]), [t1] "=&r"(t[1])
#define NEW_2 NEW_1, [t2] "=&r"(t[2])
#define NEW_3 NEW_2, [t3] "=&r"(t[3])
#define NEW_4 NEW_3, [t4] "=&r"(t[4])
#define NEW_5 NEW_4, [t5] "=&r"(t[5])
#define NEW_6 NEW_5, [t6] "=&r"(t[6])
#define NEW_7 NEW_6, [t7] "=&r"(t[7])
#define NEW_8 NEW_7, [t8] "=&r"(t[8])
#define NEW_9 NEW_8, [t9] "=&r"(t[9])

#define BY_1 [b0] "rZ"(b[0])
#define BY_2 BY_1, [b1] "rZ"(b[1])
#define BY_3 BY_2, [b2] "rZ"(b[2])
#define BY_4 BY_3, [b3] "rZ"(b[3])
#define BY_5 BY_4, [b4] "rZ"(b[4])
#define BY_6 BY_5, [b5] "rZ"(b[5])
#define BY_7 BY_6, [b6] "rZ"(b[6])
#define BY_8 BY_7, [b7] "rZ"(b[7])
#define BY_9 BY_8, [b8] "rZ"(b[8])

/* A statement for each number of limbs: STATEMENT(limbs, the last of them). */
#define EACH_LENGTH(STATEMENT)                                                                                         \
    switch (length) {                                                                                                  \
        STATEMENT(1, 0)                                                                                                \
        STATEMENT(2, 1)                                                                                                \
        STATEMENT(3, 2)                                                                                                \
        STATEMENT(4, 3)                                                                                                \
        STATEMENT(5, 4)                                                                                                \
        STATEMENT(6, 5)                                                                                                \
        STATEMENT(7, 6)                                                                                                \
        STATEMENT(8, 7)                                                                                                \
        STATEMENT(9, 8)                                                                                                \
    }

/* t[k] += the low half of a * b[k], t[k] += the high half of a * b[j], with carry. */
#define LOW(k) "mul %[x], %[a], %x[b" #k "]\n\tadcs %[t" #k "], %[t" #k "], %[x]\n\t"
#define HIGH(j, k) "umulh %[x], %[a], %x[b" #j "]\n\tadcs %[t" #k "], %[t" #k "], %[x]\n\t"
#define LOWS_1
#define LOWS_2 LOW(1)
#define LOWS_3 LOWS_2 LOW(2)
#define LOWS_4 LOWS_3 LOW(3)
#define LOWS_5 LOWS_4 LOW(4)
#define LOWS_6 LOWS_5 LOW(5)
#define LOWS_7 LOWS_6 LOW(6)
#define LOWS_8 LOWS_7 LOW(7)
#define LOWS_9 LOWS_8 LOW(8)
#define HIGHS_2 "umulh %[x], %[a], %x[b0]\n\tadds %[t1], %[t1], %[x]\n\t"
#define HIGHS_3 HIGHS_2 HIGH(1, 2)
#define HIGHS_4 HIGHS_3 HIGH(2, 3)
#define HIGHS_5 HIGHS_4 HIGH(3, 4)
#define HIGHS_6 HIGHS_5 HIGH(4, 5)
#define HIGHS_7 HIGHS_6 HIGH(5, 6)
#define HIGHS_8 HIGHS_7 HIGH(6, 7)
#define HIGHS_9 HIGHS_8 HIGH(7, 8)
#define END "adc %[top], %[top], xzr"
#define END_1
#define END_2 HIGHS_2 END
#define END_3 HIGHS_3 END
#define END_4 HIGHS_4 END
#define END_5 HIGHS_5 END
#define END_6 HIGHS_6 END
#define END_7 HIGHS_7 END
#define END_8 HIGHS_8 END
#define END_9 HIGHS_9 END

/* t[0 .. length - 1] += a * b, t[length] = the limb above. */
LANE_INLINE void row_add(limb *t, limb a, const limb *b, int length) {
    limb x;
#define ROW_ADD(length, last)                                                                                          \
    case length:                                                                                                       \
        __asm__("mul %[x], %[a], %x[b0]\n\tadds %[t0], %[t0], %[x]\n\t" LOWS_##length                                  \
                "umulh %[x], %[a], %x[b" #last "]\n\tadc %[top], %[x], xzr\n\t" END_##length                           \
                : [t0] "+&r"(t[0])ROW_##length, [top] "=&r"(t[length]), [x] "=&r"(x)                                   \
                : [a] "r"(a), BY_##length                                                                              \
                : "cc");                                                                                               \
        break;
    EACH_LENGTH(ROW_ADD)
#undef ROW_ADD
}

/* The same where t[0] + a * b[0] is a multiple of 2^64, which goes with its carry (there is one unless t[0] is 0); the
 * limb above takes its place in t[0]. */
LANE_INLINE void row_turn(limb *t, limb a, const limb *b, int length) {
    limb x;
#define ROW_TURN(length, last)                                                                                         \
    case length:                                                                                                       \
        __asm__("cmp %[top], #1\n\t" LOWS_##length "umulh %[x], %[a], %x[b" #last                                      \
                                                   "]\n\tadc %[top], %[x], xzr\n\t" END_##length                       \
                : [top] "+&r"(t[0])ROW_##length, [x] "=&r"(x)                                                          \
                : [a] "r"(a), BY_##length                                                                              \
                : "cc");                                                                                               \
        break;
    EACH_LENGTH(ROW_TURN)
#undef ROW_TURN
}

/* t[k] = the high half that stands there + the low half of a * b[k], t[k + 1] = the high half. */
#define FRESH(k, next)                                                                                                 \
    "mul %[x], %[a], %x[b" #k "]\n\tadcs %[t" #k "], %[t" #k "], %[x]\n\tumulh %[t" #next "], %[a], %x[b" #k "]\n\t"
#define FRESH_1 "mul %[t0], %[a], %x[b0]\n\tumulh %[t1], %[a], %x[b0]"
#define FRESH_2 FRESH_1 "\n\tmul %[x], %[a], %x[b1]\n\tadds %[t1], %[t1], %[x]\n\tumulh %[t2], %[a], %x[b1]\n\t"
#define FRESH_3 FRESH_2 FRESH(2, 3)
#define FRESH_4 FRESH_3 FRESH(3, 4)
#define FRESH_5 FRESH_4 FRESH(4, 5)
#define FRESH_6 FRESH_5 FRESH(5, 6)
#define FRESH_7 FRESH_6 FRESH(6, 7)
#define FRESH_8 FRESH_7 FRESH(7, 8)
#define FRESH_9 FRESH_8 FRESH(8, 9)
#define FRESH_END_1
#define FRESH_END_2 "adc %[t2], %[t2], xzr"
#define FRESH_END_3 "adc %[t3], %[t3], xzr"
#define FRESH_END_4 "adc %[t4], %[t4], xzr"
#define FRESH_END_5 "adc %[t5], %[t5], xzr"
#define FRESH_END_6 "adc %[t6], %[t6], xzr"
#define FRESH_END_7 "adc %[t7], %[t7], xzr"
#define FRESH_END_8 "adc %[t8], %[t8], xzr"
#define FRESH_END_9 "adc %[t9], %[t9], xzr"

/* t[0 .. length] = a * b. */
LANE_INLINE void row_first(limb *t, limb a, const limb *b, int length) {
    limb x;
#define ROW_FIRST(length, last)                                                                                        \
    case length:                                                                                                       \
        __asm__(FRESH_##length FRESH_END_##length : NEW_##length, [x] "=&r"(x) : [a] "r"(a), BY_##length : "cc");      \
        break;
    EACH_LENGTH(ROW_FIRST)
#undef ROW_FIRST
}

/* t[k] = t[k] + or - b[k], with carry or borrow. */
#define CHAIN(op, k) op " %[t" #k "], %[t" #k "], %x[b" #k "]\n\t"
#define CHAIN_1(first, op) CHAIN(first, 0)
#define CHAIN_2(first, op) CHAIN_1(first, op) CHAIN(op, 1)
#define CHAIN_3(first, op) CHAIN_2(first, op) CHAIN(op, 2)
#define CHAIN_4(first, op) CHAIN_3(first, op) CHAIN(op, 3)
#define CHAIN_5(first, op) CHAIN_4(first, op) CHAIN(op, 4)
#define CHAIN_6(first, op) CHAIN_5(first, op) CHAIN(op, 5)
#define CHAIN_7(first, op) CHAIN_6(first, op) CHAIN(op, 6)
#define CHAIN_8(first, op) CHAIN_7(first, op) CHAIN(op, 7)
#define CHAIN_9(first, op) CHAIN_8(first, op) CHAIN(op, 8)
#define CHAIN_STATEMENT(first, op, end, length)                                                                        \
    case length:                                                                                                       \
        __asm__(CHAIN_##length(first, op) end                                                                          \
                : [t0] "+&r"(t[0])ROW_##length, [x] "=&r"(x)                                                           \
                : BY_##length, [take] "rZ"(take)                                                                       \
                : "cc");                                                                                               \
        break;

/* t += b; take where it overflows, else 0. */
LANE_INLINE limb chain_add_take(limb *t, const limb *b, limb take, int length) {
    limb x = 0;
#define CHAIN_ADD(length, last) CHAIN_STATEMENT("adds", "adcs", "csel %[x], %x[take], xzr, cs", length)
    EACH_LENGTH(CHAIN_ADD)
#undef CHAIN_ADD
    return x;
}

/* t += b; the carry. */
LANE_INLINE limb chain_add(limb *t, const limb *b, int length) {
    limb x = 0, take = 0;
#define CHAIN_ADD(length, last) CHAIN_STATEMENT("adds", "adcs", "cset %[x], cs", length)
    EACH_LENGTH(CHAIN_ADD)
#undef CHAIN_ADD
    return x;
}

/* t += b mod R. */
LANE_INLINE void chain_add_modulo(limb *t, const limb *b, int length) {
    limb x = 0, take = 0;
#define CHAIN_ADD(length, last) CHAIN_STATEMENT("adds", "adcs", "", length)
    EACH_LENGTH(CHAIN_ADD)
#undef CHAIN_ADD
    (void)x;
}

/* t -= b; take where it wraps around, else 0. */
LANE_INLINE limb chain_sub_take(limb *t, const limb *b, limb take, int length) {
    limb x = 0;
#define CHAIN_SUB(length, last) CHAIN_STATEMENT("subs", "sbcs", "csel %[x], %x[take], xzr, cc", length)
    EACH_LENGTH(CHAIN_SUB)
#undef CHAIN_SUB
    return x;
}

/* t -= b; all ones where it wraps around. */
LANE_INLINE mask chain_sub(limb *t, const limb *b, int length) {
    limb x = 0, take = 0;
#define CHAIN_SUB(length, last) CHAIN_STATEMENT("subs", "sbcs", "csetm %[x], cc", length)
    EACH_LENGTH(CHAIN_SUB)
#undef CHAIN_SUB
    return x;
}

/* t = b where choice is not 0. */
#define CHOOSE(k) "csel %[t" #k "], %x[b" #k "], %[t" #k "], ne\n\t"
#define CHOOSE_1 CHOOSE(0)
#define CHOOSE_2 CHOOSE_1 CHOOSE(1)
#define CHOOSE_3 CHOOSE_2 CHOOSE(2)
#define CHOOSE_4 CHOOSE_3 CHOOSE(3)
#define CHOOSE_5 CHOOSE_4 CHOOSE(4)
#define CHOOSE_6 CHOOSE_5 CHOOSE(5)
#define CHOOSE_7 CHOOSE_6 CHOOSE(6)
#define CHOOSE_8 CHOOSE_7 CHOOSE(7)
#define CHOOSE_9 CHOOSE_8 CHOOSE(8)
LANE_INLINE void choose(limb *t, const limb *b, mask choice, int length) {
#define CHOICE(length, last)                                                                                           \
    case length:                                                                                                       \
        __asm__("cmp %[choice], #0\n\t" CHOOSE_##length                                                                \
                : [t0] "+&r"(t[0])ROW_##length                                                                         \
                : BY_##length, [choice] "r"(choice)                                                                    \
                : "cc");                                                                                               \
        break;
    EACH_LENGTH(CHOICE)
#undef CHOICE
}

/* The modulus, which is read from memory where it has no special form: constants take up to four instructions each. */
LANE_INLINE const struct modulus *modulus_at_hand(const struct modulus *m) {
    const struct modulus *memory = m;
    __asm__("" : "+r"(memory));
    return m->reduction == REDUCE_MONTGOMERY ? memory : m;
}

/* t mod m for t = top * R + t < 2 m, top being 0 or 1. */
LANE_INLINE struct limbs reduce_once(const struct modulus *m, const limb *t, limb top) {
    struct limbs r;
    const limb *b = modulus_at_hand(m)->m.v;
    if (LIMBS == 4) {
        __asm__("subs %[r0], %[t0], %[b0]\n\tsbcs %[r1], %[t1], %x[b1]\n\tsbcs %[r2], %[t2], %x[b2]\n\t"
                "sbcs %[r3], %[t3], %x[b3]\n\tsbcs xzr, %x[top], xzr\n\t"
                "csel %[r0], %[t0], %[r0], cc\n\tcsel %[r1], %[t1], %[r1], cc\n\tcsel %[r2], %[t2], %[r2], cc\n\t"
                "csel %[r3], %[t3], %[r3], cc"
                : [r0] "=&r"(r.v[0]), [r1] "=&r"(r.v[1]), [r2] "=&r"(r.v[2]), [r3] "=&r"(r.v[LIMBS - 1])
                : [t0] "r"(t[0]), [t1] "r"(t[1]), [t2] "r"(t[2]), [t3] "r"(t[LIMBS - 1]), [b0] "rIJ"(b[0]),
                  [b1] "rZ"(b[1]), [b2] "rZ"(b[2]), [b3] "rZ"(b[LIMBS - 1]), [top] "rZ"(top)
                : "cc");
        return r;
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = t[i];
    mask below = chain_sub(r.v, b, LIMBS) & (top - 1);
    choose(r.v, t, below, LIMBS);
    return r;
}

/* Modulo 2^(64 LIMBS) - c and 2^255 - 19 residues are any integers below R = 2^(64 LIMBS), which is this. */
LANE_INLINE limb plain_excess(const struct modulus *m) { return m->reduction == REDUCE_P25519 ? 2 * m->c : m->c; }

/* t + over * R for t + over * R < 2 R + R / 2^63: where t + excess over overflows, the rest is small. */
LANE_INLINE struct limbs plain_fold(const struct modulus *m, const limb *t, limb excess) {
    struct limbs r;
    limb b[LIMBS] = {excess};
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = t[i];
    r.v[0] += chain_add_take(r.v, b, plain_excess(m), LIMBS);
    return r;
}

LANE_INLINE struct limbs modular_reduce_once(const struct modulus *m, struct limbs a, limb carry) {
    return reduce_once(m, a.v, carry);
}

/* a mod p for a plain reduction: modulo 2^255 - 19 bit 255 is 19. */
LANE_INLINE struct limbs modular_canonical(const struct modulus *m, struct limbs a) {
    if (m->reduction == REDUCE_P25519) {
        limb b[LIMBS] = {m->c & mask_from_bit(a.v[LIMBS - 1] >> 63)};
        a.v[LIMBS - 1] &= ~(limb)0 >> 1;
        chain_add_modulo(a.v, b, LIMBS);
    }
    return reduction_is_plain(m->reduction) ? reduce_once(m, a.v, 0) : a;
}

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    return reduction_is_plain(m->reduction) ? mask_set(1) : limbs_less(a, limbs_set(&m->m));
}

/* r = a + b mod m. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (reduction_is_plain(m->reduction))
        return plain_fold(m, a.v, chain_add_take(a.v, b.v, plain_excess(m), LIMBS));
    limb top = chain_add(a.v, b.v, LIMBS);
    return reduce_once(m, a.v, top);
}

/* r = a - b mod m. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    limb t[LIMBS] = {0};
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (reduction_is_plain(m->reduction)) {
        t[0] = chain_sub_take(a.v, b.v, plain_excess(m), LIMBS);
        a.v[0] -= chain_sub_take(a.v, t, plain_excess(m), LIMBS);
        return a;
    }
    mask wrap = chain_sub(a.v, b.v, LIMBS);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t[i] = modulus_at_hand(m)->m.v[i] & wrap;
    chain_add_modulo(a.v, t, LIMBS);
    return a;
}

/* r = a / 2 mod m, of residues that are canonical or not. */
#define MODULAR_OWN_HALF
LANE_INLINE struct limbs modular_half(const struct modulus *m, struct limbs a) {
    limb t[LIMBS];
    const mask odd = mask_from_bit(a.v[0] & 1);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t[i] = modulus_at_hand(m)->m.v[i] & odd;
    limb carry = chain_add(a.v, t, LIMBS);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) { /* gcc would take the limbs to vector registers and back */
        const limb high = i == LIMBS - 1 ? carry : a.v[i == LIMBS - 1 ? i : i + 1];
        __asm__("extr %[low], %[high], %[low], #1" : [low] "+r"(a.v[i]) : [high] "r"(high));
    }
    return a;
}

/* t = a * b. */
LANE_INLINE void limbs_product(limb t[2 * LIMBS], const limb *a, const limb *b) {
    row_first(t, a[0], b, LIMBS);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) row_add(t + i, a[i], b, LIMBS);
}

/* t[2 k] += the low half of a[k]^2, t[2 k + 1] += the high half, with carry. */
#define SQUARE(k, low, high)                                                                                           \
    "mul %[x], %[a" #k "], %[a" #k "]\n\tadcs %[t" #low "], %[t" #low "], %[x]\n\t"                                    \
    "umulh %[x], %[a" #k "], %[a" #k "]\n\tadcs %[t" #high "], %[t" #high "], %[x]\n\t"
#define SQUARES_1 SQUARE(0, 0, 1)
#define SQUARES_2 SQUARES_1 SQUARE(1, 2, 3)
#define SQUARES_3 SQUARES_2 SQUARE(2, 4, 5)
#define SQUARES_4 SQUARES_3 SQUARE(3, 6, 7)
#define OF_1 [a0] "r"(a[0])
#define OF_2 OF_1, [a1] "r"(a[1])
#define OF_3 OF_2, [a2] "r"(a[2])
#define OF_4 OF_3, [a3] "r"(a[3])
#define SQUARES_STATEMENT(length, limbs)                                                                               \
    case length:                                                                                                       \
        __asm__("cmp %[carry], #1\n\t" SQUARES_##length "cset %[carry], cs"                                            \
                : [t0] "+&r"(t[0])ROW_##limbs, [x] "=&r"(x), [carry] "+&r"(carry)                                      \
                : OF_##length                                                                                          \
                : "cc");                                                                                               \
        break;

/* t[0 .. 2 length - 1] += a[k]^2 for each of up to four limbs, and carry; the carry out of it. */
LANE_INLINE limb squares_add(limb *t, const limb *a, int length, limb carry) {
    limb x;
    switch (length) {
        SQUARES_STATEMENT(1, 2)
        SQUARES_STATEMENT(2, 4)
        SQUARES_STATEMENT(3, 6)
        SQUARES_STATEMENT(4, 8)
    }
    return carry;
}

/* The same of the first limbs, with t[0] = 0 and no carry. */
#define FIRST_SQUARE "mul %[t0], %[a0], %[a0]\n\tumulh %[x], %[a0], %[a0]\n\tadds %[t1], %[t1], %[x]\n\t"
#define FIRST_SQUARES_2 FIRST_SQUARE SQUARE(1, 2, 3)
#define FIRST_SQUARES_3 FIRST_SQUARES_2 SQUARE(2, 4, 5)
#define FIRST_SQUARES_4 FIRST_SQUARES_3 SQUARE(3, 6, 7)
#define FIRST_SQUARES_STATEMENT(length, limbs)                                                                         \
    case length:                                                                                                       \
        __asm__(FIRST_SQUARES_##length "cset %[carry], cs"                                                             \
                : [t0] "=&r"(t[0])ROW_##limbs, [x] "=&r"(x), [carry] "=r"(carry)                                       \
                : OF_##length                                                                                          \
                : "cc");                                                                                               \
        break;

LANE_INLINE limb squares_first(limb *t, const limb *a, int length) {
    limb x, carry = 0;
    switch (length) {
        FIRST_SQUARES_STATEMENT(2, 4)
        FIRST_SQUARES_STATEMENT(3, 6)
        FIRST_SQUARES_STATEMENT(4, 8)
    }
    return carry;
}

/* t = a^2: the products above the diagonal once, doubled, and the squares. */
LANE_INLINE void limbs_square(limb t[2 * LIMBS], const limb *a) {
    row_first(t + 1, a[0], a + 1, LIMBS - 1);
    LANE_UNROLL for (int i = 1; i < LIMBS - 1; i++) row_add(t + 2 * i + 1, a[i], a + i + 1, LIMBS - 1 - i);
    t[2 * LIMBS - 1] = t[2 * LIMBS - 2] >> 63;
    LANE_UNROLL for (int i = 2 * LIMBS - 2; i > 1; i--) t[i] = t[i] << 1 | t[i - 1] >> 63;
    t[1] <<= 1;
    limb carry = squares_first(t, a, LIMBS < 4 ? LIMBS : 4);
    LANE_UNROLL for (int i = 4; i < LIMBS; i += 4) carry =
        squares_add(t + 2 * i, a + i, LIMBS - i < 4 ? LIMBS - i : 4, carry);
}

/* t mod (R - excess), excess < 2^33: the upper half folds onto the lower times it, and the limb above the sum again. */
LANE_INLINE struct limbs plain_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    limb r[LIMBS + 1], excess = plain_excess(m), b[LIMBS] = {0};
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r[i] = t[i];
    row_add(r, excess, t + LIMBS, LIMBS);
    if (m->reduction == REDUCE_P25519)
        return plain_fold(m, r, excess * r[LIMBS]);
    limb_pair fold = (limb_pair)r[LIMBS] * excess;
    b[0] = (limb)fold;
    b[1] = (limb)(fold >> 64);
    limb over = chain_add_take(r, b, excess, LIMBS); /* then r < excess^2, and adding it once more ends in r[1] */
    __asm__("adds %[r0], %[r0], %[over]\n\tadc %[r1], %[r1], xzr"
            : [r0] "+&r"(r[0]), [r1] "+r"(r[1])
            : [over] "r"(over)
            : "cc");
    struct limbs s;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) s.v[i] = r[i];
    return s;
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    limb t[LIMBS + 1];
    row_first(t, k, a.v, LIMBS);
    return plain_fold(m, t, 2 * m->c * t[LIMBS]);
}

/* Rows of Montgomery's reduction: (t + q * m) / 2^64 for the q that makes it whole, t < R and the result too, whose
 * limbs are t[1 .. LIMBS - 1] and, the highest one, t[0]. */
LANE_INLINE void montgomery_row(const struct modulus *m, limb *t) {
    const struct modulus *at_hand = modulus_at_hand(m);
    row_turn(t, t[0] * at_hand->negative_inverse, at_hand->m.v, LIMBS);
}

/* The same for p = 2^256 - 2^224 + 2^192 + 2^96 - 1: q = t[0], and
 * q * p + t[0] = q * 2^96 + q * (2^64 - 2^32 + 1) * 2^192. */
LANE_INLINE void montgomery_row_p256(limb *t) {
    limb high, low, top;
    __asm__("lsr %[high], %[q], #32\n\tsubs %[low], %[q], %[q], lsl #32\n\tsbc %[top], %[q], %[high]\n\t"
            "adds %[t1], %[t1], %[q], lsl #32\n\tadcs %[t2], %[t2], %[high]\n\tadcs %[t3], %[t3], %[low]\n\t"
            "adc %[q], %[top], xzr"
            : [q] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[LIMBS - 1]), [high] "=&r"(high),
              [low] "=&r"(low), [top] "=&r"(top)
            :
            : "cc");
}

/* The same for p = 2^256 - 2^224 - 2^96 + 2^64 - 1: q = t[0], and
 * q * p + t[0] = q * 2^256 + q * 2^64 - q * 2^224 - q * 2^96. */
LANE_INLINE void montgomery_row_sm2(limb *t) {
    limb low, high;
    __asm__("lsl %[low], %[q], #32\n\tlsr %[high], %[q], #32\n\t"
            "adds %[t1], %[t1], %[q]\n\tadcs %[t2], %[t2], xzr\n\tadcs %[t3], %[t3], xzr\n\tadc %[q], %[q], xzr\n\t"
            "subs %[t1], %[t1], %[low]\n\tsbcs %[t2], %[t2], %[high]\n\tsbcs %[t3], %[t3], %[low]\n\t"
            "sbc %[q], %[q], %[high]"
            : [q] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[LIMBS - 1]), [low] "=&r"(low),
              [high] "=&r"(high)
            :
            : "cc");
}

/* The same for p = 2^384 - 2^128 - 2^96 + 2^32 - 1: q = t[0] + 2^32 t[0] mod 2^64, and
 * q * p + t[0] = q * 2^384 - 2^64 s, where s = q * 2^64 + q * 2^32 + floor((q - q * 2^32) / 2^64). */
LANE_INLINE void montgomery_row_p384(limb *t) {
    limb s0, s1, s2;
    __asm__("add %[q], %[q], %[q], lsl #32\n\tlsr %[s0], %[q], #32\n\tsubs %[s0], %[s0], %[q]\n\t"
            "sbc %[s1], %[q], xzr\n\textr %[s0], %[s1], %[s0], #32\n\tlsr %[s1], %[s1], #32\n\t"
            "adds %[s1], %[s1], %[q]\n\tcset %[s2], cs\n\t"
            "subs %[t1], %[t1], %[s0]\n\tsbcs %[t2], %[t2], %[s1]\n\tsbcs %[t3], %[t3], %[s2]\n\t"
            "sbcs %[t4], %[t4], xzr\n\tsbcs %[t5], %[t5], xzr\n\tsbc %[q], %[q], xzr"
            : [q] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]), [t5] "+&r"(t[5]),
              [s0] "=&r"(s0), [s1] "=&r"(s1), [s2] "=&r"(s2)
            :
            : "cc");
}

LANE_INLINE void modular_row(const struct modulus *m, limb *t) {
    if (m->reduction == REDUCE_P256 && LIMBS == 4)
        montgomery_row_p256(t);
    else if (m->reduction == REDUCE_SM2 && LIMBS == 4)
        montgomery_row_sm2(t);
    else if (m->reduction == REDUCE_P384 && LIMBS == 6)
        montgomery_row_p384(t);
    else
        montgomery_row(m, t);
}

/* t / R mod m for t < m R: the lower half, reduced to at most m, and the upper. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    limb low[2 * LIMBS];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) low[i] = t[i];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        modular_row(m, low + i);
        low[i + LIMBS] = low[i];
    }
    limb top = chain_add(low + LIMBS, t + LIMBS, LIMBS);
    return reduce_once(m, low + LIMBS, top);
}

/* r = a * b in the representation of m. With Montgomery's reduction a may be any integer below R. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    limb t[2 * LIMBS];
    VERIFY_LANES(modular_is_residue(m, b));
    limbs_product(t, a.v, b.v);
    return reduction_is_plain(m->reduction) ? plain_reduce(m, t) : montgomery_reduce(m, t);
}

/* r = a^2 in the representation of m. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    limb t[2 * LIMBS];
    limbs_square(t, a.v);
    return reduction_is_plain(m->reduction) ? plain_reduce(m, t) : montgomery_reduce(m, t);
}

#endif
