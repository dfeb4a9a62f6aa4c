/* Multiplication in small groups over the field of P-384. */
enum { LIMBS = 6, WORDS = 12 };

#include "limbs/portable_mul.h"

#define CURVE FIELD_CURVE
#include "curve/generated/p384_64.gen.h"
#undef CURVE

#include "../curve/small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "multiplication_cases.h"

int main(void) { return multiplication_cases("P-384"); }
