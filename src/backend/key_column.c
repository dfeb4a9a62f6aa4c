#include "backend/key_column.h"

#include <stdlib.h>
#include <sys/random.h>

#include "backend/least.h"

/* Calls of fewer rows are not looked at; a sample has at most SAMPLE rows, and shows that keys repeat by SIGHTINGS of a
 * key that it has already. */
enum { ROWS_LEAST = 256, SAMPLE = 512, SIGHTINGS = 4 };

/* Rows whose slots of a hash table are asked for before the first is looked at; and where a copy goes on in another
 * line of the cache. */
enum { KEYS_AHEAD = 16, KEY_COPY_LINE = 56 };

enum operation gecc_operation_by_keys(enum operation operation) {
    switch (operation) {
    case OPERATION_ECDSA_VERIFY:
        return OPERATION_ECDSA_VERIFY_KEYS;
    case OPERATION_SM2_VERIFY:
        return OPERATION_SM2_VERIFY_KEYS;
    case OPERATION_SCHNORR_VERIFY:
        return OPERATION_SCHNORR_VERIFY_KEYS;
    case OPERATION_ED25519_VERIFY:
        return OPERATION_ED25519_VERIFY_KEYS;
    default:
        return OPERATION_COUNT;
    }
}

static bool seed_take(uint64_t seed[2]) {
    bool drawn = getrandom(seed, 2 * sizeof seed[0], GRND_NONBLOCK) == (ssize_t)(2 * sizeof seed[0]);
    seed[1] |= 1;
    return drawn;
}

/* Row k of a sample: one of each part of the rows, by chance, since rows may come in turns. */
static size_t sample_row(size_t k, size_t sample, size_t rows, const uint64_t seed[2]) {
    const size_t first = (size_t)((double)k * (double)rows / (double)sample),
                 next = (size_t)((double)(k + 1) * (double)rows / (double)sample);
    return first + (next > first + 1 ? key_hash_fold(seed[0] ^ (k + 1), seed[1]) % (next - first) : 0);
}

size_t gecc_key_sample(struct key_count *counts, size_t mask, const gecc_rows *keys, size_t rows, size_t sample,
                       const uint64_t seed[2]) {
    uint64_t hash[KEYS_AHEAD] = {0};
    size_t different = 0;
    for (size_t k = 0; k < sample + KEYS_AHEAD; k++) {
        if (k >= KEYS_AHEAD) {
            const uint64_t h = hash[k % KEYS_AHEAD];
            size_t at = h & mask;
            while (counts[at].rows != 0 && counts[at].hash != h)
                at = (at + 1) & mask;
            different += counts[at].rows == 0;
            if (counts[at].rows++ == 0)
                counts[at] = (struct key_count){h, (uint32_t)sample_row(k - KEYS_AHEAD, sample, rows, seed), 1};
        }
        if (k + KEYS_AHEAD < sample)
            __builtin_prefetch(key_at(keys, sample_row(k + KEYS_AHEAD, sample, rows, seed)).data);
        if (k < sample) {
            hash[k % KEYS_AHEAD] = key_hash(seed, key_at(keys, sample_row(k, sample, rows, seed)));
            __builtin_prefetch(&counts[hash[k % KEYS_AHEAD] & mask]);
        }
    }
    return different;
}

bool gecc_is_one_key(const gecc_rows *keys) {
    return keys->stride == 0 && keys->offsets == NULL && keys->widths == NULL;
}

bool gecc_keys_repeat(const struct job *job, uint64_t seed[2], size_t rows_least, size_t *keys) {
    struct key_count counts[2 * SAMPLE] = {{0, 0, 0}};
    const size_t seen = least(job->count / 8, SAMPLE);
    *keys = 1;
    if (job->rows_are_grouped || job->on_device != 0 || job->count < ROWS_LEAST || job->count > UINT32_MAX ||
        !seed_take(seed))
        return false;
    if (gecc_is_one_key(&job->in[0]))
        return true;
    const size_t again = seen - gecc_key_sample(counts, 2 * SAMPLE - 1, &job->in[0], job->count, seen, seed);
    /* of K keys, a sample of s rows has s^2 / 2 K that it has already, if K is large; few keys are all in it */
    *keys = again > seen / 2 ? seen - again : seen * seen / (2 * (again == 0 ? 1 : again));
    return again >= SIGHTINGS && job->count / *keys >= rows_least / 4;
}

