/* The types of typed data (EIP-712): the atomic ones, arrays, and the structs that a document defines. */
#ifndef TOOL_TYPED_TYPES_H
#define TOOL_TYPED_TYPES_H

#include "text/json_names.h"
#include "text/json_slice.h"
#include "text/hash.h"

enum typed_kind {
    TYPED_BOOL,
    TYPED_ADDRESS,
    TYPED_STRING,
    TYPED_BYTES,
    TYPED_FIXED,
    TYPED_UINT,
    TYPED_INT,
    TYPED_STRUCT
};

enum {
    MOST_STRUCTS = MOST_JSON_NAMES,
    MOST_FIELDS = MOST_JSON_NAMES,
    MOST_DIMENSIONS = 8,
    MOST_TYPES_BYTES = 64 << 10 /* of `types`: each struct's hash may be of all of it */
};

struct typed_type {
    enum typed_kind kind;
    unsigned size; /* bytes of TYPED_FIXED, bits of numbers, which struct */
    unsigned dimensions;
    uint32_t counts[MOST_DIMENSIONS]; /* of elements, in the order in which they are written; 0: any number */
};

struct typed_field {
    struct slice name, type_text;
    struct typed_type type;
};

struct typed_struct {
    struct slice name;
    struct typed_field *fields; /* [count] */
    size_t count;
    bool has_hash;
    uint8_t hash[HASH_BYTES]; /* typeHash */
};

struct typed_types {
    struct arena *arena; /* texts without escapes, and fields */
    struct typed_struct structs[MOST_STRUCTS];
    size_t count;
};

/* The member `types`; begin with an arena and count 0. NULL, or why it cannot be read. */
const char *typed_types_read(struct typed_types *types, const struct json_member *member);
/* NULL: there is no struct of that name. */
struct typed_struct *typed_struct_find(struct typed_types *types, struct slice name);
/* The hash of encodeType. */
const uint8_t *typed_struct_hash(struct typed_types *types, struct typed_struct *of);

#endif
