/* ECDSA, Schnorr signatures and addresses in small groups over the field of secp256k1, on the model of the GPU's machine. */
enum { LIMBS = 8, WORDS = 8 };

#define BATCH_WINDOWS "support/small_group_windows.h"
#include "limbs/ptx_mul.h"

#define CURVE FIELD_CURVE
#include "curve/generated/secp256k1_32.gen.h"
#undef CURVE

#include "../curve/small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "ethereum_cases.h"

int main(void) { return ethereum_cases("secp256k1"); }
