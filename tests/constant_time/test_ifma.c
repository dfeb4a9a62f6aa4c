/* The IFMA machine, compiled against the model of its instructions: no branch and no address depends on a secret.
 *
 * Test: fast; parts narrow wide */
#include "secret_paths.h"

#include <cmocka.h>

int main(void) { return secret_paths(&gecc_cpu_ifma); }
