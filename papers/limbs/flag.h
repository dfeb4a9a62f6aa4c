/* Single instructions on the carry flag, for rows of products whose order no list of limbs/ptx/carry.h has: those of
 * papers that are measured beside the library (papers/results.md). nvcc keeps volatile statements in order, and nothing
 * that sets the flag may stand between the first and the last step of a row: no chain of limbs/ptx/carry.h, which is
 * not volatile, and may be moved. Other compilers get a model, in which *flag is the carry. Where `first` is set, a
 * step starts a row: the flag counts as 0. */
#ifndef PAPERS_LIMBS_FLAG_H
#define PAPERS_LIMBS_FLAG_H

#include "limbs/ptx/carry.h"

#ifdef __CUDACC__
#define FLAG_STEP(text, r, ...)                                                                                        \
    limb r;                                                                                                            \
    (void)flag;                                                                                                        \
    __asm__ volatile(text : "=r"(r) : __VA_ARGS__);                                                                    \
    return r
#endif

/* a + b + carry. */
LANE_INLINE limb flag_add(limb *flag, int first, limb a, limb b) {
#ifdef __CUDACC__
    if (first) {
        FLAG_STEP("add.cc.u32 %0, %1, %2;", r, "r"(a), "r"(b));
    }
    FLAG_STEP("addc.cc.u32 %0, %1, %2;", r, "r"(a), "r"(b));
#else
    *flag = first ? 0 : *flag;
    return model_addc(flag, a, b);
#endif
}

/* a + carry, which ends a row: the sum has no carry, or none that counts. */
LANE_INLINE limb flag_end(limb *flag, limb a) {
#ifdef __CUDACC__
    FLAG_STEP("addc.u32 %0, %1, 0;", r, "r"(a));
#else
    return a + *flag;
#endif
}

/* c + the lower half of a b + carry. */
LANE_INLINE limb flag_mad_low(limb *flag, int first, limb a, limb b, limb c) {
#ifdef __CUDACC__
    if (first) {
        FLAG_STEP("mad.lo.cc.u32 %0, %1, %2, %3;", r, "r"(a), "r"(b), "r"(c));
    }
    FLAG_STEP("madc.lo.cc.u32 %0, %1, %2, %3;", r, "r"(a), "r"(b), "r"(c));
#else
    *flag = first ? 0 : *flag;
    return model_madc_low(flag, a, b, c);
#endif
}

/* c + the upper half of a b + carry. */
LANE_INLINE limb flag_mad_high(limb *flag, int first, limb a, limb b, limb c) {
#ifdef __CUDACC__
    if (first) {
        FLAG_STEP("mad.hi.cc.u32 %0, %1, %2, %3;", r, "r"(a), "r"(b), "r"(c));
    }
    FLAG_STEP("madc.hi.cc.u32 %0, %1, %2, %3;", r, "r"(a), "r"(b), "r"(c));
#else
    *flag = first ? 0 : *flag;
    return model_madc_high(flag, a, b, c);
#endif
}

/* Row: t[0 .. n - 1] += the lower halves of a[j] b, or the upper ones. The carry is in the flag. */
LANE_INLINE void row_add_low(limb *flag, limb *t, const limb *a, limb b, int n) {
    LANE_UNROLL for (int j = 0; j < n; j++) t[j] = flag_mad_low(flag, j == 0, a[j], b, t[j]);
}

LANE_INLINE void row_add_high(limb *flag, limb *t, const limb *a, limb b, int n) {
    LANE_UNROLL for (int j = 0; j < n; j++) t[j] = flag_mad_high(flag, j == 0, a[j], b, t[j]);
}

#endif
