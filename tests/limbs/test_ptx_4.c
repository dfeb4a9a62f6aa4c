/* The model of the GPU's machine with 4 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 4, WORDS = 4 };

#include "limbs/ptx/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return limbs_cases(1); }
