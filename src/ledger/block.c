#include "api/error.h"
#include "ledger/rlp.h"

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

/* A transaction of type 0x00 is a list, of which all is the transaction; another is in a string. */
static bool read_transactions(struct rlp *rlp, uint64_t *offsets, uint32_t *widths, size_t capacity, size_t *count) {
    struct rlp items;
    struct rlp_item item;
    bool read = rlp_list(rlp, &items);
    for (*count = 0; read && rlp_has_more(&items); ++*count) {
        read = rlp_next(&items, &item);
        size_t at = item.is_list ? item.head : item.at, width = item.at + item.width - at;
        if (read && width > UINT32_MAX)
            read = rlp_fail(&items, GECC_ETHEREUM_WIDTH, item.head);
        if (*count >= capacity)
            continue;
        offsets[*count] = at;
        widths[*count] = (uint32_t)width;
    }
    return read;
}

gecc_result gecc_ethereum_block_transactions(uint64_t *offsets, uint32_t *widths, size_t capacity, size_t *count,
                                             const void *block, size_t bytes) {
    struct rlp_failure failure = {GECC_ETHEREUM_PARSED, 0};
    struct rlp rlp = {block, 0, bytes, &failure}, items, header;
    struct rlp_item rest;
    if (count == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "count is NULL");
    *count = 0;
    if (block == NULL && bytes != 0)
        return gecc_error(GECC_ERROR_ARGUMENT, "block is NULL");
    if (capacity != 0 && (offsets == NULL || widths == NULL))
        return gecc_error(GECC_ERROR_ARGUMENT, "%s is NULL", offsets == NULL ? "offsets" : "widths");
    bool read = rlp_list(&rlp, &items) && rlp_ends(&rlp) && rlp_list(&items, &header) &&
                read_transactions(&items, offsets, widths, capacity, count);
    while (read && rlp_has_more(&items))
        read = rlp_next(&items, &rest);
    if (read)
        return GECC_OK;
    *count = 0;
    return gecc_error(GECC_ERROR_ARGUMENT, "block: at byte %zu %s", failure.position,
                      gecc_ethereum_reason_text((uint8_t)failure.reason));
}
