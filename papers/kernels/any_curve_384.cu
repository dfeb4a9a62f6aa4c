/* Points of any curve of 384 bits in local and in shared memory and in registers. */
enum { BITS = 384 };

#include "papers/kernels/any_curve.cuh"
