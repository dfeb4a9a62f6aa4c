/* The portable machine on moduli of up to 128 bits. */
enum { LIMBS = 2, WORDS = 4, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_128
#include "backend/cpu/mod_programs.h"
