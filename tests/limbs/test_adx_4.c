/* The portable machine with carry chains in assembly, 4 limbs.
 *
 * Test: fast; needs gmp */
enum { LIMBS = 4, WORDS = 8 };

#include "adx_supported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gmp.h>

#ifdef __x86_64__

#include "limbs/portable/multiply_adx.h"

#include "limbs_cases.h"

int main(void) { return adx_supported() ? limbs_cases(LIMBS == 4) : adx_skip(); }

#else

int main(void) { return adx_skip(); }

#endif
