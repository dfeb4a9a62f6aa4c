/* Sums and Montgomery products of 224 bits as Giorgi et al. have them. */
enum { BITS = 224 };

#include "fios_cases.h"

int main(void) { return fios_cases(); }
