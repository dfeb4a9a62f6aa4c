/* Papers' ways to multiply points, on SM2 and the portable machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/machine.h"

#include "limbs/portable/multiply.h"

#include "curve/generated/sm2.gen.h"

#include "point_cases.h"

int main(void) { return papers_cases(); }
