/* Sums and products of 384 bits in local and in shared memory and in registers. */
enum { BITS = 384 };

#include "papers/kernels/fios.cuh"
