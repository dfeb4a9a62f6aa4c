/* The portable machine on moduli of up to 384 bits. */
enum { LIMBS = 6, WORDS = 12, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_384
#include "backend/cpu/mod_programs.h"
