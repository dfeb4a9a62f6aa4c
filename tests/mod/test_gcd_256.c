/* Greatest common divisors of 256 bits.
 *
 * Test: fast; needs gmp */
enum { WORDS = 8 };

#include "../hash/lanes_vector8.h"

#include "gcd_cases.h"

int main(void) { return gcd_cases(); }
