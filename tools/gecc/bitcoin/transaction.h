/* Transactions and blocks of Bitcoin as they are serialized, with and without witnesses (BIP-144).
 *
 * What is parsed points into the bytes that it was parsed from; arrays come from an arena. */
#ifndef TOOL_BITCOIN_TRANSACTION_H
#define TOOL_BITCOIN_TRANSACTION_H

#include "text/arena.h"

#include <stdint.h>

struct bytes {
    const uint8_t *data;
    size_t size;
};

/* What consensus lets a block weigh, and so a transaction (BIP 141): three times its bytes without witnesses, and all
 * its bytes. A transaction has an input and an output at least. */
enum {
    MOST_WEIGHT = 4000000,
    INPUT_LEAST = 36 + 1 + 4,
    OUTPUT_LEAST = 8 + 1,
    MOST_INPUTS = MOST_WEIGHT / (4 * INPUT_LEAST),
    MOST_TRANSACTIONS = MOST_WEIGHT / (4 * (4 + 1 + INPUT_LEAST + 1 + OUTPUT_LEAST + 4))
};

enum { OUTPOINT_BYTES = 36, SEQUENCE_BYTES = 4, AMOUNT_BYTES = 8, BLOCK_HEADER_BYTES = 80 };

/* An output that an input spends. */
struct prevout {
    uint64_t satoshi;
    struct bytes script;
};

struct tx_input {
    const uint8_t *outpoint; /* [OUTPOINT_BYTES] */
    struct bytes script;
    const uint8_t *sequence; /* [SEQUENCE_BYTES] */
    struct bytes *witness;   /* [witness_count] */
    size_t witness_count;
};

struct transaction {
    const uint8_t *version;  /* [4] */
    struct bytes body;       /* the inputs and outputs, each with their number */
    struct tx_input *inputs; /* [input_count] */
    size_t input_count;
    struct bytes *outputs; /* [output_count], each with its amount; they follow one another */
    size_t output_count;
    const uint8_t *lock_time; /* [4] */
    struct bytes whole;       /* all of it, with witnesses */
    bool has_witness;
};

/* Why bytes are none, and where: an offset from their start. */
struct defect {
    const char *reason; /* NULL: they are */
    size_t byte;
};

/* Where a parser stands. */
struct cursor {
    struct bytes bytes;
    size_t at;
    struct defect defect;
};

/* The transaction at the cursor. false: cursor->defect says why not, or the arena failed. */
bool transaction_parse(struct transaction *transaction, struct arena *arena, struct cursor *cursor);

/* The header of a block and the number of its transactions, which follow. */
bool block_parse_header(uint64_t *count, struct cursor *cursor);

/* Nothing is left; else there is a defect. */
bool cursor_at_end(struct cursor *cursor);

size_t transaction_weight(const struct transaction *transaction);

/* Whether it makes new coins: it spends no output. */
bool transaction_is_coinbase(const struct transaction *transaction);

/* The outputs as they are serialized, without their number. */
struct bytes transaction_outputs(const struct transaction *transaction);

/* Write a number in Bitcoin's variable length; returns its bytes, at most 9. */
size_t compact_size_write(uint8_t out[9], uint64_t value);

#endif
