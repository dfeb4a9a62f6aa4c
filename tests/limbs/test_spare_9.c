/* The portable machine with limbs of 58 bits, 9 of them: what there is below residues modulo 2^521 - 1, which tests/field has.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 9, WORDS = 16 };

#define LIMB_BITS 58
#include "limbs/portable/multiply_spare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(0); }
