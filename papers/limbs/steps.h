/* Machine instructions, one at a time, on eight streams of registers: what papers/kernels/issue.h measures. A step is
 * PTX to nvcc and a model of it to other compilers, as in limbs/ptx/carry.h. */
#ifndef PAPERS_LIMBS_STEPS_H
#define PAPERS_LIMBS_STEPS_H

#include <stdint.h>

#include "limbs/attributes.h"

enum { ISSUE_STREAMS = 8, ISSUE_REPEATS = 8 /* of a pattern in an iteration of the loop */ };

/* What a thread computes with: of each kind a register a stream. */
struct issue_state {
    uint32_t word[ISSUE_STREAMS], low[ISSUE_STREAMS], high[ISSUE_STREAMS];
    double real[ISSUE_STREAMS]; /* integers, so that nothing is rounded */
    uint32_t a, b;
    double factor, addend;
};

/* STEP_<instruction>(k, w, r, l, h): stream k; w, r, l, h are the numbers of its operands word, real, low and high.
 * ISSUE_PATTERN(s, pattern, A, B): a pattern of steps A and B, ISSUE_REPEATS times; the first carry is that of a +
 * b. */
#ifdef __CUDACC__

#define STEP_NOTHING(k, w, r, l, h)
#define STEP_IMAD_WIDE_X(k, w, r, l, h)                                                                                \
    "madc.lo.cc.u32 %" #l ", %" #w ", %33, %" #l ";\n\tmadc.hi.cc.u32 %" #h ", %" #w ", %33, %" #h ";\n\t"
#define STEP_IMAD(k, w, r, l, h) "mad.lo.u32 %" #h ", %" #h ", %32, %33;\n\t"
#define STEP_IMAD_HI(k, w, r, l, h) "mad.hi.u32 %" #h ", %" #h ", %32, %33;\n\t"
#define STEP_IADD3_X(k, w, r, l, h) "addc.cc.u32 %" #l ", %" #l ", %" #w ";\n\t"
#define STEP_LOP3(k, w, r, l, h) "lop3.b32 %" #h ", %" #h ", %" #w ", %32, 0x6a;\n\t"
#define STEP_DFMA(k, w, r, l, h) "fma.rz.f64 %" #r ", %" #r ", %34, %35;\n\t"
#define STEP_DADD(k, w, r, l, h) "add.rz.f64 %" #r ", %" #r ", %35;\n\t"

#define OF_STREAMS(constraint, x)                                                                                      \
    constraint(x[0]), constraint(x[1]), constraint(x[2]), constraint(x[3]), constraint(x[4]), constraint(x[5]),        \
        constraint(x[6]), constraint(x[7])

#define ISSUE_PATTERN(s, pattern, A, B)                                                                                \
    __asm__ volatile("{\n\t.reg .u32 t;\n\tadd.cc.u32 t, %32, %33;\n\t" pattern(A, B) pattern(A, B) pattern(A, B)      \
                         pattern(A, B) pattern(A, B) pattern(A, B) pattern(A, B) pattern(A, B) "}"                     \
                     : OF_STREAMS("+r", (s)->word), OF_STREAMS("+d", (s)->real), OF_STREAMS("+r", (s)->low),           \
                       OF_STREAMS("+r", (s)->high)                                                                     \
                     : "r"((s)->a), "r"((s)->b), "d"((s)->factor), "d"((s)->addend))

#else

#define STEP_NOTHING(k, w, r, l, h)
#define STEP_IMAD_WIDE_X(k, w, r, l, h)                                                                                \
    {                                                                                                                  \
        uint64_t product = (uint64_t)s->word[k] * s->b, sum = (uint64_t)s->low[k] + (uint32_t)product + carry;         \
        s->low[k] = (uint32_t)sum;                                                                                     \
        sum = (uint64_t)s->high[k] + (product >> 32) + (sum >> 32);                                                    \
        s->high[k] = (uint32_t)sum;                                                                                    \
        carry = (uint32_t)(sum >> 32);                                                                                 \
    }
#define STEP_IMAD(k, w, r, l, h) s->high[k] = s->high[k] * s->a + s->b;
#define STEP_IMAD_HI(k, w, r, l, h) s->high[k] = (uint32_t)((uint64_t)s->high[k] * s->a >> 32) + s->b;
#define STEP_IADD3_X(k, w, r, l, h)                                                                                    \
    {                                                                                                                  \
        uint64_t sum = (uint64_t)s->low[k] + s->word[k] + carry;                                                       \
        s->low[k] = (uint32_t)sum;                                                                                     \
        carry = (uint32_t)(sum >> 32);                                                                                 \
    }
#define STEP_LOP3(k, w, r, l, h) s->high[k] = (s->high[k] & s->word[k]) ^ s->a;
#define STEP_DFMA(k, w, r, l, h) s->real[k] = s->real[k] * s->factor + s->addend;
#define STEP_DADD(k, w, r, l, h) s->real[k] += s->addend;

#define ISSUE_PATTERN(s, pattern, A, B)                                                                                \
    do {                                                                                                               \
        uint32_t carry = (uint32_t)(((uint64_t)s->a + s->b) >> 32);                                                    \
        for (int repeat = 0; repeat < ISSUE_REPEATS; repeat++) {                                                       \
            pattern(A, B)                                                                                              \
        }                                                                                                              \
        (void)carry;                                                                                                   \
    } while (0)

#endif

#endif
