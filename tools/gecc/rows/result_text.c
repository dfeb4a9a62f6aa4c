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

char *result_put(char *out, const struct batch *batch, const struct row *row, size_t r, uint8_t status) {
    enum result_kind kind = batch->mapping->results[r].kind;
    if (row->slot == SLOT_NONE)
        return out;
    if (status == GECC_ITEM_INFINITY && kind == RESULT_POINT)
        return stpcpy(out, batch->options->encoding == ENCODING_HEX      ? "00"
                           : batch->options->encoding == ENCODING_BASE64 ? "AA=="
                                                                         : "AA");
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
    enum encoding encoding = batch->options->encoding;
    return encoding == ENCODING_HEX ? hex_encode(out, bytes, width)
                                    : base64_encode(out, bytes, width, encoding == ENCODING_BASE64URL);
}
