/* ECDSA in small groups over the field of P-384, on the IFMA machine. */
enum { LIMBS = 8, WORDS = 12 };

#define BATCH_WINDOWS "batch/ifma_windows.h"
#include "limbs/ifma_mul.h"

#include "../limbs/ifma_supported.h"

#define CURVE FIELD_CURVE
#include "curve/generated/p384_52.gen.h"
#undef CURVE

#include "../curve/small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "ecdsa_cases.h"

int main(void) { return ifma_supported() ? ecdsa_cases("P-384") : ifma_skip(); }
