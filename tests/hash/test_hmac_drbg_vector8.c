/* The generator of RFC 6979 on eight lanes.
 *
 * Test: fast; needs libcrypto */
#include "lanes_vector8.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hmac_drbg_cases.h"

int main(void) { return hmac_drbg_cases(); }
