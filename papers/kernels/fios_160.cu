/* Sums and products of 160 bits in local and in shared memory and in registers. */
enum { BITS = 160 };

#include "papers/kernels/fios.cuh"
