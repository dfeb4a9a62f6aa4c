/* Greatest common divisors of 512 bits, on the lanes of the IFMA machine.
 *
 * Test: fast; needs gmp; IFMA */
enum { WORDS = 16 };

#include "limbs/ifma/lanes.h"

#include "../limbs/vector_supported.h"

#include "gcd_cases.h"

int main(void) { return ifma_supported() ? gcd_cases() : vector_skip(); }
