/* Transactions and blocks of any bytes: nothing beyond them is read, what is wrong is within them, and what is read as
 * a transaction is written again, byte for byte, from what was found in it. */
#include "ledger/transaction.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUMBER_BYTES = 32, ROWS = 64 };

/* The number as an item; returns its width. */
static size_t write_number(uint8_t *out, const uint8_t *number, size_t width) {
    while (width != 0 && *number == 0) {
        number++;
        width--;
    }
    if (width == 1 && *number < 0x80) {
        out[0] = *number;
        return 1;
    }
    out[0] = (uint8_t)(0x80 + width);
    memcpy(out + 1, number, width);
    return 1 + width;
}

/* The list of body, parity, r and s; legacy transactions write v in other ways, and what no v stands for is not
 * kept. */
static void check_written_again(const struct transaction *transaction, const uint8_t *data) {
    const struct signing *signing = &transaction->signing;
    const uint8_t *parity = &signing->signature[2 * NUMBER_BYTES];
    uint8_t tail[3 * (1 + NUMBER_BYTES)], head[RLP_HEAD_MOST];
    size_t width = write_number(tail, parity, 1);
    width += write_number(tail + width, signing->signature, NUMBER_BYTES);
    width += write_number(tail + width, signing->signature + NUMBER_BYTES, NUMBER_BYTES);
    size_t head_width = rlp_write_list_head(head, signing->body.width + width);
    REQUIRE(transaction->core.width == head_width + signing->body.width + width);
    REQUIRE(memcmp(data + transaction->core.at, head, head_width) == 0);
    REQUIRE(transaction->core.at + head_width == signing->body.at);
    REQUIRE(memcmp(data + signing->body.at + signing->body.width, tail, width) == 0);
}

static void check_authorizations(struct transaction *transaction, const uint8_t *data) {
    struct part part = transaction->authorizations;
    struct rlp list = {data, part.at, part.at + part.width, &transaction->failure};
    struct signing signing;
    size_t count = 0;
    for (; rlp_has_more(&list); count++) {
        authorization_read(&list, &signing);
        REQUIRE(transaction->failure.reason == GECC_ETHEREUM_PARSED && signing.body.at + signing.body.width <= list.at);
    }
    REQUIRE(count == transaction->authorization_count);
}

static void check_transaction(const uint8_t *data, size_t size, uint64_t chain_id) {
    struct transaction transaction;
    bool read = transaction_read(&transaction, data, size, chain_id);
    REQUIRE(read == (transaction.failure.reason == GECC_ETHEREUM_PARSED));
    REQUIRE(transaction.failure.position <= size);
    if (!read) {
        return;
    }
    size_t width = signing_bytes(&transaction.signing);
    REQUIRE(width <= size + PREIMAGE_MORE && transaction.core.at + transaction.core.width <= size);
    uint8_t *preimage = malloc(width);
    signing_write(preimage, &transaction.signing, data);
    free(preimage);
    if (transaction.type != 0 && transaction.signing.signature[2 * NUMBER_BYTES] < 2) {
        check_written_again(&transaction, data);
    }
    check_authorizations(&transaction, data);
}

static void check_block(const uint8_t *data, size_t size) {
    uint64_t offsets[ROWS];
    uint32_t widths[ROWS];
    size_t count;
    if (gecc_ethereum_block_transactions(offsets, widths, ROWS, &count, data, size) != GECC_OK) {
        REQUIRE(count == 0);
        return;
    }
    for (size_t i = 0; i < count && i < ROWS; i++) {
        REQUIRE(offsets[i] + widths[i] <= size);
        check_transaction(data + offsets[i], widths[i], 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size); /* so that a byte beyond it is seen */
    if (size != 0) {
        memcpy(copy, data, size);
    }
    check_transaction(copy, size, 0);
    check_transaction(copy, size, 1);
    check_block(copy, size);
    free(copy);
    return 0;
}
