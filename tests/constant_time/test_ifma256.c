/* The IFMA machine of four lanes, its products compiled against a model: no branch and no address depends on a secret.
 *
 * Test: long; parts narrow wide */
#include "secret_paths.h"

#include <cmocka.h>

int main(void) { return secret_paths(&gecc_cpu_ifma256); }
