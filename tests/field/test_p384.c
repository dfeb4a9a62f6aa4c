/* The fields of p384 on the portable machine. */
enum { LIMBS = 6, WORDS = 12 };

#include "limbs/portable_mul.h"

#include "curve/generated/p384_64.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field_cases.h"

int main(void) { return field_cases(); }
