/* Hashes on the lanes of the IFMA machine.
 *
 * Test: fast; needs libcrypto; IFMA */
#include "limbs/ifma/lanes.h"

#include "../limbs/vector_supported.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hash_cases.h"

int main(void) { return ifma_supported() ? hash_cases() : vector_skip(); }
