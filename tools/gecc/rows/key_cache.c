#define _DEFAULT_SOURCE /* getentropy */

#include "rows/key_cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A key gets a table once it has come so often; where it is expected to come thereafter is what windows are chosen for.
 * A set is opened for as many keys as have room with windows of 6 bits. */
enum { ROWS_LEAST = 64, ROWS_EXPECTED = 1024, WINDOW = 6, ENTRY_BYTES_A_LIMB_BYTE = 5, KEY_BYTES_MOST = 1 + 2 * 66 };

/* Keys that are told apart at once, for each that has room for a table. When they are too many, those without are
 * forgotten. */
enum { ENTRIES_A_KEY = 8, ENTRIES_LEAST = 1024 };

struct entry {
    uint8_t width, key[KEY_BYTES_MOST]; /* width 0: free */
    uint32_t rows;                      /* that had it */
    uint32_t number;                    /* in the set, or NO_KEY_NUMBER */
};

enum { CURVES = GECC_CURVE25519 + 1 };

/* The keys of a curve. */
struct keys_of_curve {
    gecc_keys *set;
    struct entry *entries; /* a hash table; NULL: no call had keys of this curve yet */
    size_t mask, used;     /* mask: entries less 1 */
    size_t memory, capacity, count;
    bool full; /* or there is no memory: nothing more gets a table */
};

struct key_cache {
    gecc_context *context;
    pthread_mutex_t lock;
    size_t left; /* bytes that no curve has */
    uint64_t seed[2];
    struct keys_of_curve curves[CURVES];
};

