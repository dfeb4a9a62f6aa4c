/* The portable machine with 7 limbs and 13 words.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 7, WORDS = 13 };

#include "limbs/portable/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(32 * WORDS == LIMB_BITS * LIMBS); }
