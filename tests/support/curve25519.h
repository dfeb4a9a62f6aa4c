/* What the operations on Curve25519 must give, by OpenSSL. */
#ifndef TESTS_SUPPORT_CURVE25519_H
#define TESTS_SUPPORT_CURVE25519_H

#include "operation.h"

enum { CURVE25519_BYTES = 32, ED25519_SIGNATURE_BYTES = 64 };

/* What OpenSSL makes of them, one row each. Keys, seeds and u have 32 bytes, signatures 64. */
void openssl_ed25519_public_key(uint8_t *key, const uint8_t *seed);
void openssl_ed25519_sign(uint8_t *signature, const uint8_t *seed, struct cell message);
int openssl_ed25519_verify(const uint8_t *key, struct cell message, const uint8_t *signature);
/* 0, and zeros, where that is all zero. */
int openssl_x25519(uint8_t *shared, const uint8_t *private_key, const uint8_t *peer);

/* Without contexts and GECC_PREHASH. What the other rules of Ed25519 accept follows from GECC_ACCEPT_REF10, OpenSSL's,
 * where nobody has added points of small order to a key and an R. */
void curve25519_reference(const struct call *call, const struct row *row, struct expectation *expected);

#endif
