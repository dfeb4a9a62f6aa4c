/* Ethereum's addresses and the signatures that they come from, on secp256k1. Conventions: gecc/context.h. Public data.
 *
 * An address has 20 bytes: the last of Keccak-256(x || y) of a public key. A signature is r || s || v, 32 bytes, 32 bytes and 1
 * to 32; or r, s and v are columns of their own, of 1 to 32 bytes. All are big-endian. v says which of two R's was meant: 0 or
 * 1; 27 or 28; or 35 + 2 * chain id, or 1 more (EIP-155). Another v is MALFORMED_RECOVERY_ID. With GECC_LOW_S s may be half the
 * order at most, as everywhere but in Frontier's transactions (EIP-2); greater is MALFORMED_HIGH_S. */
#ifndef GECC_ETHEREUM_H
#define GECC_ETHEREUM_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of an address. */
#define GECC_ADDRESS_BYTES 20

/* address = that of the public key, a point in any encoding. */
GECC_CALL gecc_result gecc_ethereum_address(gecc_context *context, gecc_out address, gecc_out status,
                                            gecc_rows public_key, size_t count, const gecc_options *options);

/* address = that of the key that made the signature of the digest, of 32 bytes. INVALID where there is none. */
GECC_CALL gecc_result gecc_ethereum_recover(gecc_context *context, gecc_out address, gecc_out status, gecc_rows digest,
                                            gecc_rows signature, size_t count, const gecc_options *options);

/* The same of signatures whose r, s and v are columns. */
GECC_CALL gecc_result gecc_ethereum_recover_columns(gecc_context *context, gecc_out address, gecc_out status,
                                                    gecc_rows digest, gecc_rows r, gecc_rows s, gecc_rows v,
                                                    size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