struct key_cache *key_cache_new(gecc_context *context, size_t bytes) {
    struct key_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL || getentropy(cache->seed, sizeof cache->seed) != 0) {
        free(cache);
        return NULL;
    }
    cache->context = context;
    cache->left = bytes;
    cache->seed[1] |= 1;
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void key_cache_free(struct key_cache *cache) {
    if (cache == NULL)
        return;
    for (size_t i = 0; i < CURVES; i++) {
        gecc_keys_close(cache->curves[i].set);
        free(cache->curves[i].entries);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static size_t key_memory(gecc_curve curve) {
    const size_t bytes = gecc_curve_bytes(curve), windows = (8 * bytes + WINDOW - 1) / WINDOW;
    const size_t entry = curve == GECC_CURVE25519 ? 4 * bytes : bytes * ENTRY_BYTES_A_LIMB_BYTE / 2;
    return windows * (((size_t)1 << (WINDOW - 1)) + 1) * entry;
}

/* A curve's share is half of what is left, since most inputs have keys of one curve. */
static bool keys_begin(struct key_cache *cache, struct keys_of_curve *keys, gecc_curve curve) {
    size_t entries = ENTRIES_LEAST;
    if (keys->entries != NULL || keys->full)
        return keys->entries != NULL;
    keys->memory = cache->left / 2;
    keys->capacity = keys->memory / key_memory(curve);
    while (entries < ENTRIES_A_KEY * keys->capacity)
        entries *= 2;
    keys->entries = keys->capacity != 0 ? calloc(entries, sizeof keys->entries[0]) : NULL;
    keys->mask = entries - 1;
    keys->full = keys->entries == NULL;
    if (!keys->full)
        cache->left -= keys->memory;
    return !keys->full;
}

__extension__ typedef unsigned __int128 wide;

/* By a seed that nobody can guess, or keys could be made that all have one hash. */
static size_t hash_of(const uint64_t seed[2], const uint8_t *key, size_t width) {
    uint64_t hash = seed[0] ^ width;
    for (size_t i = 0; i < width; i += 8) {
        uint64_t word = 0;
        memcpy(&word, key + i, width - i < 8 ? width - i : 8);
        wide product = (wide)(hash ^ word) * seed[1];
        hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    return (size_t)hash;
}

/* The key's entry, or a free one. */
static struct entry *entry_of(const struct key_cache *cache, const struct keys_of_curve *keys, const uint8_t *key,
                              size_t width) {
    size_t at = hash_of(cache->seed, key, width) & keys->mask;
    while (keys->entries[at].width != 0 &&
           (keys->entries[at].width != width || memcmp(keys->entries[at].key, key, width) != 0))
        at = (at + 1) & keys->mask;
    return &keys->entries[at];
}

/* All counts are halved, and of keys without tables those are forgotten that came once. */
static void forget(const struct key_cache *cache, struct keys_of_curve *keys) {
    struct entry *before = keys->entries;
    struct entry *after = calloc(keys->mask + 1, sizeof after[0]);
    if (after == NULL) {
        keys->full = true;
        return;
    }
    keys->entries = after;
    keys->used = 0;
    for (size_t i = 0; i <= keys->mask; i++) {
        before[i].rows /= 2;
        if (before[i].width != 0 && (before[i].number != NO_KEY_NUMBER || before[i].rows != 0)) {
            *entry_of(cache, keys, before[i].key, before[i].width) = before[i];
            keys->used++;
        }
    }
    free(before);
}

/* One more row with this key. NULL: it cannot be had in mind. */
static struct entry *note(struct key_cache *cache, struct keys_of_curve *keys, const uint8_t *key, size_t width) {
    struct entry *entry = entry_of(cache, keys, key, width);
    if (entry->width == 0 && keys->used > keys->mask / 2 && !keys->full) {
        forget(cache, keys);
        entry = entry_of(cache, keys, key, width);
    }
    if (entry->width == 0) {
        if (keys->full || keys->used > keys->mask / 2)
            return NULL;
        entry->width = (uint8_t)width;
        memcpy(entry->key, key, width);
        entry->number = NO_KEY_NUMBER;
        keys->used++;
    }
    entry->rows += entry->rows != UINT32_MAX;
    return entry;
}

/* Tables for the keys of the entries listed, all at once. */
static void add(struct key_cache *cache, struct keys_of_curve *keys, gecc_curve curve, const size_t *list,
                size_t count) {
    uint64_t *offsets = malloc(count * sizeof *offsets);
    uint32_t *widths = malloc(count * sizeof *widths);
    uint8_t *status = malloc(count);
    gecc_result result = GECC_ERROR_MEMORY;
    size_t first = 0;
    if (offsets != NULL && widths != NULL && status != NULL) {
        for (size_t i = 0; i < count; i++) {
            offsets[i] = list[i] * sizeof(struct entry) + offsetof(struct entry, key);
            widths[i] = keys->entries[list[i]].width;
        }
        const gecc_rows points = {keys->entries, 0, 0, widths, offsets};
        gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
        config.rows = ROWS_EXPECTED;
        config.memory = keys->memory;
        config.capacity = keys->capacity;
        result = keys->set == NULL ? gecc_keys_open(cache->context, &keys->set, curve, gecc_out_packed(status, 1),
                                                    points, count, &config)
                                   : gecc_keys_add(keys->set, gecc_out_packed(status, 1), points, count, &first);
    }
    for (size_t i = 0; i < count && result == GECC_OK; i++)
        keys->entries[list[i]].number = (uint32_t)(first + i);
    keys->count += result == GECC_OK ? count : 0;
    keys->full = result != GECC_OK || keys->count == keys->capacity;
    free(offsets);
    free(widths);
    free(status);
}

/* Tables for what the rows have whose entries say that it came often enough. */
static void add_frequent(struct key_cache *cache, struct keys_of_curve *keys, gecc_curve curve) {
    size_t room = keys->capacity - keys->count, count = 0;
    size_t *list = calloc(room + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i <= keys->mask && count < room; i++) {
        const struct entry *entry = &keys->entries[i];
        if (entry->width != 0 && entry->number == NO_KEY_NUMBER && entry->rows >= ROWS_LEAST)
            list[count++] = i;
    }
    if (count != 0)
        add(cache, keys, curve, list, count);
    free(list);
}

static bool has_width(gecc_curve curve, int x_only, size_t width) {
    const size_t bytes = gecc_curve_bytes(curve);
    return x_only || curve == GECC_CURVE25519 ? width == bytes
                                              : width == 1 + bytes || width == 2 * bytes || width == 1 + 2 * bytes;
}

gecc_keys *key_cache_find(struct key_cache *cache, gecc_curve curve, int x_only, const gecc_rows *rows, size_t count,
                          uint32_t *number) {
    struct keys_of_curve *keys = &cache->curves[curve];
    bool frequent = false;
    pthread_mutex_lock(&cache->lock);
    bool begun = keys_begin(cache, keys, curve);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *key = (const uint8_t *)rows->data + (rows->offsets ? rows->offsets[i] : i * rows->stride);
        const size_t width = rows->widths ? rows->widths[i] : rows->width;
        const struct entry *entry = begun && has_width(curve, x_only, width) ? note(cache, keys, key, width) : NULL;
        number[i] = entry ? entry->number : NO_KEY_NUMBER;
        frequent |= entry && entry->number == NO_KEY_NUMBER && entry->rows >= ROWS_LEAST;
    }
    if (frequent && !keys->full)
        add_frequent(cache, keys, curve);
    gecc_keys *set = keys->set;
    pthread_mutex_unlock(&cache->lock);
    return set;
}

size_t key_cache_count(struct key_cache *cache) {
    size_t count = 0;
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < CURVES; i++)
        count += cache->curves[i].count;
    pthread_mutex_unlock(&cache->lock);
    return count;
}
