/* Greatest common divisors of 512 bits. */
enum { WORDS = 16 };

#include "gcd_cases.h"

int main(void) { return gcd_cases(); }
