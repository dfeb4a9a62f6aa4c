/* The IFMA machine on p384. */
enum { LIMBS = 8, WORDS = 12, CHUNK_ROWS = 1024 };

#define BATCH_WINDOWS "batch/ifma_windows.h"
#include "limbs/ifma_mul.h"

#include "curve/generated/p384_52.gen.h"

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"

#define PROGRAM_SM2(name, function)
#define CURVE_PROGRAMS gecc_ifma_p384
#include "backend/cpu/curve_programs.h"
