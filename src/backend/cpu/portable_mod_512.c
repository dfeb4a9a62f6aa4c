/* The portable machine on moduli of up to 512 bits. */
enum { LIMBS = 8, WORDS = 16, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_512
#include "backend/cpu/mod_programs.h"
