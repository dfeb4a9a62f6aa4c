/* The portable machine on moduli of up to 320 bits. */
enum { LIMBS = 5, WORDS = 10, CHUNK_ROWS = 512 };

#include "limbs/portable_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_portable_mod_320
#include "backend/cpu/mod_programs.h"
