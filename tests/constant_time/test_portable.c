/* The portable machine in C: no branch and no address depends on a secret.
 *
 * Test: fast */
#include "secret_paths.h"

#include <cmocka.h>

int main(void) { return secret_paths(&gecc_cpu_portable_c); }
