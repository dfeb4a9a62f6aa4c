/* What kernels of 256 bits compute, on the CPU. */
enum { BITS = 256 };
#define ANY_CURVE_EXPECT any_curve_expect_256

#include "any_curve_expect.h"
