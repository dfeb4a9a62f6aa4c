/* Blocks of PEM (RFC 7468), with whatever text before, between and behind them. */
#ifndef TOOL_PEM_H
#define TOOL_PEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pem_block {
    const char *label;
    size_t label_size;
    const char *body; /* up to where it ends, or all that follows */
    size_t body_size;
    bool ended; /* by its own label */
};

/* The first block from *at on, which goes behind it. false: there is none. */
bool pem_next(struct pem_block *block, const char **at, const char *end);

bool pem_label_is(const struct pem_block *block, const char *label);

/* Where a header says that it is encrypted (RFC 1421, 4.6.1.1): *header is that, and the body what follows it. false:
 * it does not. */
bool pem_take_encryption(struct pem_block *block, const char **header, size_t *header_size);

/* out[at most body_size] = the bytes of its base64, which may be in lines. false: it is none. */
bool pem_decode(uint8_t *out, size_t *count, const struct pem_block *block);

#endif
