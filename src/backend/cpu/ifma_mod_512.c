/* The IFMA machine on moduli of up to 512 bits. */
enum { LIMBS = 10, WORDS = 16, CHUNK_ROWS = 1024 };

#include "limbs/ifma_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_ifma_mod_512
#include "backend/cpu/mod_programs.h"
