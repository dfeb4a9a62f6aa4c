/* Point formulas in small groups over the field of P-256, on the IFMA machine, modulo p as modulo any number.
 *
 * Test: fast; needs gmp jansson; IFMA */
enum { LIMBS = 5, WORDS = 8 };

#include "limbs/ifma/multiply.h"

#include "../limbs/vector_supported.h"

#define CURVE FIELD_CURVE
/* What the curve says of its prime, alone. */
#define REDUCE_P256 REDUCE_MONTGOMERY
#include "curve/generated/p256.gen.h"
#undef REDUCE_P256
#undef CURVE

#include "small_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>
#include <jansson.h>

#include "formula_cases.h"

int main(void) { return ifma_supported() ? formula_cases("P-256") : vector_skip(); }
