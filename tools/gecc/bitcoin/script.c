#include "bitcoin/script.h"
#include "bitcoin/opcodes.h"

#include <string.h>

bool spend_close(struct spend *spend, enum spend_state state, const char *reason) {
    spend->state = state;
    spend->reason = reason;
    return true;
}

/* How many bytes of a length follow a push's opcode. */
static size_t length_bytes(uint8_t opcode) {
    return opcode == OP_PUSHDATA1 ? 1 : opcode == OP_PUSHDATA2 ? 2 : opcode == OP_PUSHDATA4 ? 4 : 0;
}

/* The numbers that opcodes push, -1 (0x81) first. */
static const uint8_t small_numbers[] = {0x81, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

bool script_next(struct bytes script, size_t *at, struct operation *operation, bool *broken) {
    *broken = false;
    if (*at >= script.size)
        return false;
    uint8_t opcode = script.data[(*at)++];
    *operation = (struct operation){opcode, opcode <= OP_16 && opcode != OP_RESERVED, {script.data + *at, 0}};
    if (opcode >= OP_1NEGATE) {
        if (operation->push)
            operation->data = (struct bytes){&small_numbers[opcode - OP_1NEGATE], 1};
        return true;
    }
    size_t size = opcode, bytes = length_bytes(opcode);
    *broken = script.size - *at < bytes;
    if (*broken)
        return false;
    if (bytes)
        size = 0;
    for (size_t i = bytes; i--;)
        size = size << 8 | script.data[*at + i];
    *at += bytes;
    *broken = script.size - *at < size;
    if (*broken)
        return false;
    operation->data = (struct bytes){script.data + *at, size};
    *at += size;
    return true;
}

/* The bytes of a push as the interpreter writes one, before what is pushed. */
static size_t push_header(uint8_t out[5], size_t size) {
    size_t bytes = size < OP_PUSHDATA1 ? 0 : size <= 0xff ? 1 : size <= 0xffff ? 2 : 4;
    out[0] = (uint8_t)(bytes == 0 ? size : bytes == 1 ? OP_PUSHDATA1 : bytes == 2 ? OP_PUSHDATA2 : OP_PUSHDATA4);
    for (size_t i = 0; i < bytes; i++)
        out[1 + i] = (uint8_t)(size >> 8 * i);
    return 1 + bytes;
}

bool script_pushes(struct bytes script, size_t at, struct bytes data) {
    uint8_t header[5];
    size_t size = push_header(header, data.size);
    return script.size - at >= size + data.size && memcmp(script.data + at, header, size) == 0 &&
           (data.size == 0 || memcmp(script.data + at + size, data.data, data.size) == 0);
}

/* Take the pushes of the data away, where an operation starts (FindAndDelete). In place. */
static size_t delete_pushes(uint8_t *script, size_t size, struct bytes data) {
    uint8_t header[5];
    struct bytes source = {script, size};
    struct operation operation;
    size_t push = push_header(header, data.size) + data.size, kept = 0, start = 0, at = 0;
    bool broken;
    for (;;) {
        while (script_pushes(source, at, data)) {
            memmove(script + kept, script + start, at - start);
            kept += at - start;
            start = at += push;
        }
        if (!script_next(source, &at, &operation, &broken))
            break;
    }
    memmove(script + kept, script + start, size - start);
    return kept + size - start;
}

static size_t delete_separators(uint8_t *script, size_t size) {
    struct bytes source = {script, size};
    struct operation operation;
    size_t kept = 0, at = 0, start = 0;
    bool broken;
    while (script_next(source, &at, &operation, &broken)) {
        if (operation.opcode == OP_CODESEPARATOR) {
            memmove(script + kept, script + start, at - 1 - start);
            kept += at - 1 - start;
            start = at;
        }
    }
    memmove(script + kept, script + start, size - start);
    return kept + size - start;
}

size_t script_clean(uint8_t *out, struct bytes script, const struct bytes *signatures, size_t signature_count) {
    size_t size = script.size;
    if (size)
        memcpy(out, script.data, size);
    for (size_t i = 0; i < signature_count; i++)
        size = delete_pushes(out, size, signatures[i]);
    return delete_separators(out, size);
}
