/* The portable machine with 8 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 8, WORDS = 16 };

#include "limbs/portable/multiply.h"

#include "inverse_cases.h"

int main(void) { return inverse_cases(); }
