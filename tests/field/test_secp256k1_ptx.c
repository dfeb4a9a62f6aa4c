/* The fields of secp256k1 on the model of the GPU's machine. */
enum { LIMBS = 8, WORDS = 8 };

#include "limbs/ptx_mul.h"

#include "curve/generated/secp256k1_32.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field_cases.h"

int main(void) { return field_cases(); }
