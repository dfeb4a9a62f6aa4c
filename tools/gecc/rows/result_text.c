#define _GNU_SOURCE /* mempcpy */

#include "rows/result_text.h"
#include "text/base64.h"
#include "text/hex.h"

#include <string.h>

char *number_put(char *out, uint64_t value) {
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *out++ = digits[--count];
    return out;
}

char *encoded_put(char *out, enum encoding encoding, const uint8_t *bytes, size_t width) {
    return encoding == ENCODING_HEX ? hex_encode(out, bytes, width)
                                    : base64_encode(out, bytes, width, encoding == ENCODING_BASE64URL);
}

char *point_put(char *out, enum encoding encoding, const uint8_t *bytes, size_t width, uint8_t status) {
    static const uint8_t infinity = 0; /* SEC 1, 2.3.3 */
    const bool is_infinite = status == GECC_ITEM_INFINITY;
    return encoded_put(out, encoding, is_infinite ? &infinity : bytes, is_infinite ? 1 : width);
}

char *result_put(char *out, const struct batch *batch, const struct row *row, size_t r, uint8_t status) {
    enum result_kind kind = batch->mapping->results[r].kind;
    if (row->slot == SLOT_NONE)
        return out;
    const uint8_t *bytes = batch->result[r] + row->slot * result_stride(kind);
    if (kind == RESULT_BYTES) {
        struct span span;
        memcpy(&span, bytes, sizeof span);
        bytes = batch->bytes + span.offset;
    }
    uint32_t width = batch->result_widths[r][row->slot];
    if (kind == RESULT_RECID)
        return width ? number_put(out, bytes[0]) : out;
    if (kind == RESULT_ADDRESS || kind == RESULT_JWK)
        return (char *)mempcpy(out, bytes, width);
    const enum encoding encoding = batch->options->encoding;
    return kind == RESULT_POINT ? point_put(out, encoding, bytes, width, status)
                                : encoded_put(out, encoding, bytes, width);
}
