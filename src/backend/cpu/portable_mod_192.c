/* The portable machine on moduli of up to 192 bits. */
enum { LIMBS = 3, WORDS = 6, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_192
#include "backend/cpu/mod_programs.h"
