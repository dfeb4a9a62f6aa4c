/* Signed transactions of Ethereum, from their bytes: the message that was signed, the signature, and the bytes that the
 * transaction's hash is of. */
#ifndef GECC_LEDGER_TRANSACTION_H
#define GECC_LEDGER_TRANSACTION_H

#include "ledger/rlp.h"

enum { SIGNATURE_BYTES = 65, SUFFIX_MOST = 33 + 2, PREIMAGE_MORE = 1 + RLP_HEAD_MOST + SUFFIX_MOST };

/* A part of the row. */
struct part {
    size_t at, width;
};

/* The preimage that was signed is prefix || body || suffix; the signature r || s || parity, where a parity of 2 stands
 * for a v that there is not. */
struct signing {
    uint8_t prefix[1 + RLP_HEAD_MOST], suffix[SUFFIX_MOST], signature[SIGNATURE_BYTES];
    size_t prefix_bytes, suffix_bytes;
    struct part body;
};

struct transaction {
    struct rlp_failure failure; /* reason 0: the rest holds */
    uint8_t type;
    bool has_blobs;             /* the network's form: the hash is of type || core, not of the row */
    struct part core;           /* the transaction itself as a list */
    struct part authorizations; /* the items of that list */
    size_t authorization_count;
    struct signing signing;
};

/* chain_id: that of transactions that are for one chain, 0: any. Returns whether the row is a transaction. */
bool transaction_read(struct transaction *transaction, const uint8_t *data, size_t width, uint64_t chain_id);

/* The next of a transaction's authorizations. Returns whether there is one that is well formed. */
bool authorization_read(struct rlp *authorizations, struct signing *signing);

static inline size_t signing_bytes(const struct signing *signing) {
    return signing->prefix_bytes + signing->body.width + signing->suffix_bytes;
}

/* The preimage to out: signing_bytes(), at most the row's width + PREIMAGE_MORE, of the row as it was when it was
 * read. */
void signing_write(uint8_t *out, const struct signing *signing, const uint8_t *data);

#endif
