/* The fields of sm2 on the model of the GPU's machine, two limbs of a product reduced at a time. */
enum { LIMBS = 8, WORDS = 8 };

#include "papers/limbs/multiply.h"

/* What the curve says of its prime, alone. */
#define REDUCE_SM2 REDUCE_SM2_PAIRS
#include "curve/generated/sm2.gen.h"
#undef REDUCE_SM2

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field/field_cases.h"

int main(void) { return field_cases(); }
