/* The portable machine with 7 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 7, WORDS = 14 };

#include "limbs/portable/multiply.h"

#include "inverse_cases.h"

int main(void) { return inverse_cases(); }
