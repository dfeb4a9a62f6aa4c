/* The portable machine with limbs of 52 bits, 5 of them: what there is below residues modulo 2^255 - 19, which tests/field has.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 5, WORDS = 8 };

#define LIMB_BITS 52
#include "limbs/portable/multiply_spare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(0); }
