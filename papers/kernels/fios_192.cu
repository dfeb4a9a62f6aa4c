/* Sums and products of 192 bits in local and in shared memory and in registers. */
enum { BITS = 192 };

#include "papers/kernels/fios.cuh"
