/* Sums and Montgomery products of 384 bits as Giorgi et al. have them. */
enum { BITS = 384 };

#include "fios_cases.h"

int main(void) { return fios_cases(); }
