/* The IFMA machine on moduli of up to 448 bits. */
enum { LIMBS = 9, WORDS = 14, CHUNK_ROWS = 1024 };

#include "limbs/ifma_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_ifma_mod_448
#include "backend/cpu/mod_programs.h"