bool gecc_key_numbers_make(struct key_numbers *numbers, const gecc_rows *keys, const uint64_t seed[2], size_t most,
                           bool copies) {
    *numbers = (struct key_numbers){.keys = keys, .seed = {seed[0], seed[1]}, .most = (uint32_t)most, .mask = 1};
    while (numbers->mask < 2 * most)
        numbers->mask = 2 * numbers->mask + 1;
    numbers->slot = calloc(numbers->mask + 1, sizeof numbers->slot[0]);
    numbers->first = malloc(most * sizeof numbers->first[0]);
    numbers->copy = copies ? malloc(most * sizeof numbers->copy[0]) : NULL;
    if (numbers->slot != NULL && numbers->first != NULL && copies == (numbers->copy != NULL))
        return true;
    gecc_key_numbers_free(numbers);
    return false;
}

void gecc_key_numbers_free(struct key_numbers *numbers) {
    free(numbers->slot);
    free(numbers->first);
    free(numbers->copy);
    *numbers = (struct key_numbers){.count = 0};
}

static struct key_encoding key_of(const struct key_numbers *numbers, uint32_t number) {
    if (numbers->copy != NULL && numbers->copy[number].width <= KEY_COPY_BYTES)
        return (struct key_encoding){numbers->copy[number].key, numbers->copy[number].width};
    return key_at(numbers->keys, numbers->first[number]);
}

/* The key's slot, or a free one. */
static size_t slot_of(const struct key_numbers *numbers, struct key_encoding key, uint64_t hash) {
    size_t at = hash & numbers->mask;
    while (numbers->slot[at] != 0 && !keys_equal(key, key_of(numbers, numbers->slot[at] - 1)))
        at = (at + 1) & numbers->mask;
    return at;
}

uint32_t gecc_key_numbers_take(struct key_numbers *numbers, size_t i) {
    const struct key_encoding key = key_at(numbers->keys, i);
    const size_t at = slot_of(numbers, key, key_hash(numbers->seed, key));
    if (numbers->slot[at] == 0) {
        if (numbers->count == numbers->most)
            return NO_KEY_NUMBER;
        numbers->first[numbers->count] = (uint32_t)i;
        if (numbers->copy != NULL) {
            struct key_bytes *copy = &numbers->copy[numbers->count];
            copy->width = least(key.width, KEY_COPY_BYTES + 1);
            memcpy(copy->key, key.data, least(key.width, KEY_COPY_BYTES));
        }
        numbers->slot[at] = ++numbers->count;
    }
    return numbers->slot[at] - 1;
}

void gecc_key_numbers_find(const struct key_numbers *numbers, size_t first, size_t count, uint32_t *number) {
    uint64_t hash[KEYS_AHEAD];
    for (size_t from = first, rows; from < first + count; from += rows) {
        rows = least(KEYS_AHEAD, first + count - from);
        for (size_t k = 0; k < rows; k++) {
            hash[k] = key_hash(numbers->seed, key_at(numbers->keys, from + k));
            __builtin_prefetch(&numbers->slot[hash[k] & numbers->mask]);
        }
        for (size_t k = 0; k < rows && numbers->copy != NULL; k++) {
            const uint32_t slot = numbers->slot[hash[k] & numbers->mask];
            __builtin_prefetch(&numbers->copy[slot - (slot != 0)]);
            __builtin_prefetch(numbers->copy[slot - (slot != 0)].key + KEY_COPY_LINE);
        }
        for (size_t k = 0; k < rows; k++)
            number[from - first + k] = numbers->slot[slot_of(numbers, key_at(numbers->keys, from + k), hash[k])] - 1;
    }
}

gecc_rows gecc_x_only_points(const gecc_rows *keys, size_t count, uint8_t *points, uint32_t *widths) {
    for (size_t k = 0; k < count; k++) {
        struct key_encoding e = key_at(keys, k);
        uint8_t *point = points + k * KEY_COMPRESSED_BYTES;
        widths[k] = e.width == KEY_X_BYTES ? KEY_COMPRESSED_BYTES : 0;
        point[0] = 2;
        if (e.width == KEY_X_BYTES)
            memcpy(point + 1, e.data, KEY_X_BYTES);
    }
    return (gecc_rows){points, KEY_COMPRESSED_BYTES, 0, widths, NULL};
}
