/* The portable machine with 6 limbs and 12 words.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 6, WORDS = 12 };

#include "limbs/portable/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(1); }
