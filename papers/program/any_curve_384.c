/* What kernels of 384 bits compute, on the CPU. */
enum { BITS = 384 };
#define ANY_CURVE_EXPECT any_curve_expect_384

#include "any_curve_expect.h"
