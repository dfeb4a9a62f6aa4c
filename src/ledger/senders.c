#include <stdlib.h>
#include <string.h>

#include "backend/least.h"
#include "ledger/call.h"

/* Rows of a chunk: a part of them, within these bounds; and bytes of its preimages for each, unless one row has more.
 * CHUNKS are under way: one is read, while the backend packs one, computes one and gives one back. */
enum { CHUNKS = 4, PARTS = 16, CHUNK_ROWS_LEAST = 65536, CHUNK_ROWS_MOST = 1 << 18, CHUNK_ROW_BYTES = 512 };

/* What a chunk has besides the caller's columns. Row i's preimage is widths[i] bytes from offsets[i] on of bytes; in
 * the network's form, what its hash is of follows it there. Both end before offsets[i + 1], whatever becomes of the row
 * meanwhile. */
struct chunk {
    size_t first, count, room;
    uint8_t *bytes, *signatures, *reasons, *statuses;
    uint64_t *offsets;
    uint32_t *widths, *core_widths; /* of those in the network's form; else 0 */
    gecc_job *recovery, *hashing;   /* NULL: not under way */
    gecc_report report;             /* of the recovery */
    bool is_recovered;              /* or will be when the job is done: chunk_end has still to look at the rows */
};

struct senders {
    struct ledger_call call;
    gecc_out sender, hash, type, reason, position, status;
    struct pool *pool;
    size_t rows; /* of a chunk, at most */
    struct chunk chunk[CHUNKS];
};

/* What threads work on. */
struct reading {
    const struct senders *senders;
    struct chunk *chunk;
};

static void chunk_free(struct chunk *chunk) {
    free(chunk->bytes);
    free(chunk->signatures);
    free(chunk->reasons);
    free(chunk->statuses);
    free(chunk->offsets);
    free(chunk->widths);
    free(chunk->core_widths);
}

static bool chunk_allocate(struct chunk *chunk, size_t rows) {
    *chunk = (struct chunk){.signatures = malloc(rows * SIGNATURE_BYTES),
                            .reasons = malloc(rows),
                            .statuses = malloc(rows),
                            .offsets = malloc((rows + 1) * sizeof(uint64_t)),
                            .widths = malloc(rows * sizeof(uint32_t)),
                            .core_widths = malloc(rows * sizeof(uint32_t))};
    return chunk->signatures && chunk->reasons && chunk->statuses && chunk->offsets && chunk->widths &&
           chunk->core_widths;
}

/* offsets[i + 1] = the bytes that row i may need: those of a preimage, and in the network's form those of what is
 * hashed. */
static void measure_rows(void *argument, size_t first, size_t end) {
    const struct reading *reading = argument;
    for (size_t i = first; i < end; i++) {
        size_t width;
        const uint8_t *data = rows_at(&reading->senders->call.transactions, reading->chunk->first + i, &width);
        const bool may_have_blobs = width != 0 && data[0] == 3;
        reading->chunk->offsets[i + 1] = width + PREIMAGE_MORE + (may_have_blobs ? width : 0);
    }
}

/* Take rows from `first` on: as many as the limits allow, and a place for the preimage of each. Returns false where
 * there is no memory. */
