/* Ethereum's addresses, the signatures that they come from, on secp256k1, and who sent transactions. Conventions:
 * gecc/context.h. Public data.
 *
 * An address has 20 bytes: the last of Keccak-256(x || y) of a public key. A signature is r || s || v, 32 bytes, 32
 * bytes and 1 to 32; or r, s and v are columns of their own, of 1 to 32 bytes. All are big-endian. v says which of two
 * R's was meant: 0 or 1; 27 or 28; or 35 + 2 * chain id, or 1 more (EIP-155). Another v is MALFORMED_RECOVERY_ID. With
 * GECC_LOW_S s may be half the order at most, as everywhere but in Frontier's transactions (EIP-2); greater is
 * MALFORMED_HIGH_S. */
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

/* The same of signatures of the Keccak-256 of a message: the bytes of a transaction that are signed, of EIP-191's or
 * EIP-712's data, which begin with 0x19, or any others. Messages may be empty, and of 2^32 - 1 bytes. */
GECC_CALL gecc_result gecc_ethereum_recover_message(gecc_context *context, gecc_out address, gecc_out status,
                                                    gecc_rows message, gecc_rows signature, size_t count,
                                                    const gecc_options *options);

/* Transactions, from their bytes.
 *
 * A row is a signed transaction as nodes give it: of type 0x00, an RLP list, from before EIP-155 or after it; of type
 * 0x01 (EIP-2930), 0x02 (EIP-1559), 0x03 (EIP-4844) or 0x04 (EIP-7702), that byte and an RLP list. Type 0x03 may be in
 * the network's form, with its blobs, whose commitments are not verified. All RLP is strict. What is not a transaction
 * is MALFORMED_TRANSACTION, and a reason and a position say what is wrong, and at which byte of the row. Rules that
 * need more than the transaction, or its fields' meaning (gas, fees, nonces, how many blobs), are not looked at. */

/* X(name, value, text). */
#define GECC_ETHEREUM_REASON_LIST(X)                                                                                   \
    X(GECC_ETHEREUM_PARSED, 0, "it is well formed")                                                                    \
    X(GECC_ETHEREUM_EMPTY, 1, "it is empty")                                                                           \
    X(GECC_ETHEREUM_TYPE, 2, "there is no such type of transaction")                                                   \
    X(GECC_ETHEREUM_TOO_SHORT, 3, "an item goes on beyond the end")                                                    \
    X(GECC_ETHEREUM_TOO_FEW, 4, "a list ends where an item is missing")                                                \
    X(GECC_ETHEREUM_TOO_MANY, 5, "bytes follow where the last item has ended")                                         \
    X(GECC_ETHEREUM_LENGTH, 6, "a length is not written in the shortest way")                                          \
    X(GECC_ETHEREUM_NO_LIST, 7, "a string stands where a list has to")                                                 \
    X(GECC_ETHEREUM_NO_STRING, 8, "a list stands where a string has to")                                               \
    X(GECC_ETHEREUM_ZEROS, 9, "a number begins with a byte of zero")                                                   \
    X(GECC_ETHEREUM_NUMBER, 10, "a number is too large")                                                               \
    X(GECC_ETHEREUM_WIDTH, 11, "an address, hash, blob, commitment or proof has another width")                        \
    X(GECC_ETHEREUM_SIDECAR, 12, "blobs, commitments and proofs do not go together")                                   \
    X(GECC_ETHEREUM_CHAIN, 13, "it is for another chain")

typedef enum gecc_ethereum_reason {
#define GECC_X(name, value, text) name = value,
    GECC_ETHEREUM_REASON_LIST(GECC_X)
#undef GECC_X
} gecc_ethereum_reason;

/* A static text in English; never NULL. */
GECC_API const char *gecc_ethereum_reason_text(uint8_t reason);

typedef struct gecc_ethereum_options {
    size_t size;       /* sizeof(gecc_ethereum_options) */
    uint32_t flags;    /* GECC_ANY_S: transactions may have any s, as Frontier's had; authorizations never may.
                          Others but GECC_LOW_S, which says what holds without it, are GECC_ERROR_ARGUMENT */
    uint64_t chain_id; /* refuse transactions for other chains; 0: take all. Those from before EIP-155 are for any */
    gecc_report
        *report; /* filled when the call is done: where it recovered, and how long all of it took; NULL: not wanted */
} gecc_ethereum_options;

#define GECC_ETHEREUM_OPTIONS_INIT                                                                                     \
    { sizeof(gecc_ethereum_options), 0, 0, NULL }

/* Who sent each transaction. sender: 20 bytes. Optional are hash, 32 bytes: the transaction's; type, a byte; reason, a
 * byte: a gecc_ethereum_reason; position, a uint32_t. status: OK, MALFORMED_TRANSACTION, or what gecc_ethereum_recover
 * says of the signature: MALFORMED_HIGH_S unless the options have GECC_ANY_S (EIP-2). A transaction that is well formed
 * has its hash whatever is said of its signature; a row without a result has zeros. All memory is the host's. Threads
 * of this process read the rows while the context's backend hashes and recovers those before; a row has fewer than 2^32
 * bytes. Takes 160 MB of memory at most for up to 1,048,576 rows, 640 MB for 4,194,304 and more, and eight times the
 * width of a row that is wider than 16 MB. Rows that change meanwhile are read as this or that, or refused; others are
 * not harmed. Returns when all is done. */
GECC_CALL gecc_result gecc_ethereum_senders(gecc_context *context, gecc_out sender, gecc_out hash, gecc_out type,
                                            gecc_out reason, gecc_out position, gecc_out status, gecc_rows transactions,
                                            size_t count, const gecc_ethereum_options *options);

/* Who signed the authorizations of transactions of type 0x04; others have none, and so have rows that are no
 * transactions. offsets[count + 1]: the authorities of row i are rows offsets[i] .. offsets[i + 1] - 1 of authority, 20
 * bytes, and status: OK, or why an authorization has no authority, which the protocol then skips. `capacity` rows have
 * room; where that is fewer than offsets[count], the call returns GECC_ERROR_ARGUMENT, with the offsets written. With
 * authority and status gecc_out_none() and capacity 0 it counts, no more. Takes 8 bytes of memory a row, and 150 for
 * each of up to 262,144 authorizations. */
GECC_CALL gecc_result gecc_ethereum_authorities(gecc_context *context, uint64_t *offsets, gecc_out authority,
                                                gecc_out status, size_t capacity, gecc_rows transactions, size_t count,
                                                const gecc_ethereum_options *options);

/* Where a block has its transactions: block[bytes] is its RLP, [header, transactions, uncles, ...]. Transaction i, a
 * list, or a string that begins with its type, is the widths[i] bytes from offsets[i] on, a row as above. *count: how
 * many there are; of offsets and widths, both [capacity], the first are written. NULL for both, and 0: only count.
 * GECC_ERROR_ARGUMENT: it is not a block; *count is 0, and gecc_error_text says at which byte. Transactions are only
 * told apart, not looked into. */
GECC_CALL gecc_result gecc_ethereum_block_transactions(uint64_t *offsets, uint32_t *widths, size_t capacity,
                                                       size_t *count, const void *block, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
