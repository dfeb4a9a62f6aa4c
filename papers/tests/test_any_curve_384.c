/* Points of any curve of 384 bits as Giorgi et al. have them. */
enum { BITS = 384 };
#define PRIME "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff"

#include "any_curve_cases.h"

int main(void) { return any_curve_cases(); }
