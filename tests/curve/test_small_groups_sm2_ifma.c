/* Point formulas in small groups over the field of SM2, on the IFMA machine. */
enum { LIMBS = 5, WORDS = 8 };

#include "limbs/ifma_mul.h"

#include "../limbs/ifma_supported.h"

#define CURVE FIELD_CURVE
#include "curve/generated/sm2_52.gen.h"
#undef CURVE

#include "small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "formula_cases.h"

int main(void) { return ifma_supported() ? formula_cases("SM2") : ifma_skip(); }
