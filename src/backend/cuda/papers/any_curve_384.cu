/* Points of any curve of 384 bits in local and in shared memory and in registers. */
enum { BITS = 384 };

#include "backend/cuda/papers/any_curve.cuh"
