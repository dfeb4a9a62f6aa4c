#include "ledger/rlp.h"

enum {
    STRING = 0x80, /* of up to 55 bytes: STRING + its width; more: LONG_STRING + the bytes of its width less 1 */
    LIST = 0xc0,   /* the same */
    SHORT_MOST = 55,
    LONG = SHORT_MOST, /* STRING + LONG + n: the width has n bytes */
};

bool rlp_fail(const struct rlp *rlp, gecc_ethereum_reason reason, size_t position) {
    if (rlp->failure->reason == GECC_ETHEREUM_PARSED)
        *rlp->failure = (struct rlp_failure){reason, position};
    return false;
}

/* The width that the `bytes` bytes after a head's first say. */
static bool long_width(const struct rlp *rlp, size_t bytes, size_t *width) {
    size_t value = 0;
    if (bytes > rlp->end - rlp->at - 1)
        return rlp_fail(rlp, GECC_ETHEREUM_TOO_SHORT, rlp->at);
    if (rlp->data[rlp->at + 1] == 0)
        return rlp_fail(rlp, GECC_ETHEREUM_LENGTH, rlp->at);
    for (size_t i = 0; i < bytes; i++) {
        if (value > SIZE_MAX >> 8)
            return rlp_fail(rlp, GECC_ETHEREUM_TOO_SHORT, rlp->at);
        value = value << 8 | rlp->data[rlp->at + 1 + i];
    }
    if (value <= SHORT_MOST)
        return rlp_fail(rlp, GECC_ETHEREUM_LENGTH, rlp->at);
    *width = value;
    return true;
}

bool rlp_next(struct rlp *rlp, struct rlp_item *item) {
    *item = (struct rlp_item){.head = rlp->at, .at = rlp->at};
    if (rlp->failure->reason != GECC_ETHEREUM_PARSED)
        return false;
    if (!rlp_has_more(rlp))
        return rlp_fail(rlp, GECC_ETHEREUM_TOO_FEW, rlp->at);
    const uint8_t first = rlp->data[rlp->at];
    size_t head = 1, width = 0;
    const bool is_list = first >= LIST;
    if (first < STRING) {
        head = 0;
        width = 1;
    } else {
        width = (size_t)first - (is_list ? LIST : STRING);
        if (width > LONG) {
            head += width - LONG;
            if (!long_width(rlp, head - 1, &width))
                return false;
        }
    }
    if (width > rlp->end - rlp->at - head)
        return rlp_fail(rlp, GECC_ETHEREUM_TOO_SHORT, rlp->at);
    if (first == STRING + 1 && rlp->data[rlp->at + 1] < STRING)
        return rlp_fail(rlp, GECC_ETHEREUM_LENGTH, rlp->at);
    *item = (struct rlp_item){rlp->at, rlp->at + head, width, is_list};
    rlp->at += head + width;
    return true;
}

bool rlp_string(struct rlp *rlp, struct rlp_item *item) {
    if (!rlp_next(rlp, item))
        return false;
    return !item->is_list || rlp_fail(rlp, GECC_ETHEREUM_NO_STRING, item->head);
}

bool rlp_list(struct rlp *rlp, struct rlp *within) {
    struct rlp_item item;
    bool read = rlp_next(rlp, &item);
    *within = (struct rlp){rlp->data, item.at, item.at + item.width, rlp->failure};
    return read && (item.is_list || rlp_fail(rlp, GECC_ETHEREUM_NO_LIST, item.head));
}

bool rlp_bytes(struct rlp *rlp, struct rlp_item *item, size_t width) {
    if (!rlp_string(rlp, item))
        return false;
    return item->width == width || rlp_fail(rlp, GECC_ETHEREUM_WIDTH, item->head);
}

bool rlp_number(struct rlp *rlp, struct rlp_item *item, size_t most) {
    if (!rlp_string(rlp, item))
        return false;
    if (item->width != 0 && rlp->data[item->at] == 0)
        return rlp_fail(rlp, GECC_ETHEREUM_ZEROS, item->head);
    return item->width <= most || rlp_fail(rlp, GECC_ETHEREUM_NUMBER, item->head);
}

bool rlp_ends(const struct rlp *rlp) {
    if (rlp->failure->reason != GECC_ETHEREUM_PARSED)
        return false;
    return !rlp_has_more(rlp) || rlp_fail(rlp, GECC_ETHEREUM_TOO_MANY, rlp->at);
}

size_t rlp_write_list_head(uint8_t *out, size_t width) {
    size_t bytes = 0;
    if (width <= SHORT_MOST) {
        out[0] = (uint8_t)(LIST + width);
        return 1;
    }
    for (size_t rest = width; rest != 0; rest >>= 8)
        bytes++;
    out[0] = (uint8_t)(LIST + LONG + bytes);
    for (size_t i = 0; i < bytes; i++)
        out[1 + i] = (uint8_t)(width >> 8 * (bytes - 1 - i));
    return 1 + bytes;
}
