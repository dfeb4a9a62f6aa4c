/* The portable machine on moduli of up to 256 bits, with the carry chains of BMI2 and ADX. */
enum { LIMBS = 4, WORDS = 8, CHUNK_ROWS = 512 };

#include "limbs/adx_mul.h"

#include "backend/cpu/machine.h"
#include "scheme/mod.h"

#define MOD_PROGRAMS gecc_adx_mod_256
#include "backend/cpu/mod_programs.h"
