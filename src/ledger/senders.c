#include <stdlib.h>
#include <string.h>

#include "ledger/call.h"

/* The most rows of a chunk, and bytes of its preimages unless one row has more. Two chunks are under way. */
enum { CHUNK_ROWS = 65536, CHUNK_BYTES = 32 << 20, CHUNKS = 2 };

/* What a chunk has besides the caller's columns. Row i's preimage is widths[i] bytes from offsets[i] on of bytes; in
 * the network's form, what its hash is of follows it there. Both end before offsets[i + 1], whatever becomes of the row
 * meanwhile. */
struct chunk {
    size_t first, count, room;
    uint8_t *bytes, *digests, *signatures, *reasons, *statuses;
    uint64_t *offsets;
    uint32_t *widths, *core_widths; /* of those in the network's form; else 0 */
    gecc_job *job;                  /* of the recovery, NULL: none is under way */
    gecc_report report;             /* of it */
    bool is_recovered;              /* or will be when the job is done: chunk_end has still to look at the rows */
};

struct senders {
    struct ledger_call call;
    gecc_out sender, hash, type, reason, position, status;
    struct crew crew;
    struct chunk chunk[CHUNKS];
};

static void chunk_free(struct chunk *chunk) {
    free(chunk->bytes);
    free(chunk->digests);
    free(chunk->signatures);
    free(chunk->reasons);
    free(chunk->statuses);
    free(chunk->offsets);
    free(chunk->widths);
    free(chunk->core_widths);
}

static bool chunk_allocate(struct chunk *chunk, size_t rows) {
    *chunk = (struct chunk){.digests = malloc(rows * DIGEST_BYTES),
                            .signatures = malloc(rows * SIGNATURE_BYTES),
                            .reasons = malloc(rows),
                            .statuses = malloc(rows),
                            .offsets = malloc((rows + 1) * sizeof(uint64_t)),
                            .widths = malloc(rows * sizeof(uint32_t)),
                            .core_widths = malloc(rows * sizeof(uint32_t))};
    return chunk->digests && chunk->signatures && chunk->reasons && chunk->statuses && chunk->offsets &&
           chunk->widths && chunk->core_widths;
}

/* Take rows from `first` on: as many as the limits allow, and a place for the preimage of each. */
static bool chunk_begin(struct chunk *chunk, const struct ledger_call *call, size_t first) {
    size_t used = 0, i = first;
    chunk->first = first;
    for (; i < call->count && i - first < CHUNK_ROWS && (i == first || used < CHUNK_BYTES); i++) {
        size_t width;
        const uint8_t *data = rows_at(&call->transactions, i, &width);
        bool may_have_blobs = width != 0 && data[0] == 3;
        chunk->offsets[i - first] = used;
        used += width + PREIMAGE_MORE + (may_have_blobs ? width : 0);
    }
    chunk->count = i - first;
    chunk->offsets[chunk->count] = used;
    if (used <= chunk->room)
        return true;
    free(chunk->bytes);
    chunk->bytes = malloc(used);
    chunk->room = chunk->bytes == NULL ? 0 : used;
    return chunk->bytes != NULL;
}

static void put_byte(const gecc_out *out, size_t row, uint8_t byte) {
    if (out->data != NULL)
        *out_at(out, row) = byte;
}

static void put_position(const gecc_out *out, size_t row, size_t position) {
    const uint32_t value = (uint32_t)position;
    if (out->data != NULL)
        memcpy(out_at(out, row), &value, sizeof value);
}

struct reading {
    struct senders *senders;
    struct chunk *chunk;
};

/* Is there room for what is written of the row? There is, unless it has changed since chunk_begin. */
static bool row_fits(const struct chunk *chunk, size_t i, struct transaction *transaction) {
    const size_t core = transaction->has_blobs ? 1 + transaction->core.width : 0;
    if (signing_bytes(&transaction->signing) + core <= chunk->offsets[i + 1] - chunk->offsets[i])
        return true;
    transaction->failure = (struct rlp_failure){GECC_ETHEREUM_TOO_SHORT, 0};
    return false;
}

