/* The portable machine with 4 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/multiply.h"

#include "inverse_cases.h"

int main(void) { return inverse_cases(); }
