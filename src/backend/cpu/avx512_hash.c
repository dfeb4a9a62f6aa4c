/* The AVX-512 machine: hashes, eight messages at a time. */
#include "limbs/avx512/lanes.h"

#define MACHINE avx512
#include "backend/cpu/hash_programs.h"
