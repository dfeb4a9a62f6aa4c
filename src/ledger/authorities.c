#include <stdlib.h>
#include <string.h>

#include "ledger/call.h"

/* Authorizations that are recovered at once. The body of one is a chain id, an address and a nonce with their heads. */
enum { BATCH = 4096, BODY_MOST = 33 + 21 + 9, PREIMAGE_MOST = 1 + RLP_HEAD_MOST + BODY_MOST };

struct batch {
    struct ledger_call *call;
    gecc_out authority, status;
    size_t first, count; /* rows of authority */
    uint8_t preimages[BATCH][PREIMAGE_MOST], digests[BATCH][DIGEST_BYTES], signatures[BATCH][SIGNATURE_BYTES];
    uint8_t statuses[BATCH];
    uint32_t widths[BATCH];
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

static void count_all(const struct ledger_call *call, uint64_t *offsets) {
    struct counting counting = {call, offsets};
    struct crew crew;
    crew_open(&crew, ledger_threads(call));
    crew_run(&crew, count_rows, &counting, call->count);
    crew_close(&crew);
    offsets[0] = 0;
    for (size_t i = 0; i < call->count; i++)
        offsets[i + 1] += offsets[i];
}

static gecc_result batch_recover(struct batch *batch) {
    gecc_context *context = batch->call->call.context;
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_rows preimages = gecc_rows_packed(batch->preimages, PREIMAGE_MOST);
    preimages.widths = batch->widths;
    options.flags = GECC_LOW_S;
    options.report = &report;
    gecc_result result = gecc_digest(context, GECC_KECCAK256, gecc_out_packed(batch->digests, DIGEST_BYTES),
                                     gecc_out_packed(batch->statuses, 1), preimages, batch->count, NULL);
    if (result == GECC_OK)
        result =
            gecc_ethereum_recover(context, out_from(batch->authority, batch->first),
                                  out_from(batch->status, batch->first), gecc_rows_packed(batch->digests, DIGEST_BYTES),
                                  gecc_rows_packed(batch->signatures, SIGNATURE_BYTES), batch->count, &options);
    ledger_add_report(batch->call, &report);
    batch->first += batch->count;
    batch->count = 0;
    return result;
}

/* The authorizations of a row, `count` when they were counted, to the batch, which is recovered whenever it is full.
 * Those that a row has lost since then get a signature that is refused. */
static gecc_result batch_add(struct batch *batch, size_t row, uint64_t count) {
    struct transaction transaction;
    size_t width;
    gecc_result result = GECC_OK;
    const uint8_t *data = rows_at(&batch->call->transactions, row, &width);
    (void)transaction_read(&transaction, data, width, batch->call->options.chain_id);
    const struct part part = transaction.authorizations;
    struct rlp list = {data, part.at, part.at + part.width, &transaction.failure};
    for (; count != 0 && result == GECC_OK; count--) {
        struct signing signing;
        if (!authorization_read(&list, &signing))
            signing = (struct signing){.prefix_bytes = 0};
        signing_write(batch->preimages[batch->count], &signing, data);
        batch->widths[batch->count] = (uint32_t)signing_bytes(&signing);
        memcpy(batch->signatures[batch->count], signing.signature, SIGNATURE_BYTES);
        if (++batch->count == BATCH)
            result = batch_recover(batch);
    }
    return result;
}

/* Those of the first rows; of none too, for what the report says. */
static gecc_result recover_all(struct ledger_call *call, const uint64_t *offsets, size_t rows, gecc_out authority,
                               gecc_out status) {
    struct batch *batch = malloc(sizeof *batch);
    gecc_result result = GECC_OK;
    if (batch == NULL)
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory for authorizations");
    batch->call = call;
    batch->authority = authority;
    batch->status = status;
    batch->first = batch->count = 0;
    for (size_t i = 0; i < rows && result == GECC_OK; i++)
        if (offsets[i + 1] != offsets[i])
            result = batch_add(batch, i, offsets[i + 1] - offsets[i]);
    if (result == GECC_OK && (batch->count != 0 || batch->first == 0))
        result = batch_recover(batch);
    for (size_t i = batch->first; i < offsets[rows] && result != GECC_OK; i++)
        if (authority.data != NULL && ((const uint8_t *)status.data)[i * status.stride] == GECC_ITEM_NOT_PROCESSED)
            memset((uint8_t *)authority.data + i * authority.stride, 0, GECC_ADDRESS_BYTES);
    free(batch);
    return result;
}

/* Count, give the caller the offsets, and recover, if more than counts are asked for. */
static gecc_result run(struct ledger_call *call, uint64_t *own, uint64_t *offsets, gecc_out authority, gecc_out status,
                       size_t capacity) {
    const size_t count = call->count;
    const bool only_counts = capacity == 0 && authority.data == NULL;
    count_all(call, own);
    memcpy(offsets, own, (count + 1) * sizeof *own);
    if (!only_counts && own[count] > capacity)
        return gecc_error(GECC_ERROR_ARGUMENT, "capacity: there are %llu authorizations, and room for %zu",
                          (unsigned long long)own[count], capacity);
    return recover_all(call, own, only_counts ? 0 : count, authority, status);
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
    gecc_result result = run(&call, own, offsets, authority, status, capacity);
    free(own);
    return ledger_finish(&call, result);
}