static bool chunk_begin(const struct senders *senders, struct chunk *chunk, size_t first) {
    struct reading reading = {senders, chunk};
    const size_t left = senders->call.count - first, rows = left < senders->rows ? left : senders->rows;
    if (chunk->offsets == NULL && !chunk_allocate(chunk, senders->rows))
        return false;
    chunk->first = first;
    ledger_for(senders->pool, rows, measure_rows, &reading);
    chunk->offsets[0] = 0;
    const size_t bytes = most(senders->rows, CHUNK_ROWS_LEAST) * CHUNK_ROW_BYTES;
    for (chunk->count = 0; chunk->count < rows; chunk->count++) {
        const size_t end = chunk->offsets[chunk->count] + chunk->offsets[chunk->count + 1];
        if (chunk->count != 0 && end > bytes)
            break;
        chunk->offsets[chunk->count + 1] = end;
    }
    const size_t used = chunk->offsets[chunk->count];
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

static gecc_rows rows_from(gecc_rows rows, size_t first) {
    if (rows.offsets != NULL)
        rows.offsets += first;
    else
        rows.data = (const uint8_t *)rows.data + first * rows.stride;
    if (rows.widths != NULL)
        rows.widths += first;
    return rows;
}

/* The hashes of a chunk's rows as they are. */
static gecc_result hash(const struct senders *senders, const struct chunk *chunk, const gecc_options *options) {
    return gecc_digest(senders->call.call.context, GECC_KECCAK256, out_from(senders->hash, chunk->first),
                       gecc_out_packed(chunk->statuses, 1), rows_from(senders->call.transactions, chunk->first),
                       chunk->count, options);
}

static gecc_result recover(const struct senders *senders, const struct chunk *chunk, const gecc_options *options) {
    const gecc_rows preimages = {chunk->bytes, 0, 0, chunk->widths, chunk->offsets};
    return gecc_ethereum_recover_message(senders->call.call.context, out_from(senders->sender, chunk->first),
                                         out_from(senders->status, chunk->first), preimages,
                                         gecc_rows_packed(chunk->signatures, SIGNATURE_BYTES), chunk->count, options);
}

/* Begin a call, or, where there is no thread for that, make it. */
static gecc_result begin(gecc_result (*call)(const struct senders *, const struct chunk *, const gecc_options *),
                         const struct senders *senders, const struct chunk *chunk, gecc_options options,
                         gecc_job **job) {
    options.job = job;
    gecc_result result = call(senders, chunk, &options);
    if (result != GECC_ERROR_THREAD)
        return result;
    options.job = NULL;
    return call(senders, chunk, &options);
}

/* Read a chunk, and begin to hash its rows and to recover their senders; chunk_end waits. */
static gecc_result chunk_start(struct senders *senders, struct chunk *chunk, size_t first) {
    struct reading reading = {senders, chunk};
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_result result = GECC_OK;
    if (!chunk_begin(senders, chunk, first))
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory for a chunk of %zu rows", senders->rows);
    ledger_for(senders->pool, chunk->count, read_rows, &reading);
    if (senders->hash.data != NULL)
        result = begin(hash, senders, chunk, options, &chunk->hashing);
    if (result != GECC_OK)
        return result;
    options.flags = (senders->call.options.flags & GECC_ANY_S) != 0 ? 0 : GECC_LOW_S;
    chunk->report = (gecc_report)GECC_REPORT_INIT;
    options.report = &chunk->report;
    result = begin(recover, senders, chunk, options, &chunk->recovery);
    chunk->is_recovered = result == GECC_OK || result == GECC_ERROR_DEVICE || result == GECC_ERROR_FAULT;
    return result;
}

/* What the hashes of rows in the network's form are of, and those hashes. */
struct cores {
    size_t count;
    uint64_t *offsets;
    uint32_t *widths, *rows;
    uint8_t (*digests)[DIGEST_BYTES], *statuses;
};

/* Returns false where there is no memory. */
static bool cores_find(struct cores *cores, const struct chunk *chunk) {
    size_t count = 0;
    *cores = (struct cores){.count = 0};
    for (size_t i = 0; i < chunk->count; i++)
        count += chunk->core_widths[i] != 0;
    if (count == 0)
        return true;
    *cores = (struct cores){.offsets = malloc(count * sizeof *cores->offsets),
                            .widths = malloc(count * sizeof *cores->widths),
                            .rows = malloc(count * sizeof *cores->rows),
                            .digests = malloc(count * sizeof *cores->digests),
                            .statuses = malloc(count)};
    if (!cores->offsets || !cores->widths || !cores->rows || !cores->digests || !cores->statuses)
        return false;
    for (size_t i = 0; i < chunk->count && cores->count < count; i++) {
        if (chunk->core_widths[i] == 0)
            continue;
        cores->offsets[cores->count] = chunk->offsets[i] + chunk->widths[i];
        cores->widths[cores->count] = chunk->core_widths[i];
        cores->rows[cores->count++] = (uint32_t)i;
    }
    return true;
}

static void cores_free(struct cores *cores) {
    free(cores->offsets);
    free(cores->widths);
    free(cores->rows);
    free(cores->digests);
    free(cores->statuses);
}

/* Hash them, in place of the hashes of their rows. */
static gecc_result hash_cores(const struct senders *senders, const struct chunk *chunk) {
    struct cores cores;
    gecc_result result = GECC_OK;
    if (!cores_find(&cores, chunk))
        result = gecc_error(GECC_ERROR_MEMORY, "not enough memory for the hashes of transactions with blobs");
    else if (cores.count != 0)
        result = gecc_digest(senders->call.call.context, GECC_KECCAK256, gecc_out_packed(cores.digests, DIGEST_BYTES),
                             gecc_out_packed(cores.statuses, 1),
                             (gecc_rows){chunk->bytes, 0, 0, cores.widths, cores.offsets}, cores.count, NULL);
    for (size_t i = 0; i < cores.count && result == GECC_OK; i++)
        memcpy(out_at(&senders->hash, chunk->first + cores.rows[i]), cores.digests[i], DIGEST_BYTES);
    cores_free(&cores);
    return result;
}

static void clear_row(const struct senders *senders, size_t row) {
    const gecc_out *const columns[] = {&senders->sender, &senders->hash, &senders->type};
    static const size_t widths[] = {GECC_ADDRESS_BYTES, DIGEST_BYTES, 1};
    for (size_t c = 0; c < sizeof widths / sizeof *widths; c++)
        if (columns[c]->data != NULL)
            memset(out_at(columns[c], row), 0, widths[c]);
}

static gecc_result await(gecc_job **job) {
    gecc_result result = *job == NULL ? GECC_OK : gecc_wait(*job);
    *job = NULL;
    return result;
}

/* Wait for the chunk's jobs, and say of the rows that are no transactions what they are. Where hashes failed there are
 * no results. */
static gecc_result chunk_end(struct senders *senders, struct chunk *chunk) {
    gecc_result result = await(&chunk->hashing);
    if (!chunk->is_recovered)
        return result;
    gecc_result recovered = await(&chunk->recovery);
    chunk->is_recovered = false;
    ledger_add_report(&senders->call, &chunk->report);
    if (result == GECC_OK && senders->hash.data != NULL)
        result = hash_cores(senders, chunk);
    for (size_t i = 0; i < chunk->count; i++) {
        if (chunk->reasons[i] == GECC_ETHEREUM_PARSED && result == GECC_OK)
            continue;
        clear_row(senders, chunk->first + i);
        *out_at(&senders->status, chunk->first + i) =
            result == GECC_OK ? GECC_ITEM_MALFORMED_TRANSACTION : GECC_ITEM_NOT_PROCESSED;
    }
    return recovered == GECC_OK ? result : recovered;
}

/* All chunks, of which there is one, if perhaps an empty one, each where the one before the last few was. */
static gecc_result run_chunks(struct senders *senders) {
    gecc_result result = GECC_OK;
    size_t first = 0, number = 0;
    do {
        struct chunk *chunk = &senders->chunk[number++ % CHUNKS];
        result = chunk_end(senders, chunk);
        if (result == GECC_OK)
            result = chunk_start(senders, chunk, first);
        first += chunk->count;
    } while (first < senders->call.count && result == GECC_OK);
    for (unsigned i = 0; i < CHUNKS; i++) {
        gecc_result ended = chunk_end(senders, &senders->chunk[(number + i) % CHUNKS]);
        result = result == GECC_OK ? ended : result;
    }
    return result;
}

static size_t rows_of_chunk(size_t count) {
    if (count <= CHUNK_ROWS_LEAST)
        return count == 0 ? 1 : count;
    const size_t rows = count / PARTS;
    return rows < CHUNK_ROWS_LEAST ? CHUNK_ROWS_LEAST : rows < CHUNK_ROWS_MOST ? rows : CHUNK_ROWS_MOST;
}

static gecc_result run(struct senders *senders) {
    const size_t count = senders->call.count;
    senders->rows = rows_of_chunk(count);
    senders->pool = ledger_pool(&senders->call);
    gecc_result result = run_chunks(senders);
    if (senders->pool != NULL)
        gecc_pool_close(senders->pool);
    for (unsigned i = 0; i < CHUNKS; i++)
        chunk_free(&senders->chunk[i]);
    for (size_t i = 0; result != GECC_OK && i < count; i++)
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
