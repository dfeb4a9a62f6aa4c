/* A column of keys before anybody decodes them: which rows have the same one, by their encodings. */
#ifndef GECC_BACKEND_KEY_COLUMN_H
#define GECC_BACKEND_KEY_COLUMN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "scheme/job.h"

/* The operation on numbers of keys that does what this one does with points; OPERATION_COUNT: there is none. */
enum operation gecc_operation_by_keys(enum operation operation);

/* Does a sample of the job's rows, which are in host memory, say that its keys may have `rows_least` rows each, or
 * nearly? Draws a seed for key_hash. *keys: how many keys there seem to be, at least 1. */
bool gecc_keys_repeat(const struct job *job, uint64_t seed[2], size_t rows_least, size_t *keys);

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

static inline uint64_t key_word(const uint8_t *data, size_t width) {
    uint64_t word = 0;
    memcpy(&word, data, width < 8 ? width : 8);
    return word;
}

/* By words, the last of which may overlap the one before. */
static inline bool keys_equal(struct key_encoding a, struct key_encoding b) {
    if (a.width != b.width || a.width < 8)
        return a.width == b.width && memcmp(a.data, b.data, a.width) == 0;
    uint64_t differ = key_word(a.data + a.width - 8, 8) ^ key_word(b.data + a.width - 8, 8);
    for (size_t i = 0; i + 8 < a.width; i += 8)
        differ |= key_word(a.data + i, 8) ^ key_word(b.data + i, 8);
    return differ == 0;
}

__extension__ typedef unsigned __int128 key_hash_wide;

static inline uint64_t key_hash_fold(uint64_t a, uint64_t b) {
    key_hash_wide product = (key_hash_wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* By a seed that nobody can guess, or keys could be made that all have one hash. */
static inline uint64_t key_hash(const uint64_t seed[2], struct key_encoding e) {
    uint64_t h = seed[0] ^ e.width;
    size_t i = 0;
    for (; i + 16 <= e.width; i += 16)
        h = key_hash_fold(h ^ key_word(e.data + i, 8), seed[1] ^ key_word(e.data + i + 8, 8));
    for (; i < e.width; i += 8)
        h = key_hash_fold(h ^ key_word(e.data + i, e.width - i), seed[1]);
    return h;
}

/* Rows of a sample that have a key with this hash, and one of them; rows 0: none. */
struct key_count {
    uint64_t hash;
    uint32_t row, rows;
};

/* Count the keys of a sample of a column's rows, to a hash table of mask + 1 > sample entries, all zero before. Returns
 * how many different ones there are. Keys that share a hash count as one: a sample does not need more. */
size_t gecc_key_sample(struct key_count *counts, size_t mask, const gecc_rows *keys, size_t rows, size_t sample,
                       const uint64_t seed[2]);

/* The widest encoding of a key, made even: wider rows, which are malformed, have no copy. */
enum { KEY_COPY_BYTES = 136 };

struct key_bytes {
    uint64_t width; /* more than KEY_COPY_BYTES: there is none */
    uint8_t key[KEY_COPY_BYTES];
};

/* Keys of a column in the order in which they were taken, found by a hash table. */
struct key_numbers {
    const gecc_rows *keys;
    uint64_t seed[2];
    uint32_t *slot;         /* of the table: a key's number + 1, or 0 */
    size_t mask;            /* slots less 1 */
    uint32_t *first;        /* a row that has the key of this number */
    struct key_bytes *copy; /* of it, since keys that are looked up often should lie together; NULL: there are none */
    uint32_t count, most;
};

#define NO_KEY_NUMBER UINT32_MAX

/* A number as rows of operations on keys have it. */
enum { KEY_NUMBER_BYTES = 4 };
static inline void key_number_write(uint8_t to[KEY_NUMBER_BYTES], uint32_t number) {
    for (int i = 0; i < KEY_NUMBER_BYTES; i++)
        to[i] = (uint8_t)(number >> (8 * i));
}

/* Room for at most `most` keys, and for copies of them if so said. false: there is no memory for it. */
bool gecc_key_numbers_make(struct key_numbers *numbers, const gecc_rows *keys, const uint64_t seed[2], size_t most,
                           bool copies);
void gecc_key_numbers_free(struct key_numbers *numbers);

/* The number of row i's key, which it is given if it has none; NO_KEY_NUMBER: there is no room for another key. */
uint32_t gecc_key_numbers_take(struct key_numbers *numbers, size_t i);
/* The number of each of `count` rows' keys from row `first` on, NO_KEY_NUMBER where it has none. */
void gecc_key_numbers_find(const struct key_numbers *numbers, size_t first, size_t count, uint32_t *number);

#endif
