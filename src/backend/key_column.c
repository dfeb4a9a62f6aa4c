#include "backend/key_column.h"

#include <stdlib.h>
#include <sys/random.h>

/* Calls of fewer rows are not looked at; a sample has at most SAMPLE rows, and shows that keys repeat by SIGHTINGS of a
 * key that it has already. */
enum { ROWS_LEAST = 256, SAMPLE = 512, SIGHTINGS = 4 };

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

/* The keys in a sample that it has already, of `seen` rows. */
static size_t sightings(const gecc_rows *keys, size_t count, const uint64_t seed[2], size_t *seen) {
    size_t slots[2 * SAMPLE] = {0}, again = 0; /* a row + 1 */
    *seen = count / 8 < SAMPLE ? count / 8 : SAMPLE;
    for (size_t k = 0; k < *seen; k++) {
        const size_t row = (size_t)((double)k * (double)count / (double)*seen);
        struct key_encoding e = key_at(keys, row);
        size_t at = key_hash(seed, e) % (2 * SAMPLE);
        while (slots[at] != 0 && !keys_equal(e, key_at(keys, slots[at] - 1)))
            at = (at + 1) % (2 * SAMPLE);
        again += slots[at] != 0;
        slots[at] = row + 1;
    }
    return again;
}

bool gecc_is_one_key(const gecc_rows *keys) {
    return keys->stride == 0 && keys->offsets == NULL && keys->widths == NULL;
}

bool gecc_keys_repeat(const struct job *job, uint64_t seed[2], size_t least, size_t *keys) {
    size_t seen;
    *keys = 1;
    if (job->rows_are_grouped || job->on_device != 0 || job->count < ROWS_LEAST || job->count > UINT32_MAX ||
        !seed_take(seed))
        return false;
    if (gecc_is_one_key(&job->in[0]))
        return true;
    size_t again = sightings(&job->in[0], job->count, seed, &seen);
    /* of K keys, a sample of s rows has s^2 / 2 K that it has already, if K is large; few keys are all in it */
    *keys = again > seen / 2 ? seen - again : seen * seen / (2 * (again == 0 ? 1 : again));
    return again >= SIGHTINGS && job->count / *keys >= least / 4;
}

bool gecc_key_numbers_make(struct key_numbers *numbers, const gecc_rows *keys, const uint64_t seed[2], size_t most) {
    *numbers = (struct key_numbers){.keys = keys, .seed = {seed[0], seed[1]}, .most = (uint32_t)most, .mask = 1};
    while (numbers->mask < 2 * most)
        numbers->mask = 2 * numbers->mask + 1;
    numbers->slot = calloc(numbers->mask + 1, sizeof numbers->slot[0]);
    numbers->first = malloc(most * sizeof numbers->first[0]);
    if (numbers->slot != NULL && numbers->first != NULL)
        return true;
    gecc_key_numbers_free(numbers);
    return false;
}

void gecc_key_numbers_free(struct key_numbers *numbers) {
    free(numbers->slot);
    free(numbers->first);
}

/* The key's slot, or a free one. */
static size_t slot_of(const struct key_numbers *numbers, struct key_encoding key) {
    size_t at = key_hash(numbers->seed, key) & numbers->mask;
    while (numbers->slot[at] != 0 && !keys_equal(key, key_at(numbers->keys, numbers->first[numbers->slot[at] - 1])))
        at = (at + 1) & numbers->mask;
    return at;
}

uint32_t gecc_key_numbers_take(struct key_numbers *numbers, size_t i) {
    const size_t at = slot_of(numbers, key_at(numbers->keys, i));
    if (numbers->slot[at] == 0) {
        if (numbers->count == numbers->most)
            return NO_KEY_NUMBER;
        numbers->first[numbers->count] = (uint32_t)i;
        numbers->slot[at] = ++numbers->count;
    }
    return numbers->slot[at] - 1;
}

uint32_t gecc_key_numbers_find(const struct key_numbers *numbers, struct key_encoding key) {
    return numbers->slot[slot_of(numbers, key)] - 1; /* NO_KEY_NUMBER, if the slot is free */
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
