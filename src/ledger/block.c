#include "api/error.h"
#include "ledger/rlp.h"

enum { HASH = 32, TYPES = 0x80 };

const char *gecc_ethereum_reason_text(uint8_t reason) {
    switch (reason) {
#define GECC_X(name, value, text)                                                                                      \
    case name:                                                                                                         \
        return text;
        GECC_ETHEREUM_REASON_LIST(GECC_X)
#undef GECC_X
    default:
        return "unknown reason";
    }
}

/* The header: the hash of the parent's, and other strings. */
static bool read_header(struct rlp *rlp) {
    struct rlp header;
    struct rlp_item item;
    bool read = rlp_list(rlp, &header) && rlp_bytes(&header, &item, HASH);
    while (read && rlp_has_more(&header))
        read = rlp_string(&header, &item);
    return read;
}

/* A transaction of type 0x00 is a list, of which all is the transaction; another is in a string that its type begins, a
 * byte below 0x80 (EIP-2718). */
static bool read_transaction(struct rlp *rlp, struct rlp_item *item) {
    if (!rlp_next(rlp, item))
        return false;
    if (item->is_list)
        item->width += item->at - item->head, item->at = item->head;
    else if (item->width == 0)
        return rlp_fail(rlp, GECC_ETHEREUM_EMPTY, item->head);
    else if (rlp->data[item->at] >= TYPES)
        return rlp_fail(rlp, GECC_ETHEREUM_TYPE, item->at);
    return item->width <= UINT32_MAX || rlp_fail(rlp, GECC_ETHEREUM_WIDTH, item->head);
}

static bool read_transactions(struct rlp *rlp, uint64_t *offsets, uint32_t *widths, size_t capacity, size_t *count) {
    struct rlp items;
    struct rlp_item item;
    bool read = rlp_list(rlp, &items);
    for (*count = 0; read && rlp_has_more(&items); ++*count) {
        read = read_transaction(&items, &item);
        if (*count >= capacity)
            continue;
        offsets[*count] = item.at;
        widths[*count] = (uint32_t)item.width;
    }
    return read;
}

gecc_result gecc_ethereum_block_transactions(uint64_t *offsets, uint32_t *widths, size_t capacity, size_t *count,
                                             const void *block, size_t bytes) {
    struct rlp_failure failure = {GECC_ETHEREUM_PARSED, 0};
    struct rlp rlp = {block, 0, bytes, &failure}, items, uncles;
    struct rlp_item rest;
    if (count == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "count is NULL");
    *count = 0;
    if (block == NULL && bytes != 0)
        return gecc_error(GECC_ERROR_ARGUMENT, "block is NULL");
    if (capacity != 0 && (offsets == NULL || widths == NULL))
        return gecc_error(GECC_ERROR_ARGUMENT, "%s is NULL", offsets == NULL ? "offsets" : "widths");
    bool read = rlp_list(&rlp, &items) && rlp_ends(&rlp) && read_header(&items) &&
                read_transactions(&items, offsets, widths, capacity, count) && rlp_list(&items, &uncles);
    while (read && rlp_has_more(&items))
        read = rlp_next(&items, &rest);
    if (read)
        return GECC_OK;
    *count = 0;
    return gecc_error(GECC_ERROR_ARGUMENT, "block: at byte %zu %s", failure.position,
                      gecc_ethereum_reason_text((uint8_t)failure.reason));
}
