/* Attributes of lane code, the only macros that it uses. Lane code is the common subset of C11 and CUDA C. */
#ifndef GECC_LIMBS_ATTRIBUTES_H
#define GECC_LIMBS_ATTRIBUTES_H

#ifdef __CUDACC__
/* Inlined at every call: C's templates. Constant arguments fold. */
#define LANE_INLINE static __device__ __forceinline__
/* One copy in a translation unit: point formulas and everything above. */
#define LANE_FUNCTION static __device__ __noinline__
/* A table of constants, the same for every lane. */
#define LANE_CONSTANT static __constant__ const
/* A function whose arrays must be registers on a GPU, so inlined there, but is a call on a CPU. */
#define LANE_STEP LANE_INLINE
/* Unroll the loop that follows, whose number of iterations is constant: array indices become registers. */
#define LANE_UNROLL _Pragma("unroll")
/* The same inside a LANE_STEP. */
#define LANE_UNROLL_STEP _Pragma("unroll")
/* Keep the loop that follows a loop, whatever the compiler thinks of its size. */
#define LANE_LOOP _Pragma("unroll 1")
/* Whether programs look for bits that have turned over in memory, beyond what a signature's own equation shows: not on
 * a GPU, whose memory corrects them. */
#define LANE_RECHECKS 0
#else
#define LANE_INLINE static inline __attribute__((always_inline, unused))
#define LANE_FUNCTION static __attribute__((noinline, unused))
#define LANE_CONSTANT static const __attribute__((unused))
#define LANE_STEP LANE_FUNCTION
#define LANE_RECHECKS 1
#define LANE_UNROLL_STEP
#define LANE_LOOP
#ifdef __clang__
#define LANE_UNROLL _Pragma("unroll")
#else
#define LANE_UNROLL _Pragma("GCC unroll 32")
#endif
#endif

#ifdef GECC_CONSTANT_TIME_TEST
#include <valgrind/memcheck.h>
/* The value derives from secrets but may be seen: say so to the constant-time test. Each use has its reason in
 * docs/constant-time.md. */
#define LANE_DECLASSIFY(value) VALGRIND_MAKE_MEM_DEFINED(&(value), sizeof(value))
#else
#define LANE_DECLASSIFY(value) ((void)0)
#endif

#ifdef GECC_VERIFY
#include <stdlib.h>
/* A precondition: checked in the VERIFY build, free otherwise. */
#define VERIFY(condition) ((condition) ? (void)0 : abort())
#else
#define VERIFY(condition) ((void)0)
#endif

/* A precondition of every lane's numbers, which takes as long to check as the work that it is for: in tests of the dev
 * preset. */
#ifdef GECC_VERIFY_LANES
#define VERIFY_LANES(condition) VERIFY(!mask_any(~(condition)))
#else
#define VERIFY_LANES(condition) ((void)0)
#endif

#endif
