/* The IFMA machine on secp256k1. */
enum { LIMBS = 5, WORDS = 8, CHUNK_ROWS = 1024 };

#define BATCH_WINDOWS "batch/ifma_windows.h"
#include "limbs/ifma_mul.h"

#include "curve/generated/secp256k1_52.gen.h"

#include "backend/cpu/machine.h"
#include "scheme/ethereum.h"
#include "scheme/schnorr.h"

#define PROGRAM_SM2(name, function)
#define PROGRAM_SECP256K1(name, function) [OPERATION_##name] = function,
#define CURVE_PROGRAMS gecc_ifma_secp256k1
#include "backend/cpu/curve_programs.h"