/* A row to the chunk's columns. One that is no transaction gets an empty preimage, and a signature that is refused. */
static void read_row(const struct senders *senders, struct chunk *chunk, size_t i) {
    struct transaction transaction;
    size_t width, row = chunk->first + i;
    const uint8_t *data = rows_at(&senders->call.transactions, row, &width);
    uint8_t *out = chunk->bytes + chunk->offsets[i], *signature = chunk->signatures + i * SIGNATURE_BYTES;
    bool read =
        transaction_read(&transaction, data, width, senders->call.options.chain_id) && row_fits(chunk, i, &transaction);
    chunk->reasons[i] = (uint8_t)transaction.failure.reason;
    chunk->widths[i] = chunk->core_widths[i] = 0;
    put_byte(&senders->reason, row, chunk->reasons[i]);
    put_position(&senders->position, row, read ? 0 : transaction.failure.position);
    put_byte(&senders->type, row, read ? transaction.type : 0);
    memset(signature, 0, SIGNATURE_BYTES);
    if (!read)
        return;
    memcpy(signature, transaction.signing.signature, SIGNATURE_BYTES);
    chunk->widths[i] = (uint32_t)signing_bytes(&transaction.signing);
    signing_write(out, &transaction.signing, data);
    if (!transaction.has_blobs)
        return;
    out += chunk->widths[i];
    *out++ = transaction.type;
    memcpy(out, data + transaction.core.at, transaction.core.width);
    chunk->core_widths[i] = (uint32_t)(1 + transaction.core.width);
}

static void read_rows(void *argument, size_t first, size_t end) {
    const struct reading *reading = argument;
    for (size_t i = first; i < end; i++)
        read_row(reading->senders, reading->chunk, i);
}

static gecc_result hash_rows(const struct senders *senders, const struct chunk *chunk, gecc_out hash, gecc_rows rows,
                             size_t count) {
    return gecc_digest(senders->call.call.context, GECC_KECCAK256, hash, gecc_out_packed(chunk->statuses, 1), rows,
                       count, NULL);
}

/* The hashes of rows in the network's form, one after the other: there are few. */
static gecc_result hash_cores(const struct senders *senders, const struct chunk *chunk) {
    gecc_result result = GECC_OK;
    for (size_t i = 0; i < chunk->count && result == GECC_OK; i++)
        if (chunk->core_widths[i] != 0)
            result = hash_rows(
                senders, chunk, out_from(senders->hash, chunk->first + i),
                gecc_rows_packed(chunk->bytes + chunk->offsets[i] + chunk->widths[i], chunk->core_widths[i]), 1);
    return result;
}

static gecc_rows rows_from(gecc_rows rows, size_t first) {
    if (rows.offsets != NULL)
        rows.offsets += first;
    else
        rows.data = (const uint8_t *)rows.data + first * rows.stride;
    if (rows.widths != NULL)
        rows.widths += first;
    return rows;
}

static gecc_result hash_chunk(const struct senders *senders, const struct chunk *chunk) {
    const gecc_rows preimages = {chunk->bytes, 0, 0, chunk->widths, chunk->offsets};
    gecc_result result =
        hash_rows(senders, chunk, gecc_out_packed(chunk->digests, DIGEST_BYTES), preimages, chunk->count);
    if (senders->hash.data == NULL || result != GECC_OK)
        return result;
    result = hash_rows(senders, chunk, out_from(senders->hash, chunk->first),
                       rows_from(senders->call.transactions, chunk->first), chunk->count);
    return result == GECC_OK ? hash_cores(senders, chunk) : result;
}

/* Read and hash a chunk. */
static gecc_result chunk_read(struct senders *senders, struct chunk *chunk, size_t first) {
    struct reading reading = {senders, chunk};
    if (!chunk_begin(chunk, &senders->call, first))
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory for the preimages of %zu rows", chunk->count);
    crew_run(&senders->crew, read_rows, &reading, chunk->count);
    return hash_chunk(senders, chunk);
}

/* Begin to recover the senders of a chunk, or, where there is no thread for that, recover them; chunk_end waits. */
static gecc_result chunk_recover(struct senders *senders, struct chunk *chunk) {
    const gecc_rows digests = gecc_rows_packed(chunk->digests, DIGEST_BYTES);
    const gecc_rows signatures = gecc_rows_packed(chunk->signatures, SIGNATURE_BYTES);
    const gecc_out sender = out_from(senders->sender, chunk->first), status = out_from(senders->status, chunk->first);
    gecc_context *context = senders->call.call.context;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = (senders->call.options.flags & GECC_ANY_S) != 0 ? 0 : GECC_LOW_S;
    chunk->report = (gecc_report)GECC_REPORT_INIT;
    options.report = &chunk->report;
    options.job = &chunk->job;
    gecc_result result = gecc_ethereum_recover(context, sender, status, digests, signatures, chunk->count, &options);
    if (result == GECC_ERROR_THREAD) {
        options.job = NULL;
        result = gecc_ethereum_recover(context, sender, status, digests, signatures, chunk->count, &options);
    }
    chunk->is_recovered = result == GECC_OK || result == GECC_ERROR_DEVICE || result == GECC_ERROR_FAULT;
    return result;
}

