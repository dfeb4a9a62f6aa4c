/* The portable machine with 8 limbs and 16 words.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 8, WORDS = 16 };

#include "limbs/portable/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(1); }
