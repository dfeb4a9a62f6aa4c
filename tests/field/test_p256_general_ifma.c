/* The fields of p256 on the IFMA machine, modulo p as modulo any number.
 *
 * Test: fast; needs gmp; IFMA */
enum { LIMBS = 5, WORDS = 8 };

#include "limbs/ifma/multiply.h"

/* What the curve says of its prime, alone. */
#define REDUCE_P256 REDUCE_MONTGOMERY
#include "curve/generated/p256.gen.h"
#undef REDUCE_P256

#include "../limbs/vector_supported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field_cases.h"

int main(void) { return ifma_supported() ? field_cases() : vector_skip(); }
