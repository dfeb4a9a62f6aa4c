/* The portable machine on secp256k1, with the carry chains of BMI2 and ADX. */
enum { LIMBS = 4, WORDS = 8, CHUNK_ROWS = 512 };

#include "limbs/adx_mul.h"

#include "curve/generated/secp256k1_64.gen.h"

#include "backend/cpu/machine.h"
#include "scheme/ethereum.h"
#include "scheme/schnorr.h"

#define PROGRAM_SM2(name, function)
#define PROGRAM_SECP256K1(name, function) [OPERATION_##name] = function,
#define CURVE_PROGRAMS gecc_adx_secp256k1
#include "backend/cpu/curve_programs.h"
