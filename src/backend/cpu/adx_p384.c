/* The portable machine on p384, with the carry chains of BMI2 and ADX. */
enum { LIMBS = 6, WORDS = 12, CHUNK_ROWS = 512 };

#include "limbs/adx_mul.h"

#include "curve/generated/p384_64.gen.h"

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"

#define PROGRAM_SM2(name, function)
#define CURVE_PROGRAMS gecc_adx_p384
#include "backend/cpu/curve_programs.h"
