/* The model of the GPU's machine with 16 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 16, WORDS = 16 };

#include "limbs/ptx/multiply.h"

#include "inverse_cases.h"

int main(void) { return inverse_cases(); }
