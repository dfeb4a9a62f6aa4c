/* The portable machine with 2 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 2, WORDS = 4 };

#include "limbs/portable/multiply.h"

#include "inverse_cases.h"

int main(void) { return inverse_cases(); }
