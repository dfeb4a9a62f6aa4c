/* The generator of RFC 6979 on the lanes of the IFMA machine.
 *
 * Test: fast; needs libcrypto; IFMA */
#include "limbs/ifma/lanes.h"

#include "../limbs/vector_supported.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hmac_drbg_cases.h"

int main(void) { return ifma_supported() ? hmac_drbg_cases() : vector_skip(); }
