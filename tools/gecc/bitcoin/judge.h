/* A batch of transactions, and verdicts on its signatures and commitments once their digests are there. */
#ifndef TOOL_BITCOIN_JUDGE_H
#define TOOL_BITCOIN_JUDGE_H

#include "bitcoin/digest.h"

/* What a record says of a transaction besides its bytes. */
struct inputs_told {
    bool is_coinbase; /* it is the first of its block */
    size_t place;     /* in its block, from 1; 0: it stands alone */
    const uint8_t *txid,
        *hash; /* [HASH_BYTES], in the order of the hash; NULL: nothing. `hash` is either that of all bytes, with
                                   witnesses, or the id */
    struct bytes kept; /* what goes into each row, as it is printed */
};

/* A transaction with the outputs that it spends, or a record that is none. */
struct entry {
    uint64_t line;   /* of its record */
    char *malformed; /* why it is none, without its line and place; NULL: it is one */
    bool is_other;   /* it is one, but not that which the record says */
    struct inputs_told told;
    struct transaction transaction;
    const struct prevout *prevouts;
    size_t first_input, input_count; /* in the batch; none of a coinbase */
    uint8_t id[HASH_BYTES];          /* in the order of the hash: it is shown the other way round */
    uint8_t whole_id[HASH_BYTES];    /* with witnesses, where the record says one */
    bool wants_v0, wants_taproot;
    struct parts parts;
    uint8_t *blanked[2];   /* in the arena: inputs as the first rule hashes them, without and with sequence numbers */
    uint64_t legacy_bytes; /* that were hashed by the first rule */
};

/* Bytes that the first rule may hash for a transaction; they grow with the square of its inputs. A transaction of the
 * most weight with inputs of 148 bytes, as those of keys' hashes have, needs 1.9 GB; with the shortest inputs it would
 * need 24 GB. */
#define LEGACY_BYTES_MOST ((uint64_t)2 << 30)

/* An input that spends an output. */
struct judged_input {
    struct spend spend;
    size_t entry, index; /* of its transaction, and in it */
    uint8_t checks[MAX_HASH_CHECKS][HASH_BYTES];
    uint8_t output_once[HASH_BYTES], output_twice[HASH_BYTES]; /* SINGLE: of the output */
    uint8_t annex[HASH_BYTES];
    uint8_t leaf[HASH_BYTES], root[HASH_BYTES]; /* of a script path */
    size_t first_signature, signature_count;    /* in the batch */
};

enum judgement { JUDGEMENT_OPEN, JUDGEMENT_VALID, JUDGEMENT_INVALID, JUDGEMENT_NOT_COVERED };

/* A signature of an input, or an input that has none to show. */
struct judged_signature {
    size_t input;
    struct bytes text; /* with the byte of the hash type; size 0: none */
    struct bytes key;  /* size 0: not known */
    int hash_type;     /* -1: none */
    bool has_digest;
    uint8_t digest[HASH_BYTES];
    enum judgement judgement;
    const char *reason; /* of INVALID and NOT_COVERED */
};

struct inputs {
    struct arena arena;
    struct entry *entries;
    struct judged_input *inputs;
    struct judged_signature *signatures;
    size_t entry_count, input_count, signature_count;
    size_t entry_room, input_room, signature_room;
    bool verify; /* judge signatures; else only what needs no curve */
    gecc_result outcome;
    double seconds;    /* in the library */
    bool has_left;     /* members went into no row, for want of a column */
    char left_out[80]; /* the first member that was too long for rows: its line, and its name in quotation marks */
    gecc_report report;
};

/* Find which keys have made which signatures where that has to be tried; with inputs->verify, judge everything. */
void inputs_judge(struct inputs *inputs, gecc_context *context);

void signature_refuse(struct judged_signature *signature, const char *reason);
/* Refuse all signatures of an input. */
void input_refuse(struct inputs *inputs, const struct judged_input *input, const char *reason);

/* The key as it is given to the library: a hybrid one, whose first byte is 6 or 7 and says the parity of y, is written
 * with a 4. Returns its bytes; 0: no such key is valid. */
size_t bitcoin_key_write(uint8_t out[MAX_KEY_BYTES], struct bytes key);

static inline bool spend_is_schnorr(const struct spend *spend) { return spend->rule >= DIGEST_TAPROOT; }

#endif
