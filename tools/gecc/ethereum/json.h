/* Transactions as JSON-RPC's objects have them, encoded as RLP again. */
#ifndef TOOL_ETHEREUM_JSON_H
#define TOOL_ETHEREUM_JSON_H

#include "rows/kept.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow at their end. */
struct bytes {
    uint8_t *data;
    size_t used, room;
    bool failed; /* there was not enough memory */
};

void bytes_put(struct bytes *bytes, const void *data, size_t count);
/* The bytes from `start` on get the head of an RLP list before them. */
void bytes_make_list(struct bytes *bytes, size_t start);
/* What the digits, with or without 0x, write; false: they are not hexadecimal, or odd. */
bool bytes_put_hex(struct bytes *bytes, const char *text, size_t digits);

/* Why there is no transaction, or not that which its record says; empty: nothing is wrong. Nothing in it needs an
 * escape. */
struct complaint {
    char text[240];
};

/* Complain, unless there was a reason before. Returns false. */
__attribute__((format(printf, 2, 3))) bool complain(struct complaint *complaint, const char *format, ...);

/* What a record says of a transaction that comes of its bytes as well, and has to be the same. */
struct told {
    bool has_hash, has_sender, has_type;
    uint8_t hash[32], sender[20], type;
};

/* The members that are read, in any object. */
enum member_name {
#define MEMBERS(X)                                                                                                     \
    X(type), X(chainId), X(nonce), X(gasPrice), X(maxPriorityFeePerGas), X(maxFeePerGas), X(gas), X(to), X(value),     \
        X(input), X(data), X(accessList), X(maxFeePerBlobGas), X(blobVersionedHashes), X(authorizationList), X(v),     \
        X(yParity), X(standardV), X(r), X(s), X(hash), X(from), X(sender), X(raw), X(transactions), X(jsonrpc), X(id), \
        X(result), X(error), X(address), X(storageKeys)
#define X(name) MEMBER_##name
    MEMBERS(X),
#undef X
    MEMBER_COUNT
};

struct object {
    struct json_member members[MEMBER_COUNT];
    uint64_t present; /* a bit for each, where it is neither missing nor null */
    uint64_t named;   /* where it is not missing */
    bool has_others;
};

static inline bool object_has(const struct object *object, enum member_name name) {
    return object->present >> name & 1;
}

/* Find the members of an object, which is valid JSON. false: one that is read is there twice. */
bool object_read(struct object *object, struct complaint *complaint, const char *text, size_t size);
/* What the object has besides the members of which `read` has a bit, to be kept. */
void object_keep(struct buffer *kept, result_list results, const char *text, size_t size, uint64_t read);

/* What hash, sender, from and (where it is a number) type say. */
bool object_tell(struct told *told, struct complaint *complaint, const struct object *object);
/* The same of one text, without quotation marks, of a hash or an address. An empty one says nothing. */
bool told_hash(struct told *told, struct complaint *complaint, const char *text, size_t size);
bool told_sender(struct told *told, struct complaint *complaint, const char *name, const char *text, size_t size);

/* Append the signed transaction that the object is; *read: the members that it is made of, or that were compared.
 * false: there is a complaint, and nothing is appended. */
bool ethereum_json_encode(struct bytes *bytes, struct complaint *complaint, uint64_t *read,
                          const struct object *object);

/* What is to be said of a type that is not read. */
const char *ethereum_type_text(unsigned type);

#endif
