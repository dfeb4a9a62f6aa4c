/* What kernels of 224 bits compute, on the CPU. */
enum { BITS = 224 };
#define ANY_CURVE_EXPECT any_curve_expect_224

#include "any_curve_expect.h"
