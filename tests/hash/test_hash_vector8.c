/* Hashes on eight lanes.
 *
 * Test: fast; needs libcrypto */
#include "lanes_vector8.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hash_cases.h"

int main(void) { return hash_cases(); }
