/* Point formulas in small groups over the field of secp256k1, on the model of the GPU's machine. */
enum { LIMBS = 8, WORDS = 8 };

#include "limbs/ptx_mul.h"

#define CURVE FIELD_CURVE
#include "curve/generated/secp256k1_32.gen.h"
#undef CURVE

#include "small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "formula_cases.h"

int main(void) { return formula_cases("secp256k1"); }
