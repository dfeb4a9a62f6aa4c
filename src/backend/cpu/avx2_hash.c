/* The AVX2 machine: hashes, four messages at a time. */
#include "limbs/avx2/lanes.h"

#define MACHINE avx2
#include "backend/cpu/hash_programs.h"
