/* A column of rows of any width that grows, and the hashes of its rows. */
#ifndef TOOL_COLUMN_H
#define TOOL_COLUMN_H

#include <gecc/gecc.h>

#include <stdbool.h>

struct growing_column {
    uint8_t *bytes;
    size_t used, capacity;
    uint64_t *offsets; /* [count + 1] */
    uint32_t *widths;
    size_t count, row_capacity;
    bool failed; /* there was not enough memory: rows are missing */
};

/* Bytes that follow what the row has so far. */
void column_put(struct growing_column *column, const void *data, size_t size);
/* The row ends here. */
void column_end(struct growing_column *column);
/* No rows any more. */
void column_clear(struct growing_column *column);
void column_free(struct growing_column *column);
gecc_rows column_rows(const struct growing_column *column);

enum { HASH_BYTES = 32 }; /* of SHA-256 */

/* Messages that wait for their SHA-256. */
struct hashing {
    gecc_context *context;
    struct growing_column messages;
    uint8_t **results; /* [messages.count] where each digest goes */
    size_t result_capacity;
    uint8_t *digests, *statuses;
    size_t digest_capacity;
    bool twice; /* SHA-256 of the SHA-256 */
    gecc_result outcome;
    double seconds; /* in the library */
};

/* The message that was put goes to result[HASH_BYTES] when hashing_run has returned, or before. */
void hashing_end(struct hashing *hashing, uint8_t *result);
void hashing_run(struct hashing *hashing);
void hashing_free(struct hashing *hashing);

#endif
