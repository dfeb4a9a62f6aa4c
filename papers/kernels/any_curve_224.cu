/* Points of any curve of 224 bits in local and in shared memory and in registers. */
enum { BITS = 224 };

#include "papers/kernels/any_curve.cuh"
