/* The field of SM2 in plain representation on the model of the GPU's machine, by products of rows and the reduction of
 * Solinas. */
enum { LIMBS = 8, WORDS = 8 };

#include "papers/limbs/multiply.h"

#include "papers/kernels/plain_sm2.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field/field_cases.h"

int main(void) { return field_cases(); }
