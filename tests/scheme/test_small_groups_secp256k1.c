/* ECDSA, Schnorr signatures and addresses in small groups over the field of secp256k1. */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable_mul.h"

#define CURVE FIELD_CURVE
#include "curve/generated/secp256k1_64.gen.h"
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
