/* The fields of p256 on the IFMA machine. */
enum { LIMBS = 5, WORDS = 8 };

#include "limbs/ifma_mul.h"

#include "curve/generated/p256_52.gen.h"

<<<<<<< HEAD
#include "../limbs/has_ifma.h"
=======
#include "../limbs/ifma_supported.h"
>>>>>>> a44a209 (Planted leaks in the IFMA machine are reported too)

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field_cases.h"

int main(void) { return ifma_supported() ? field_cases() : ifma_skip(); }
