#include "bitcoin/der.h"

#include <string.h>

enum { TAG_INTEGER = 0x02, TAG_SEQUENCE = 0x30, NUMBER_BYTES = 32, LONG_FORM = 0x80, LENGTH_BYTES = 4 };

/* Step over the bytes of a length in its long form; they may say any length. */
static bool skip_sequence_length(struct bytes der, size_t *at) {
    if (*at == der.size)
        return false;
    size_t first = der.data[(*at)++];
    if (!(first & LONG_FORM))
        return true;
    first -= LONG_FORM;
    if (first > der.size - *at)
        return false;
    *at += first;
    return true;
}

static bool take_length(struct bytes der, size_t *at, size_t *length) {
    if (*at == der.size)
        return false;
    *length = der.data[(*at)++];
    if (!(*length & LONG_FORM))
        return true;
    size_t bytes = *length - LONG_FORM;
    if (bytes > der.size - *at)
        return false;
    for (; bytes && der.data[*at] == 0; bytes--)
        (*at)++;
    if (bytes >= LENGTH_BYTES)
        return false;
    for (*length = 0; bytes; bytes--)
        *length = *length << 8 | der.data[(*at)++];
    return true;
}

/* A number from 0 up, whatever its first bit is, without zeros before it. */
static bool take_integer(struct bytes der, size_t *at, struct bytes *number) {
    if (*at == der.size || der.data[(*at)++] != TAG_INTEGER || !take_length(der, at, &number->size) ||
        number->size > der.size - *at)
        return false;
    number->data = der.data + *at;
    *at += number->size;
    for (; number->size && number->data[0] == 0; number->size--)
        number->data++;
    return true;
}

static size_t write_integer(uint8_t *out, struct bytes number) {
    bool zero = number.size == 0 || number.data[0] & 0x80;
    size_t size = number.size + zero;
    out[0] = TAG_INTEGER;
    out[1] = (uint8_t)size;
    out[2] = 0;
    if (number.size)
        memcpy(out + 2 + zero, number.data, number.size);
    return 2 + size;
}

size_t bitcoin_der_strict(uint8_t out[STRICT_DER_BYTES], struct bytes lax) {
    struct bytes r, s;
    size_t at = 0;
    if (lax.size == 0 || lax.data[at++] != TAG_SEQUENCE || !skip_sequence_length(lax, &at) ||
        !take_integer(lax, &at, &r) || !take_integer(lax, &at, &s))
        return 0;
    if (r.size > NUMBER_BYTES || s.size > NUMBER_BYTES)
        r.size = s.size = 0;
    size_t size = 2;
    size += write_integer(out + size, r);
    size += write_integer(out + size, s);
    out[0] = TAG_SEQUENCE;
    out[1] = (uint8_t)(size - 2);
    return size;
}
