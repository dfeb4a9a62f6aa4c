/* The IFMA machine with 9 limbs and 14 words.
 *
 * Test: fast; needs gmp; IFMA */
enum { LIMBS = 9, WORDS = 14 };

#include "limbs/ifma/multiply.h"

#include "ifma_supported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs_cases.h"

int main(void) { return ifma_supported() ? limbs_cases(LIMBS == 5) : ifma_skip(); }
