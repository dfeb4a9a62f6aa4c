/* What kernels of 192 bits compute, on the CPU. */
enum { BITS = 192 };
#define ANY_CURVE_EXPECT any_curve_expect_192

#include "any_curve_expect.h"
