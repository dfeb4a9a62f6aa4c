/* Points of any curve of 160 bits as Giorgi et al. have them. */
enum { BITS = 160 };
#define PRIME "ffffffffffffffffffffffffffffffff7fffffff"

#include "any_curve_cases.h"

int main(void) { return any_curve_cases(); }
