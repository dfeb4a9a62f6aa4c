/* The IFMA machine on sm2. */
enum { LIMBS = 5, WORDS = 8, CHUNK_ROWS = 1024 };

#define BATCH_WINDOWS "batch/ifma_windows.h"
#include "limbs/ifma_mul.h"

#include "curve/generated/sm2_52.gen.h"

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"
#include "scheme/sm2.h"

#define PROGRAM_SM2(name, function) [OPERATION_##name] = function,
#define CURVE_PROGRAMS gecc_ifma_sm2
#include "backend/cpu/curve_programs.h"
