#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/error.h"
#include "ledger/call.h"

/* Authorizations that are recovered at once. The body of one is a chain id, an address and a nonce with their heads. */
enum { BATCH = 4096, BODY_MOST = 33 + 21 + 9, PREIMAGE_MOST = 1 + RLP_HEAD_MOST + BODY_MOST };

struct batch {
    const struct ledger_call *call;
    gecc_out authority, status;
    size_t first, count; /* rows of authority */
    uint8_t preimages[BATCH][PREIMAGE_MOST], digests[BATCH][DIGEST_BYTES], signatures[BATCH][SIGNATURE_BYTES];
    uint8_t statuses[BATCH];
    uint32_t widths[BATCH];
};

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
    gecc_context *context = batch->call->context;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_rows preimages = gecc_rows_packed(batch->preimages, PREIMAGE_MOST);
    preimages.widths = batch->widths;
    options.flags = GECC_LOW_S;
    options.report = batch->call->options.report;
    gecc_result result = gecc_digest(context, GECC_KECCAK256, gecc_out_packed(batch->digests, DIGEST_BYTES),
                                     gecc_out_packed(batch->statuses, 1), preimages, batch->count, NULL);
    if (result == GECC_OK)
        result =
            gecc_ethereum_recover(context, out_from(batch->authority, batch->first),
                                  out_from(batch->status, batch->first), gecc_rows_packed(batch->digests, DIGEST_BYTES),
                                  gecc_rows_packed(batch->signatures, SIGNATURE_BYTES), batch->count, &options);
    batch->first += batch->count;
    batch->count = 0;
    return result;
}

/* The authorizations of a row to the batch, which is recovered whenever it is full. */
static gecc_result batch_add(struct batch *batch, size_t row) {
    struct transaction transaction;
    struct signing signing;
    size_t width;
    gecc_result result = GECC_OK;
    const uint8_t *data = rows_at(&batch->call->transactions, row, &width);
    (void)transaction_read(&transaction, data, width, batch->call->options.chain_id);
    const struct part part = transaction.authorizations;
    struct rlp list = {data, part.at, part.at + part.width, &transaction.failure};
    while (result == GECC_OK && rlp_has_more(&list)) {
        authorization_read(&list, &signing);
        signing_write(batch->preimages[batch->count], &signing, data);
        batch->widths[batch->count] = (uint32_t)signing_bytes(&signing);
        memcpy(batch->signatures[batch->count], signing.signature, SIGNATURE_BYTES);
        if (++batch->count == BATCH)
            result = batch_recover(batch);
    }
    return result;
}

static gecc_result recover_all(const struct ledger_call *call, const uint64_t *offsets, gecc_out authority,
                               gecc_out status) {
    struct batch *batch = malloc(sizeof *batch);
    gecc_result result = GECC_OK;
    if (batch == NULL)
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory for authorizations");
    batch->call = call;
    batch->authority = authority;
    batch->status = status;
    batch->first = batch->count = 0;
    for (size_t i = 0; i < call->count && result == GECC_OK; i++)
        if (offsets[i + 1] != offsets[i])
            result = batch_add(batch, i);
    if (result == GECC_OK && batch->count != 0)
        result = batch_recover(batch);
    free(batch);
    return result;
}

gecc_result gecc_ethereum_authorities(gecc_context *context, uint64_t *offsets, gecc_out authority, gecc_out status,
                                      size_t capacity, gecc_rows transactions, size_t count,
                                      const gecc_ethereum_options *options) {
    struct ledger_call call;
    gecc_call_clear(context, status, capacity);
    gecc_result result = ledger_take(&call, context, transactions, count, options);
    if (result != GECC_OK)
        return result;
    if (offsets == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "offsets is NULL");
    result = ledger_take_output(&call, "authority", authority, capacity, GECC_ADDRESS_BYTES, false);
    if (result == GECC_OK)
        result = ledger_take_output(&call, "status", status, capacity, 1, false);
    if (result != GECC_OK)
        return result;
    count_all(&call, offsets);
    if (offsets[count] == 0 || (capacity == 0 && authority.data == NULL))
        return GECC_OK;
    if (offsets[count] > capacity)
        return gecc_error(GECC_ERROR_ARGUMENT, "capacity: there are %llu authorizations, and room for %zu",
                          (unsigned long long)offsets[count], capacity);
    return recover_all(&call, offsets, authority, status);
}
