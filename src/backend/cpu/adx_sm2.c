/* The portable machine on sm2, with the carry chains of BMI2 and ADX. */
enum { LIMBS = 4, WORDS = 8, CHUNK_ROWS = 512 };

#include "limbs/adx_mul.h"

#include "curve/generated/sm2_64.gen.h"

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"
#include "scheme/sm2.h"

#define PROGRAM_SM2(name, function) [OPERATION_##name] = function,
#define CURVE_PROGRAMS gecc_adx_sm2
#include "backend/cpu/curve_programs.h"
