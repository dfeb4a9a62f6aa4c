/* Streams of machine instructions: how often a scheduler issues them is what bounds all arithmetic on a GPU (gECC,
 * section 4.1.1; Zheng et al., section 4.1: papers/results.md). All carry where they can: of plain additions and
 * products ptxas makes others, to spread them over the pipes. A step is PTX to nvcc and a model of it to other
 * compilers, as in limbs/ptx/carry.h, so that what a GPU has computed is compared with what the instructions mean. */
#ifndef PAPERS_KERNELS_ISSUE_H
#define PAPERS_KERNELS_ISSUE_H

#include "papers/limbs/steps.h"

LANE_INLINE void issue_start(struct issue_state *s, uint32_t seed) {
    uint32_t x = seed;
    LANE_UNROLL for (int k = 0; k < ISSUE_STREAMS; k++) {
        x = x * 1664525 + 1013904223; /* Knuth, volume 2, table 3.3.4-1 */
        s->word[k] = x;
        s->low[k] = x >> 3;
        s->high[k] = x >> 5;
        s->real[k] = (double)(x >> 16);
    }
    s->a = x | 1;
    s->b = x ^ seed;
    s->factor = -1;
    s->addend = (double)(x & 7);
}

/* One number of all registers. */
LANE_INLINE uint32_t issue_digest(const struct issue_state *s) {
    uint32_t digest = 0;
    LANE_UNROLL for (int k = 0; k < ISSUE_STREAMS; k++) {
        digest = digest * 31 + s->low[k];
        digest = digest * 31 + s->high[k];
        digest = digest * 31 + (uint32_t)(int64_t)s->real[k];
    }
    return digest;
}

/* Numbers of the operands of stream k: word, real, low, high. */
#define STREAM_0(T) T(0, 0, 8, 16, 24)
#define STREAM_1(T) T(1, 1, 9, 17, 25)
#define STREAM_2(T) T(2, 2, 10, 18, 26)
#define STREAM_3(T) T(3, 3, 11, 19, 27)
#define STREAM_4(T) T(4, 4, 12, 20, 28)
#define STREAM_5(T) T(5, 5, 13, 21, 29)
#define STREAM_6(T) T(6, 6, 14, 22, 30)
#define STREAM_7(T) T(7, 7, 15, 23, 31)

/* Orders of two instructions A and B: A on one stream, each after the one before; A on all; and so many B for each
 * A. */
/* clang-format off */
#define EVERY_STREAM(T) FOUR_LOWER(T) FOUR_UPPER(T)
#define FOUR_LOWER(T) STREAM_0(T) STREAM_1(T) STREAM_2(T) STREAM_3(T)
#define FOUR_UPPER(T) STREAM_4(T) STREAM_5(T) STREAM_6(T) STREAM_7(T)
#define PATTERN_DEPENDENT(A, B) \
    STREAM_0(A) STREAM_0(A) STREAM_0(A) STREAM_0(A) STREAM_0(A) STREAM_0(A) STREAM_0(A) STREAM_0(A)
#define PATTERN_ALONE(A, B) EVERY_STREAM(A)
#define PATTERN_QUARTER(A, B) FOUR_LOWER(A) STREAM_0(B) FOUR_UPPER(A) STREAM_1(B)
#define PATTERN_HALF(A, B) \
    STREAM_0(A) STREAM_1(A) STREAM_0(B) STREAM_2(A) STREAM_3(A) STREAM_1(B) \
    STREAM_4(A) STREAM_5(A) STREAM_2(B) STREAM_6(A) STREAM_7(A) STREAM_3(B)
#define PATTERN_ONE(A, B) \
    STREAM_0(A) STREAM_0(B) STREAM_1(A) STREAM_1(B) STREAM_2(A) STREAM_2(B) STREAM_3(A) STREAM_3(B) \
    STREAM_4(A) STREAM_4(B) STREAM_5(A) STREAM_5(B) STREAM_6(A) STREAM_6(B) STREAM_7(A) STREAM_7(B)
#define PATTERN_TWO(A, B) \
    STREAM_0(A) STREAM_0(B) STREAM_1(B) STREAM_1(A) STREAM_2(B) STREAM_3(B) \
    STREAM_2(A) STREAM_4(B) STREAM_5(B) STREAM_3(A) STREAM_6(B) STREAM_7(B) \
    STREAM_4(A) STREAM_0(B) STREAM_1(B) STREAM_5(A) STREAM_2(B) STREAM_3(B) \
    STREAM_6(A) STREAM_4(B) STREAM_5(B) STREAM_7(A) STREAM_6(B) STREAM_7(B)
