/* The IFMA machine on moduli of up to 192 bits. */
enum { LIMBS = 4, WORDS = 6, CHUNK_ROWS = 1024 };

#include "limbs/ifma_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_ifma_mod_192
#include "backend/cpu/mod_programs.h"
