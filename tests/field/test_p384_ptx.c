/* The fields of p384 on the model of the GPU's machine. */
enum { LIMBS = 12, WORDS = 12 };

#include "limbs/ptx_mul.h"

#include "curve/generated/p384_32.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field_cases.h"

int main(void) { return field_cases(); }
