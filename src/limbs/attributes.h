/* Attributes of lane code, the only macros that it uses. Lane code is the common subset of C11 and CUDA C. */
#ifndef GECC_LIMBS_ATTRIBUTES_H
#define GECC_LIMBS_ATTRIBUTES_H

#ifdef __CUDACC__
/* Inlined at every call: C's templates. Constant arguments fold. */
#define LANE_INLINE static __device__ __forceinline__
/* One copy in a translation unit: point formulas and everything above. */
#define LANE_FUNCTION static __device__ __noinline__
#else
#define LANE_INLINE static inline __attribute__((always_inline, unused))
#define LANE_FUNCTION static __attribute__((noinline, unused))
#endif

#ifdef GECC_VERIFY
#include <stdlib.h>
/* A precondition: checked in the VERIFY build, free otherwise. */
#define VERIFY(condition) ((condition) ? (void)0 : abort())
#else
#define VERIFY(condition) ((void)0)
#endif

#endif
