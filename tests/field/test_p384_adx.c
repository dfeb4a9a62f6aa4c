/* The fields of p384 on the portable machine with carry chains in assembly. */
enum { LIMBS = 6, WORDS = 12 };

#include "../limbs/adx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gmp.h>

#ifdef __x86_64__

#include "limbs/adx_mul.h"

#include "curve/generated/p384_64.gen.h"

#include "field_cases.h"

int main(void) { return adx_supported() ? field_cases() : adx_skip(); }

#else

int main(void) { return adx_skip(); }

#endif
