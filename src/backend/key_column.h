/* A column of keys before anybody decodes them: which rows have the same one, by their encodings. */
#ifndef GECC_BACKEND_KEY_COLUMN_H
#define GECC_BACKEND_KEY_COLUMN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "scheme/job.h"

/* The operation on numbers of keys that does what this one does with points; OPERATION_COUNT: there is none. */
enum operation gecc_operation_by_keys(enum operation operation);

/* Does a sample of the job's rows, which are in host memory, say that its keys may have `least` rows each, or nearly?
 * Draws a seed for key_hash. *keys: how many keys there seem to be, at least 1. */
bool gecc_keys_repeat(const struct job *job, uint64_t seed[2], size_t least, size_t *keys);

/* Is every row's key the same, by how the column is made? */
bool gecc_is_one_key(const gecc_rows *keys);

enum { KEY_X_BYTES = 32, KEY_COMPRESSED_BYTES = 1 + KEY_X_BYTES };

/* x-only keys as points with an even y, in `points`, of KEY_COMPRESSED_BYTES each; other bytes get a width that no
 * point has, and so the same status. */
gecc_rows gecc_x_only_points(const gecc_rows *keys, size_t count, uint8_t *points, uint32_t *widths);

/* A key as it is encoded: one that is encoded in two ways counts as two. */
struct key_encoding {
    const uint8_t *data;
    size_t width;
};

static inline struct key_encoding key_at(const gecc_rows *rows, size_t i) {
    const uint8_t *data = rows->data;
    return (struct key_encoding){data + (rows->offsets != NULL ? rows->offsets[i] : i * rows->stride),
                                 rows->widths != NULL ? rows->widths[i] : rows->width};
}

static inline bool keys_equal(struct key_encoding a, struct key_encoding b) {
    return a.width == b.width && (a.data == b.data || memcmp(a.data, b.data, a.width) == 0);
}

__extension__ typedef unsigned __int128 key_hash_wide;

static inline uint64_t key_hash_fold(uint64_t a, uint64_t b) {
    key_hash_wide product = (key_hash_wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* By a seed that nobody can guess, or keys could be made that all have one hash. */
static inline uint64_t key_hash(const uint64_t seed[2], struct key_encoding e) {
    uint64_t h = seed[0] ^ e.width;
    for (size_t i = 0; i < e.width; i += 8) {
        uint64_t word = 0;
        memcpy(&word, e.data + i, e.width - i < 8 ? e.width - i : 8);
        h = key_hash_fold(h ^ word, seed[1]);
    }
    return h;
}

/* Keys of a column in the order in which they were taken, found by a hash table. */
struct key_numbers {
    const gecc_rows *keys;
    uint64_t seed[2];
    uint32_t *slot;  /* of the table: a key's number + 1, or 0 */
    size_t mask;     /* slots less 1 */
    uint32_t *first; /* a row that has the key of this number */
    uint32_t count, most;
};

#define NO_KEY_NUMBER UINT32_MAX

/* Room for at most `most` keys. false: there is no memory for it. */
bool gecc_key_numbers_make(struct key_numbers *numbers, const gecc_rows *keys, const uint64_t seed[2], size_t most);
void gecc_key_numbers_free(struct key_numbers *numbers);

/* The number of row i's key, which it is given if it has none; NO_KEY_NUMBER: there is no room for another key. */
uint32_t gecc_key_numbers_take(struct key_numbers *numbers, size_t i);
/* The same, or NO_KEY_NUMBER where it has none. */
uint32_t gecc_key_numbers_find(const struct key_numbers *numbers, struct key_encoding key);

#endif
