/* The IFMA machine on moduli of up to 384 bits. */
enum { LIMBS = 8, WORDS = 12, CHUNK_ROWS = 1024 };

#include "limbs/ifma_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_ifma_mod_384
#include "backend/cpu/mod_programs.h"
