/* The fields of sm2 on the portable machine. */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable_mul.h"

#include "curve/generated/sm2_64.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "field_cases.h"

int main(void) { return field_cases(); }
