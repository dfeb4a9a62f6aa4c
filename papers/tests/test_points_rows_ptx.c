/* The same on the model of the GPU's machine, by products of rows and the reduction of Solinas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

enum { LIMBS = 8, WORDS = 8 };

#include "papers/limbs/multiply.h"

#include "papers/kernels/plain_sm2.gen.h"

#include "point_cases.h"

int main(void) { return papers_cases(); }
