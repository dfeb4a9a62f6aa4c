/* The IFMA machine with 9 limbs.
 *
 * Test: fast; needs gmp; IFMA */
enum { LIMBS = 9, WORDS = 14 };

#include "limbs/ifma/multiply.h"

#include "../limbs/vector_supported.h"

#include "inverse_cases.h"

int main(void) { return ifma_supported() ? inverse_cases() : vector_skip(); }
