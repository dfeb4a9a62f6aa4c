/* Kernels for scripts/gpu-cost to count the instructions of: each a loop around one field operation or point formula,
 * as a thread of libgecc_cuda runs it. Nothing runs them. Compiled with CURVE_CONSTANTS, the curve's header, and
 * CURVE_WORDS. */
enum { LIMBS = CURVE_WORDS, WORDS = CURVE_WORDS, BLOCK_THREADS = CURVE_WORDS > 8 ? 384 : 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include CURVE_CONSTANTS

#include "curve/point.h"

#define COST(name, type, operation)                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, 1) name(type *values, int times) {                     \
        type v = values[threadIdx.x];                                                                                  \
        _Pragma("unroll 1") for (int i = 0; i < times; i++) operation;                                                 \
        values[threadIdx.x] = v;                                                                                       \
    }

struct elements {
    fe a, b, c, d;
};

struct points {
    struct jacobian p;
    struct xyzz s;
    struct affine q;
};

COST(multiplication, elements, v.a = fe_mul(v.a, v.b))
COST(squaring, elements, v.a = fe_sqr(v.a))
COST(addition, elements, v.a = fe_add(v.a, v.b))
COST(subtraction, elements, v.a = fe_sub(v.a, v.b))
COST(three_halves, elements, v.a = fe_three_halves(v.a))
COST(mul_sub_mul, elements, v.a = fe_mul_sub_mul(v.a, v.b, v.c, v.d))
COST(mul_sub_sqr, elements, v.a = fe_mul_sub_sqr(v.a, v.b, v.c))
COST(jacobian_doubling, points, jacobian_double(&v.p))
COST(jacobian_affine, points, jacobian_add_affine(&v.p, &v.q))
COST(jacobian_affine_vartime, points, jacobian_add_affine_vartime(&v.p, &v.q))
COST(xyzz_affine_distinct, points, xyzz_add_distinct(&v.s, &v.q, 0))
