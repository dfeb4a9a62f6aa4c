/* Sums and products of 256 bits in local and in shared memory and in registers. */
enum { BITS = 256 };

#include "papers/kernels/fios.cuh"
