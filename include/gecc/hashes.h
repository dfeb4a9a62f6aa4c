/* The hashes. */
#ifndef GECC_HASHES_H
#define GECC_HASHES_H

/* The hashes of which HMAC makes nonces (RFC 6979).
 * X(a gecc_hash, its value, its name within names, the name that people write, bytes of a digest). */
#define GECC_NONCE_HASH_LIST(X)                                                                                        \
    X(GECC_SHA256, 1, sha256, "SHA-256", 32)                                                                           \
    X(GECC_SHA384, 2, sha384, "SHA-384", 48)                                                                           \
    X(GECC_SHA512, 3, sha512, "SHA-512", 64)                                                                           \
    X(GECC_SM3, 4, sm3, "SM3", 32)

/* The others. Keccak-256 has the original padding, as Ethereum uses it: it is not SHA3-256. */
#define GECC_OTHER_HASH_LIST(X) X(GECC_KECCAK256, 5, keccak256, "Keccak-256", 32)

#define GECC_HASH_LIST(X) GECC_NONCE_HASH_LIST(X) GECC_OTHER_HASH_LIST(X)

/* The most bytes of a digest. */
#define GECC_HASH_BYTES_MOST 64

#endif
