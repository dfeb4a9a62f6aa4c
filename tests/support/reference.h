/* What each operation must give, one row at a time, computed by OpenSSL. Slow and independent of the library. */
#ifndef TESTS_SUPPORT_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_H

#include "operation.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>

struct reference_curve {
    gecc_curve id;
    size_t length;
    EC_GROUP *group;
    BIGNUM *p, *a, *b, *n, *half_n;
};

/* Curves live until the process ends. Not to be used from several threads. */
const struct reference_curve *reference_curve(gecc_curve id);
BN_CTX *reference_bn(void);

/* The row of an operation on a curve, or of DIGEST and SM2_DIGEST, but of Keccak. */
void reference_row(const struct call *call, const struct row *row, struct expectation *expected);

/* Parts of it. A set of defects is a set of MALFORMED_* statuses; 0: none. */
uint32_t reference_point(const struct reference_curve *curve, struct cell cell, EC_POINT *point);
/* The row's width; 0 for the point at infinity. */
uint32_t reference_point_encode(const struct reference_curve *curve, gecc_point_format format, const EC_POINT *point,
                                uint8_t *out);
uint32_t reference_signature(const struct reference_curve *curve, uint32_t flags, struct cell cell, BIGNUM *r,
                             BIGNUM *s);
uint32_t reference_signature_encode(const struct reference_curve *curve, uint32_t flags, const BIGNUM *r,
                                    const BIGNUM *s, uint8_t *out);
/* 1 <= value < n, in exactly L bytes; of a private key on SM2 < n - 1. */
uint32_t reference_private_key(const struct reference_curve *curve, struct cell cell, BIGNUM *value);
uint32_t reference_nonce(const struct reference_curve *curve, struct cell cell, BIGNUM *value);
/* The leftmost bits of a digest, as many as n has. */
void reference_digest_number(const struct reference_curve *curve, struct cell digest, BIGNUM *e);
const EVP_MD *reference_hash(gecc_hash hash, gecc_curve curve);

/* BIP-340: the point with that x and an even y; a signature, with the sighash byte that the flags allow; the challenge
 * e of r, p (32 bytes each) and the message. */
uint32_t reference_x_only(const struct reference_curve *curve, struct cell cell, EC_POINT *point);
uint32_t reference_bip340_signature(const struct reference_curve *curve, uint32_t flags, struct cell cell, BIGNUM *r,
                                    BIGNUM *s);
void reference_challenge(const struct reference_curve *curve, const uint8_t *r, const uint8_t *p, struct cell message,
                         BIGNUM *e);

/* The signing and verifying operations. */
void reference_ecdsa_sign(const struct call *call, const struct row *row, struct expectation *expected);
void reference_ecdsa_verify(const struct call *call, const struct row *row, struct expectation *expected);
void reference_ecdsa_recover(const struct call *call, const struct row *row, struct expectation *expected);
void reference_sm2_sign(const struct call *call, const struct row *row, struct expectation *expected);
void reference_sm2_verify(const struct call *call, const struct row *row, struct expectation *expected);
void reference_sm2_encrypt(const struct call *call, const struct row *row, struct expectation *expected);
void reference_sm2_decrypt(const struct call *call, const struct row *row, struct expectation *expected);
void reference_sm2_exchange(const struct call *call, const struct row *row, struct expectation *expected);
/* All that begin with schnorr. */
void reference_schnorr(const struct call *call, const struct row *row, struct expectation *expected);
/* All that begin with ethereum, and their hash. */
void reference_ethereum(const struct call *call, const struct row *row, struct expectation *expected);
void reference_keccak256(const uint8_t *data, size_t width, uint8_t out[32]);

#endif
