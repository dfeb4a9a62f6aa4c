/* ECDSA in small groups over the field of P-256, on the IFMA machine. */
enum { LIMBS = 5, WORDS = 8 };

#define BATCH_WINDOWS "batch/ifma_windows.h"
#include "limbs/ifma_mul.h"

#include "../limbs/ifma_supported.h"

#define CURVE FIELD_CURVE
#include "curve/generated/p256_52.gen.h"
#undef CURVE

#include "../curve/small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "ecdsa_cases.h"

int main(void) { return ifma_supported() ? ecdsa_cases("P-256") : ifma_skip(); }
