/* The same on the model of the GPU's machine, by the paper's reduction modulo SM2's prime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

enum { LIMBS = 8, WORDS = 8 };

#include "papers/limbs/multiply.h"

#define REDUCE_SM2 REDUCE_SM2_PAIRS
#include "curve/generated/sm2.gen.h"
#undef REDUCE_SM2

#include "point_cases.h"

int main(void) { return papers_cases(); }
