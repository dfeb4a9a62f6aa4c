/* What the tests of this folder share. The lanes of a machine are included before. */
#ifndef GECC_TESTS_HASH_COMMON_H
#define GECC_TESTS_HASH_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include <gecc/context.h>

#include "support/prng.h"

/* bytes = the hexadecimal digits; returns how many bytes. */
static inline size_t from_hex(uint8_t *bytes, const char *hex) {
    size_t width = strlen(hex) / 2;
    for (size_t i = 0; i < width; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    return width;
}

/* OpenSSL's hash; Keccak-256 is not among them. */
static inline const EVP_MD *reference_hash(gecc_hash kind) {
    switch (kind) {
#define OF(identifier, value, name, ...)                                                                               \
    case identifier:                                                                                                   \
        return EVP_get_digestbyname(#name);
        GECC_HASH_LIST(OF)
#undef OF
    default:
        return NULL;
    }
}

#endif
