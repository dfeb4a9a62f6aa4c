#include "text/column.h"

#include <stdlib.h>
#include <string.h>

/* A batch of messages: enough for every lane, or as memory allows where one transaction is hashed once an input. */
enum { MESSAGE_BYTES = 16 << 20 };

static bool grow(void **array, size_t count, size_t each) {
    void *larger = realloc(*array, count * each);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool reserve_rows(struct growing_column *column) {
    if (column->count + 1 < column->row_capacity)
        return true;
    size_t capacity = column->row_capacity ? 2 * column->row_capacity : 1024;
    void *offsets = column->offsets, *widths = column->widths;
    bool grown = grow(&offsets, capacity, sizeof *column->offsets) && grow(&widths, capacity, sizeof *column->widths);
    column->offsets = offsets;
    column->widths = widths;
    if (!grown) {
        column->failed = true;
        return false;
    }
    if (!column->row_capacity)
        column->offsets[0] = 0;
    column->row_capacity = capacity;
    return true;
}

void column_put(struct growing_column *column, const void *data, size_t size) {
    if (column->failed || size == 0)
        return;
    if (column->capacity - column->used < size) {
        size_t capacity = 2 * column->capacity + size + 4096;
        void *bytes = column->bytes;
        if (!grow(&bytes, capacity, 1)) {
            column->failed = true;
            return;
        }
        column->bytes = bytes;
        column->capacity = capacity;
    }
    memcpy(column->bytes + column->used, data, size);
    column->used += size;
}

void column_end(struct growing_column *column) {
    if (column->failed || !reserve_rows(column))
        return;
    column->widths[column->count] = (uint32_t)(column->used - column->offsets[column->count]);
    column->offsets[++column->count] = column->used;
}

void column_clear(struct growing_column *column) {
    column->used = column->count = 0;
    column->failed = false;
}

void column_free(struct growing_column *column) {
    free(column->bytes);
    free(column->offsets);
    free(column->widths);
    *column = (struct growing_column){0};
}

gecc_rows column_rows(const struct growing_column *column) {
    static const uint8_t nothing[1];
    gecc_rows rows = {column->bytes ? column->bytes : nothing, 0, 0, column->widths, column->offsets};
    return rows;
}

static bool reserve_digests(struct hashing *hashing) {
    size_t count = hashing->messages.count;
    if (count <= hashing->digest_capacity)
        return true;
    void *digests = hashing->digests, *statuses = hashing->statuses;
    bool grown = grow(&digests, count, HASH_BYTES) && grow(&statuses, count, 1);
    hashing->digests = digests;
    hashing->statuses = statuses;
    hashing->digest_capacity = grown ? count : 0;
    return grown;
}

static gecc_result digest(struct hashing *hashing, gecc_rows messages) {
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &report;
    gecc_result result =
        gecc_digest(hashing->context, GECC_SHA256, gecc_out_packed(hashing->digests, HASH_BYTES),
                    gecc_out_packed(hashing->statuses, 1), messages, hashing->messages.count, &options);
    hashing->seconds += report.seconds;
    return result;
}

void hashing_run(struct hashing *hashing) {
    struct growing_column *messages = &hashing->messages;
    gecc_result result = messages->failed ? GECC_ERROR_MEMORY : hashing->outcome;
    if (result == GECC_OK && messages->count && !reserve_digests(hashing))
        result = GECC_ERROR_MEMORY;
    if (result == GECC_OK && messages->count)
        result = digest(hashing, column_rows(messages));
    if (result == GECC_OK && messages->count && hashing->twice)
        result = digest(hashing, gecc_rows_packed(hashing->digests, HASH_BYTES));
    if (result == GECC_OK)
        for (size_t i = 0; i < messages->count; i++)
            memcpy(hashing->results[i], hashing->digests + i * HASH_BYTES, HASH_BYTES);
    hashing->outcome = result;
    column_clear(messages);
}

static bool reserve_results(struct hashing *hashing) {
    if (hashing->messages.count < hashing->result_capacity)
        return true;
    size_t capacity = hashing->result_capacity ? 2 * hashing->result_capacity : 1024;
    void *results = hashing->results;
    if (!grow(&results, capacity, sizeof *hashing->results)) {
        hashing->messages.failed = true;
        return false;
    }
    hashing->results = results;
    hashing->result_capacity = capacity;
    return true;
}

void hashing_end(struct hashing *hashing, uint8_t *result) {
    if (!reserve_results(hashing))
        return;
    hashing->results[hashing->messages.count] = result;
    column_end(&hashing->messages);
    if (hashing->messages.used >= MESSAGE_BYTES)
        hashing_run(hashing);
}

void hashing_free(struct hashing *hashing) {
    column_free(&hashing->messages);
    free(hashing->results);
    free(hashing->digests);
    free(hashing->statuses);
}
