#define _GNU_SOURCE /* memmem */

#include "keys/pem.h"
#include "text/base64.h"

#include <string.h>

static const char begin_mark[] = "-----BEGIN ", end_mark[] = "-----END ", dashes[] = "-----";

static const char *find(const char *text, const char *end, const char *mark) {
    return memmem(text, (size_t)(end - text), mark, strlen(mark));
}

bool pem_next(struct pem_block *block, const char **at, const char *end) {
    const char *begin = find(*at, end, begin_mark);
    if (!begin)
        return false;
    block->label = begin + strlen(begin_mark);
    const char *label_end = find(block->label, end, dashes);
    block->label_size = (size_t)((label_end ? label_end : end) - block->label);
    block->body = label_end ? label_end + strlen(dashes) : end;
    const char *next = find(block->body, end, begin_mark), *limit = next ? next : end;
    const char *last = find(block->body, limit, end_mark);
    const char *tail = last ? last + strlen(end_mark) : limit;
    size_t size = block->label_size;
    block->body_size = (size_t)((last ? last : limit) - block->body);
    block->ended = last && (size_t)(limit - tail) >= size + strlen(dashes) && memcmp(tail, block->label, size) == 0 &&
                   memcmp(tail + size, dashes, strlen(dashes)) == 0;
    *at = block->ended ? tail + size + strlen(dashes) : limit;
    return true;
}

bool pem_label_is(const struct pem_block *block, const char *label) {
    return block->label_size == strlen(label) && memcmp(block->label, label, block->label_size) == 0;
}

bool pem_take_encryption(struct pem_block *block, const char **header, size_t *header_size) {
    const char *const end = block->body + block->body_size, *at = block->body;
    if (!find(at, end, "4,ENCRYPTED"))
        return false;
    while (at < end && (*at == '\r' || *at == '\n'))
        at++;
    for (*header = at; at < end && *at != '\r' && *at != '\n';) { /* lines, up to one that is empty */
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    *header_size = (size_t)(at - *header);
    block->body = at;
    block->body_size = (size_t)(end - at);
    return true;
}

bool pem_decode(uint8_t *out, size_t *count, const struct pem_block *block) {
    size_t length = 0;
    for (size_t i = 0; i < block->body_size; i++) {
        const char c = block->body[i];
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            out[length++] = (uint8_t)c;
    }
    /* In place: bytes are written behind those being read. */
    return length && base64_decode(out, count, (const char *)out, length, false);
}
