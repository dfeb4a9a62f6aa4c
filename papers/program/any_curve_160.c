/* What kernels of 160 bits compute, on the CPU. */
enum { BITS = 160 };
#define ANY_CURVE_EXPECT any_curve_expect_160

#include "any_curve_expect.h"
