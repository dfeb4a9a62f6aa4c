/* The portable machine with 4 limbs and 8 words.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(1); }
