/* The portable machine on moduli of up to 448 bits. */
enum { LIMBS = 7, WORDS = 14, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_448
#include "backend/cpu/mod_programs.h"
