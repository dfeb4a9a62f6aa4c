/* The portable machine with 2 limbs and 4 words.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 2, WORDS = 4 };

#include "limbs/portable/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(1); }
