/* Points of any curve of 192 bits in local and in shared memory and in registers. */
enum { BITS = 192 };

#include "papers/kernels/any_curve.cuh"
