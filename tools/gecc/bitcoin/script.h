/* What an input's scripts ask for: which signatures over what, under which keys; and the operations of scripts. */
#ifndef TOOL_BITCOIN_SCRIPT_H
#define TOOL_BITCOIN_SCRIPT_H

#include "bitcoin/transaction.h"

enum {
    MAX_KEY_BYTES = 65,
    XONLY_BYTES = 32,
    MAX_MULTISIG_KEYS = 20,
    MAX_HASH_CHECKS = 3, /* a key in a script in a witness program in p2sh */
    CONTROL_BYTES = 33,  /* of a control block without a path */
    HASH160_BYTES = 20,
    MAX_ELEMENT_BYTES = 520 /* of a stack */
};

/* What a signature is over. */
enum digest_rule {
    DIGEST_LEGACY,     /* the first rule, with a copy of the transaction for each input */
    DIGEST_WITNESS_V0, /* BIP-143 */
    DIGEST_TAPROOT,    /* BIP-341, of a key path */
    DIGEST_TAPSCRIPT   /* BIP-342, of a script path */
};

enum spend_state {
    SPEND_OPEN, /* signatures, and hashes, decide */
    SPEND_INVALID,
    SPEND_NOT_COVERED
};

/* A hash that an output names. */
struct hash_check {
    bool ripemd; /* HASH160, else SHA-256 */
    struct bytes message;
    const uint8_t *expected; /* [HASH160_BYTES], or [32] */
    const char *reason;      /* what is wrong where it differs */
};

struct spend {
    const char *kind; /* "p2wpkh" */
    enum spend_state state;
    const char *reason; /* where the state is not SPEND_OPEN */
    uint32_t height;    /* of its block */
    enum digest_rule rule;

    /* Each signature is of a later key than the one before it, and all of them are needed. */
    const struct bytes *signatures; /* [signature_count], each with its hash type; may be empty */
    size_t signature_count;
    const struct bytes *keys; /* [key_count] as they stand; of Taproot x alone */
    size_t key_count;

    struct bytes script_code; /* of ECDSA */
    struct hash_check checks[MAX_HASH_CHECKS];
    size_t check_count;

    struct bytes annex;        /* of Taproot, with its first byte; data NULL: none */
    struct bytes leaf_script;  /* of a script path */
    struct bytes control;      /* its control block */
    const uint8_t *output_key; /* of Taproot, [XONLY_BYTES] */
};

/* From which blocks of mainnet on signatures are strict DER, and the element that OP_CHECKMULTISIG drops is empty. */
enum { HEIGHT_BIP66 = 363725, HEIGHT_BIP147 = 481824, HEIGHT_LATEST = INT32_MAX };

/* What a script finds when it starts: the last element is on top. */
struct stack {
    const struct bytes *elements;
    size_t count;
};

/* Nothing else decides. Returns true. */
bool spend_close(struct spend *spend, enum spend_state state, const char *reason);

/* The next operation of a script: its opcode and, of a push, the bytes that are pushed. */
struct operation {
    uint8_t opcode;
    bool push;
    struct bytes data;
};

/* false: there is none, or (*broken) the script ends within it. */
bool script_next(struct bytes script, size_t *at, struct operation *operation, bool *broken);

/* Does the operation at `at` push that data, written as the interpreter writes it? */
bool script_pushes(struct bytes script, size_t at, struct bytes data);

/* Write the script without the pushes of the signatures that are written as the interpreter writes them, and without
 * OP_CODESEPARATOR (FindAndDelete and the serialization of the first rule). out: script.size bytes. Returns its
 * size. */
size_t script_clean(uint8_t *out, struct bytes script, const struct bytes *signatures, size_t signature_count);

#endif
