#include <stdlib.h>
#include <string.h>

#include "ledger/call.h"

/* Authorizations that are recovered at once, unless one row has more. The body of one is a chain id, an address and a
 * nonce with their heads. */
enum { BATCH = 1 << 18, BODY_MOST = 33 + 21 + 9, PREIMAGE_MOST = 1 + RLP_HEAD_MOST + BODY_MOST };

/* Those of rows first_row and after: `count` from number `first` on. */
struct batch {
    const struct ledger_call *call;
    const uint64_t *offsets;
    struct pool *pool;
    size_t first_row, first, count, room;
    uint8_t (*preimages)[PREIMAGE_MOST], (*signatures)[SIGNATURE_BYTES];
    uint32_t *widths;
};

/* The offsets are the library's own until all is counted: the caller's memory may change. */
struct counting {
    const struct ledger_call *call;
    uint64_t *offsets;
};

/* offsets[i + 1] = how many authorizations row i has. */
static void count_rows(void *argument, size_t first, size_t end) {
    const struct counting *counting = argument;
    struct transaction transaction;
    for (size_t i = first; i < end; i++) {
        size_t width;
        const uint8_t *data = rows_at(&counting->call->transactions, i, &width);
        bool may_have = width != 0 && data[0] == 4;
        bool has = may_have && transaction_read(&transaction, data, width, counting->call->options.chain_id);
        counting->offsets[i + 1] = has ? transaction.authorization_count : 0;
    }
}

static void count_all(const struct ledger_call *call, struct pool *pool, uint64_t *offsets) {
    struct counting counting = {call, offsets};
    ledger_for(pool, call->count, count_rows, &counting);
    offsets[0] = 0;
    for (size_t i = 0; i < call->count; i++)
        offsets[i + 1] += offsets[i];
}

/* The authorizations of a row, as many as were counted, to the batch. Those that the row has lost since then get a
 * signature that is refused. */
static void read_row(const struct batch *batch, size_t row) {
    struct transaction transaction;
    size_t width;
    const uint8_t *data = rows_at(&batch->call->transactions, row, &width);
    (void)transaction_read(&transaction, data, width, batch->call->options.chain_id);
    const struct part part = transaction.authorizations;
    struct rlp list = {data, part.at, part.at + part.width, &transaction.failure};
    for (size_t at = batch->offsets[row] - batch->first; at < batch->offsets[row + 1] - batch->first; at++) {
        struct signing signing;
        if (!authorization_read(&list, &signing))
            signing = (struct signing){.prefix_bytes = 0};
        signing_write(batch->preimages[at], &signing, data);
        batch->widths[at] = (uint32_t)signing_bytes(&signing);
        memcpy(batch->signatures[at], signing.signature, SIGNATURE_BYTES);
    }
}

static void read_rows(void *argument, size_t first, size_t end) {
    const struct batch *batch = argument;
    for (size_t i = batch->first_row + first; i < batch->first_row + end; i++)
        if (batch->offsets[i + 1] != batch->offsets[i])
            read_row(batch, i);
}

static gecc_result recover(struct ledger_call *call, const struct batch *batch, gecc_out authority, gecc_out status) {
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_rows preimages = gecc_rows_packed(batch->preimages, PREIMAGE_MOST);
    preimages.widths = batch->widths;
    options.flags = GECC_LOW_S;
    options.report = &report;
    gecc_result result = gecc_ethereum_recover_message(
        call->call.context, out_from(authority, batch->first), out_from(status, batch->first), preimages,
        gecc_rows_packed(batch->signatures, SIGNATURE_BYTES), batch->count, &options);
    ledger_add_report(call, &report);
    return result;
}

