/* The portable machine on moduli of up to 256 bits. */
enum { LIMBS = 4, WORDS = 8, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_256
#include "backend/cpu/mod_programs.h"
