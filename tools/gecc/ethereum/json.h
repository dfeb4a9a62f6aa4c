/* Transactions as JSON-RPC's objects have them, encoded as RLP again. */
#ifndef TOOL_ETHEREUM_JSON_H
#define TOOL_ETHEREUM_JSON_H

#include <jansson.h>
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

/* Append the signed transaction that the object is. NULL, or what is wrong with it; *name is then the member's name. */
const char *ethereum_json_encode(struct bytes *bytes, const json_t *object, const char **name);

#endif
