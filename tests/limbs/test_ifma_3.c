/* The IFMA machine with 3 limbs and 4 words.
 *
 * Test: fast; needs gmp; IFMA */
enum { LIMBS = 3, WORDS = 4 };

#include "limbs/ifma/multiply.h"

#include "ifma_supported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return ifma_supported() ? limbs_cases(LIMBS == 5) : ifma_skip(); }
