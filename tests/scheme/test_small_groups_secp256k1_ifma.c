/* ECDSA, Schnorr signatures and addresses in small groups over the field of secp256k1, on the IFMA machine. */
enum { LIMBS = 5, WORDS = 8 };

#define BATCH_WINDOWS "batch/ifma_windows.h"
#include "limbs/ifma_mul.h"

#include "../limbs/ifma_supported.h"

#define CURVE FIELD_CURVE
#include "curve/generated/secp256k1_52.gen.h"
#undef CURVE

#include "../curve/small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "ethereum_cases.h"

int main(void) { return ifma_supported() ? ethereum_cases("secp256k1") : ifma_skip(); }
