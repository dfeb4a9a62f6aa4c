/* Where the compiler may use AVX-512, as it may in every unit with -march=native.
 *
 * Test: fast; IFMA */
#include "registers_cases.h"

#include "limbs/vector_supported.h"

int main(void) { return ifma_supported() ? registers_cases() : vector_skip(); }
