/* Sums and products of 192 bits in local and in shared memory and in registers. */
enum { BITS = 192 };

#include "backend/cuda/papers/fios.cuh"
