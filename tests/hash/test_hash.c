/* Hashes on the portable machine's lanes.
 *
 * Test: fast; needs libcrypto */
#include "limbs/lanes_scalar.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hash_cases.h"

int main(void) { return hash_cases(); }
