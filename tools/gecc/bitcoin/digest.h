/* What the signatures of a transaction are over: the messages whose hashes are signed. */
#ifndef TOOL_BITCOIN_DIGEST_H
#define TOOL_BITCOIN_DIGEST_H

#include "bitcoin/script.h"
#include "text/column.h"

/* The byte of the hash type: the parts of a transaction that are signed. */
enum { HASH_DEFAULT = 0, HASH_ALL = 1, HASH_NONE = 2, HASH_SINGLE = 3, HASH_MASK = 0x1f, HASH_ANYONECANPAY = 0x80 };

/* SHA-256 of parts of a transaction, which its inputs share (BIP-341); of the first three BIP-143 hashes again. */
enum part { PART_PREVOUTS, PART_SEQUENCES, PART_OUTPUTS, PART_AMOUNTS, PART_SCRIPTS, PARTS, PARTS_OF_BIP143 = 3 };

struct parts {
    uint8_t once[PARTS][HASH_BYTES];
    uint8_t twice[PARTS_OF_BIP143][HASH_BYTES];
};

/* SHA-256 of "TapLeaf" and so on. */
enum tag { TAG_LEAF, TAG_BRANCH, TAG_SIGHASH, TAGS };

extern const uint8_t bitcoin_tags[TAGS][HASH_BYTES];

/* What a message depends on. */
struct signing {
    const struct transaction *transaction;
    const struct prevout *prevouts; /* [transaction->input_count] */
    const struct spend *spend;
    const struct parts *parts; /* of BIP-143 and BIP-341 */
    size_t input;
    uint8_t hash_type;
    const uint8_t *output_hash; /* SINGLE: SHA-256 of that output, of BIP-143 twice */
    const uint8_t *annex_hash;  /* SHA-256 of the annex, if there is one */
    const uint8_t *leaf_hash;   /* of a script path */
    const uint8_t *blanked; /* the first rule: the bytes of blanked_put for this hash type; NULL: it is written anew */
};

/* Bytes of an input without its script. */
enum { BLANKED_BYTES = OUTPOINT_BYTES + 1 + SEQUENCE_BYTES };

/* Write all inputs as the first rule hashes those that are not signed, [input_count][BLANKED_BYTES]. Inputs that are
 * hashed many times are copied from there. */
void blanked_put(uint8_t *out, const struct transaction *transaction, bool with_sequences);

/* Whether the sequence numbers of other inputs are signed. */
bool signing_has_sequences(const struct signing *signing);

/* Bytes that the first rule hashes for the signature, but for the script and some heads. */
size_t signing_bytes(const struct signing *signing);

/* Put the bytes of which a part is the hash. */
void part_put(struct growing_column *message, enum part part, const struct transaction *transaction,
              const struct prevout *prevouts);

/* Put the serialization without witnesses, whose double hash is the transaction's id. */
void stripped_put(struct growing_column *message, const struct transaction *transaction);

/* Put what is hashed: twice, or once if the rule is Taproot's. */
void signing_put(struct growing_column *message, const struct signing *signing);

/* Whether it is SINGLE, and there is no output of the input's number. */
bool signing_lacks_output(const struct signing *signing);

void annex_put(struct growing_column *message, struct bytes annex);
void leaf_put(struct growing_column *message, uint8_t version, struct bytes script);
/* The two in the order of their bytes. */
void branch_put(struct growing_column *message, const uint8_t *a, const uint8_t *b);

#endif