#define PATTERN_FOUR(A, B) \
    STREAM_0(A) FOUR_LOWER(B) STREAM_1(A) FOUR_UPPER(B) STREAM_2(A) FOUR_LOWER(B) STREAM_3(A) FOUR_UPPER(B) \
    STREAM_4(A) FOUR_LOWER(B) STREAM_5(A) FOUR_UPPER(B) STREAM_6(A) FOUR_LOWER(B) STREAM_7(A) FOUR_UPPER(B)
/* clang-format on */

/* Every stream that is measured: X(kernel, pattern, instruction A, instruction B). Names are those of the machine's. */
#define ISSUE_LIST(X)                                                                                                  \
    X(imad_wide_x_dependent, DEPENDENT, IMAD_WIDE_X, NOTHING)                                                          \
    X(imad_wide_x, ALONE, IMAD_WIDE_X, NOTHING)                                                                        \
    X(imad_dependent, DEPENDENT, IMAD, NOTHING)                                                                        \
    X(imad, ALONE, IMAD, NOTHING)                                                                                      \
    X(imad_hi_dependent, DEPENDENT, IMAD_HI, NOTHING)                                                                  \
    X(imad_hi, ALONE, IMAD_HI, NOTHING)                                                                                \
    X(iadd3_x_dependent, DEPENDENT, IADD3_X, NOTHING)                                                                  \
    X(iadd3_x, ALONE, IADD3_X, NOTHING)                                                                                \
    X(lop3_dependent, DEPENDENT, LOP3, NOTHING)                                                                        \
    X(lop3, ALONE, LOP3, NOTHING)                                                                                      \
    X(dfma_dependent, DEPENDENT, DFMA, NOTHING)                                                                        \
    X(dfma, ALONE, DFMA, NOTHING)                                                                                      \
    X(dadd_dependent, DEPENDENT, DADD, NOTHING)                                                                        \
    X(dadd, ALONE, DADD, NOTHING)                                                                                      \
    X(imad_wide_x_with_dfma, ONE, IMAD_WIDE_X, DFMA)                                                                   \
    X(imad_wide_x_with_dadd, ONE, IMAD_WIDE_X, DADD)                                                                   \
    X(dfma_with_dadd, ONE, DFMA, DADD)                                                                                 \
    X(imad_wide_x_with_iadd3_x, ONE, IMAD_WIDE_X, IADD3_X)                                                             \
    X(dfma_with_iadd3_x, ONE, DFMA, IADD3_X)                                                                           \
    X(dadd_with_iadd3_x, ONE, DADD, IADD3_X)                                                                           \
    X(imad_wide_x_with_lop3, ONE, IMAD_WIDE_X, LOP3)                                                                   \
    X(imad_wide_x_with_imad, ONE, IMAD_WIDE_X, IMAD)                                                                   \
    X(imad_wide_x_with_quarter_iadd3_x, QUARTER, IMAD_WIDE_X, IADD3_X)                                                 \
    X(imad_wide_x_with_half_iadd3_x, HALF, IMAD_WIDE_X, IADD3_X)                                                       \
    X(imad_wide_x_with_two_iadd3_x, TWO, IMAD_WIDE_X, IADD3_X)                                                         \
    X(imad_wide_x_with_four_iadd3_x, FOUR, IMAD_WIDE_X, IADD3_X)

/* issue_<kernel>: what a thread with this seed computes by so many iterations. */
#define ISSUE_FUNCTION(name, pattern, A, B)                                                                            \
    LANE_INLINE uint32_t issue_##name(uint32_t seed, uint32_t times) {                                                 \
        struct issue_state state, *s = &state;                                                                         \
        issue_start(s, seed);                                                                                          \
        LANE_LOOP for (uint32_t i = 0; i < times; i++) ISSUE_PATTERN(s, PATTERN_##pattern, STEP_##A, STEP_##B);        \
        return issue_digest(s);                                                                                        \
    }
ISSUE_LIST(ISSUE_FUNCTION)
#undef ISSUE_FUNCTION

#endif
