/* Greatest common divisors of 512 bits.
 *
 * Test: fast; needs gmp */
enum { WORDS = 16 };

#include "../hash/lanes_vector8.h"

#include "gcd_cases.h"

int main(void) { return gcd_cases(); }
