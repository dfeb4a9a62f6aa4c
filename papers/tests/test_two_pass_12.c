/* The model of the GPU's machine with 12 limbs, with products in two passes over halves of limbs. */
enum { LIMBS = 12, WORDS = 12 };

#include "papers/limbs/multiply.h"

#define ANY_ODD REDUCE_TWO_PASS

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs/limbs_cases.h"

int main(void) { return limbs_cases(0); }