static void clear_row(const struct senders *senders, size_t row) {
    const gecc_out *const columns[] = {&senders->sender, &senders->hash, &senders->type};
    static const size_t widths[] = {GECC_ADDRESS_BYTES, DIGEST_BYTES, 1};
    for (size_t c = 0; c < sizeof widths / sizeof *widths; c++)
        if (columns[c]->data != NULL)
            memset(out_at(columns[c], row), 0, widths[c]);
}

/* Wait for the recovery, and say of the rows that are no transactions what they are. */
static gecc_result chunk_end(struct senders *senders, struct chunk *chunk) {
    if (!chunk->is_recovered)
        return GECC_OK;
    gecc_result result = chunk->job == NULL ? GECC_OK : gecc_wait(chunk->job);
    chunk->job = NULL;
    chunk->is_recovered = false;
    ledger_add_report(&senders->call, &chunk->report);
    for (size_t i = 0; i < chunk->count; i++) {
        if (chunk->reasons[i] == GECC_ETHEREUM_PARSED)
            continue;
        clear_row(senders, chunk->first + i);
        *out_at(&senders->status, chunk->first + i) = GECC_ITEM_MALFORMED_TRANSACTION;
    }
    return result;
}

/* All chunks, of which there is one, if perhaps an empty one: while the senders of one are recovered, the next is read
 * and hashed. */
static gecc_result run_chunks(struct senders *senders) {
    struct chunk *chunk = &senders->chunk[0], *before = &senders->chunk[1];
    gecc_result result;
    size_t first = 0;
    do {
        result = chunk_read(senders, chunk, first);
        gecc_result ended = chunk_end(senders, before);
        result = result == GECC_OK ? ended : result;
        if (result == GECC_OK)
            result = chunk_recover(senders, chunk);
        first += chunk->count;
        struct chunk *next = before;
        before = chunk;
        chunk = next;
    } while (first < senders->call.count && result == GECC_OK);
    gecc_result ended = chunk_end(senders, before);
    return result == GECC_OK ? ended : result;
}

static gecc_result run(struct senders *senders) {
    const struct ledger_call *call = &senders->call;
    size_t rows = call->count == 0 ? 1 : call->count < CHUNK_ROWS ? call->count : CHUNK_ROWS;
    bool allocated = chunk_allocate(&senders->chunk[0], rows) && chunk_allocate(&senders->chunk[1], rows);
    gecc_result result = GECC_ERROR_MEMORY;
    if (allocated) {
        crew_open(&senders->crew, ledger_threads(call));
        result = run_chunks(senders);
        crew_close(&senders->crew);
    } else {
        (void)gecc_error(result, "not enough memory for chunks of %zu rows", rows);
    }
    for (unsigned i = 0; i < CHUNKS; i++)
        chunk_free(&senders->chunk[i]);
    for (size_t i = 0; result != GECC_OK && i < call->count; i++)
        if (*out_at(&senders->status, i) == GECC_ITEM_NOT_PROCESSED)
            clear_row(senders, i);
    return result;
}

static void take_outputs(struct senders *senders) {
    const struct {
        const char *name;
        const gecc_out *out;
        size_t width;
        bool is_optional;
    } columns[] = {{"sender", &senders->sender, GECC_ADDRESS_BYTES, false},
                   {"hash", &senders->hash, DIGEST_BYTES, true},
                   {"type", &senders->type, 1, true},
                   {"reason", &senders->reason, 1, true},
                   {"position", &senders->position, sizeof(uint32_t), true}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ledger_take_output(&senders->call, columns[i].name, *columns[i].out, senders->call.count, columns[i].width,
                           columns[i].is_optional);
}

gecc_result gecc_ethereum_senders(gecc_context *context, gecc_out sender, gecc_out hash, gecc_out type, gecc_out reason,
                                  gecc_out position, gecc_out status, gecc_rows transactions, size_t count,
                                  const gecc_ethereum_options *options) {
    struct senders senders = {
        .sender = sender, .hash = hash, .type = type, .reason = reason, .position = position, .status = status};
    ledger_take(&senders.call, "ethereum.senders", context, status, count, transactions, count, options);
    take_outputs(&senders);
    return senders.call.call.result == GECC_OK ? ledger_finish(&senders.call, run(&senders)) : senders.call.call.result;
}
