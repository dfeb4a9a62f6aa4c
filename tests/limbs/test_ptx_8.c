/* The model of the GPU's machine with 8 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 8, WORDS = 8 };

#include "limbs/ptx/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(1); }