/* Room for BATCH of them, or for all, or for those of the row that has most. */
static bool batch_allocate(struct batch *batch, size_t rows) {
    const uint64_t *offsets = batch->offsets;
    batch->room = offsets[rows] < BATCH ? (size_t)offsets[rows] + 1 : BATCH;
    for (size_t i = 0; i < rows; i++)
        if (offsets[i + 1] - offsets[i] > batch->room)
            batch->room = offsets[i + 1] - offsets[i];
    batch->preimages = malloc(batch->room * sizeof *batch->preimages);
    batch->signatures = malloc(batch->room * sizeof *batch->signatures);
    batch->widths = malloc(batch->room * sizeof *batch->widths);
    return batch->preimages != NULL && batch->signatures != NULL && batch->widths != NULL;
}

/* Those of the first rows, batch after batch; of none too, for the report. */
static gecc_result recover_all(struct ledger_call *call, struct batch *batch, size_t rows, gecc_out authority,
                               gecc_out status) {
    gecc_result result = GECC_OK;
    if (!batch_allocate(batch, rows))
        result = gecc_error(GECC_ERROR_MEMORY, "not enough memory for %zu authorizations", batch->room);
    for (bool is_last = false; result == GECC_OK && !is_last;) {
        size_t end = batch->first_row;
        while (end < rows && batch->offsets[end + 1] - batch->first <= batch->room)
            end++;
        batch->count = batch->offsets[end] - batch->first;
        ledger_for(batch->pool, end - batch->first_row, read_rows, batch);
        result = recover(call, batch, authority, status);
        batch->first_row = end;
        batch->first = batch->offsets[end];
        is_last = end == rows;
    }
    for (size_t i = 0; i < batch->offsets[rows] && result != GECC_OK; i++)
        if (authority.data != NULL && ((const uint8_t *)status.data)[i * status.stride] == GECC_ITEM_NOT_PROCESSED)
            memset((uint8_t *)authority.data + i * authority.stride, 0, GECC_ADDRESS_BYTES);
    free(batch->preimages);
    free(batch->signatures);
    free(batch->widths);
    return result;
}

/* Count, give the caller the offsets, and recover, if more than counts are asked for. */
static gecc_result run(struct ledger_call *call, struct pool *pool, uint64_t *own, uint64_t *offsets,
                       gecc_out authority, gecc_out status, size_t capacity) {
    const size_t count = call->count;
    const bool only_counts = capacity == 0 && authority.data == NULL;
    struct batch batch = {.call = call, .offsets = own, .pool = pool};
    count_all(call, pool, own);
    memcpy(offsets, own, (count + 1) * sizeof *own);
    if (!only_counts && own[count] > capacity)
        return gecc_error(GECC_ERROR_ARGUMENT, "capacity: there are %llu authorizations, and room for %zu",
                          (unsigned long long)own[count], capacity);
    return recover_all(call, &batch, only_counts ? 0 : count, authority, status);
}

gecc_result gecc_ethereum_authorities(gecc_context *context, uint64_t *offsets, gecc_out authority, gecc_out status,
                                      size_t capacity, gecc_rows transactions, size_t count,
                                      const gecc_ethereum_options *options) {
    struct ledger_call call;
    ledger_take(&call, "ethereum.authorities", context, status, capacity, transactions, count, options);
    if (offsets == NULL)
        refuse(&call.call, "offsets is NULL");
    gecc_take_from_host(&call.call, "offsets", offsets);
    ledger_take_output(&call, "authority", authority, capacity, GECC_ADDRESS_BYTES, false);
    if (call.call.result != GECC_OK || offsets == NULL) /* the latter is for clang-tidy: the call was refused then */
        return call.call.result;
    uint64_t *own = malloc((count + 1) * sizeof *own);
    if (own == NULL)
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory to count the authorizations of %zu rows", count);
    struct pool *pool = ledger_pool(&call);
    gecc_result result = run(&call, pool, own, offsets, authority, status, capacity);
    if (pool != NULL)
        gecc_pool_close(pool);
    free(own);
    return ledger_finish(&call, result);
}
