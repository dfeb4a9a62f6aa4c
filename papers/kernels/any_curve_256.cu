/* Points of any curve of 256 bits in local and in shared memory and in registers. */
enum { BITS = 256 };

#include "papers/kernels/any_curve.cuh"
