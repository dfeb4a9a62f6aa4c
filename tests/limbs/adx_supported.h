/* Has this processor what the variant of the portable machine in limbs/portable/multiply_adx.h needs? */
#ifndef TESTS_LIMBS_ADX_SUPPORTED_H
#define TESTS_LIMBS_ADX_SUPPORTED_H

#include <stdio.h>

enum { EXIT_SKIPPED = 77 };

#ifdef __x86_64__
#include <cpuid.h>

static inline int adx_supported(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) && (b & bit_ADX);
}

#else

static inline int adx_supported(void) { return 0; }

#endif

/* Says why the test is not run; its exit status then. */
static inline int adx_skip(void) {
    puts("not run: no BMI2 and ADX here");
    return EXIT_SKIPPED;
}

#endif
