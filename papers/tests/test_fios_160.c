/* Sums and Montgomery products of 160 bits as Giorgi et al. have them. */
enum { BITS = 160 };

#include "fios_cases.h"

int main(void) { return fios_cases(); }
