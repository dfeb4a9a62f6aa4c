/* Greatest common divisors of 512 bits, on the lanes of the IFMA machine. */
enum { WORDS = 16 };

#include "limbs/lanes_ifma.h"

<<<<<<< HEAD
#include "../limbs/has_ifma.h"
=======
#include "../limbs/ifma_supported.h"
>>>>>>> a44a209 (Planted leaks in the IFMA machine are reported too)

#include "gcd_cases.h"

int main(void) { return ifma_supported() ? gcd_cases() : ifma_skip(); }
