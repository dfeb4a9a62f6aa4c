/* The AVX2 machine, whose instructions memcheck knows: no branch and no address depends on a secret.
 *
 * Test: fast */
#include "secret_paths.h"

#include <cmocka.h>

#ifdef __x86_64__

int main(void) { return secret_paths(&gecc_cpu_avx2); }

#else

int main(void) {
    puts("not run: no x86-64");
    return EXIT_SKIPPED;
}

#endif
