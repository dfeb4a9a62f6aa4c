/* The generator of RFC 6979 on the portable machine's lanes.
 *
 * Test: fast; needs libcrypto */
#include "limbs/lanes_scalar.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hmac_drbg_cases.h"

int main(void) { return hmac_drbg_cases(); }
