/* The model of the GPU's machine with 16 limbs, with products by rows of halves. */
enum { LIMBS = 16, WORDS = 16 };

#include "papers/limbs/multiply.h"

#define ANY_ODD REDUCE_ROWS

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs/limbs_cases.h"

int main(void) { return limbs_cases(0); }
