#define _DEFAULT_SOURCE /* getentropy */

#include "api/key_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "api/keys.h"
#include "backend/key_column.h"
#include "backend/least.h"
#include "backend/row_list.h"
#include "curve/sizes.h"

/* A key gets a table once it has come so often; where it is expected to come thereafter is what windows are chosen for.
 * A set is opened for as many keys as have room with windows of 6 bits. */
enum { ROWS_LEAST = 64, ROWS_EXPECTED = 1024, WINDOW = 6, ENTRY_BYTES_A_LIMB_BYTE = 5, KEY_BYTES_MOST = 1 + 2 * 66 };

/* Rows that are run at once. */
enum { ROWS_AT_ONCE = 1 << 18 };

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

struct key_cache *gecc_key_cache_new(gecc_context *context, size_t bytes) {
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

void gecc_key_cache_free(struct key_cache *cache) {
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
    const size_t bytes = curve_bytes(curve), windows = (8 * bytes + WINDOW - 1) / WINDOW;
    const size_t entry = curve_is_weierstrass(curve) ? bytes * ENTRY_BYTES_A_LIMB_BYTE / 2 : 4 * bytes;
    return windows * (((size_t)1 << (WINDOW - 1)) + 1) * entry;
}

/* A curve's share is half of what is left, since most inputs have keys of one curve. */
static bool keys_begin(struct key_cache *cache, struct keys_of_curve *keys, gecc_curve curve) {
    size_t entries = ENTRIES_LEAST;
    if (keys->entries != NULL || keys->full)
        return keys->entries != NULL;
    const size_t bytes = key_memory(curve);
    keys->memory = cache->left / 2;
    keys->capacity = bytes == 0 ? 0 : keys->memory / bytes;
    while (entries < ENTRIES_A_KEY * keys->capacity)
        entries *= 2;
    keys->entries = keys->capacity != 0 ? calloc(entries, sizeof keys->entries[0]) : NULL;
    keys->mask = entries - 1;
    keys->full = keys->entries == NULL;
    if (!keys->full)
        cache->left -= keys->memory;
    return !keys->full;
}

/* The key's entry, or a free one. */
static struct entry *entry_of(const struct key_cache *cache, const struct keys_of_curve *keys,
                              struct key_encoding key) {
    size_t at = key_hash(cache->seed, key) & keys->mask;
    while (keys->entries[at].width != 0 &&
           !keys_equal(key, (struct key_encoding){keys->entries[at].key, keys->entries[at].width}))
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
            *entry_of(cache, keys, (struct key_encoding){before[i].key, before[i].width}) = before[i];
            keys->used++;
        }
    }
    free(before);
}

/* One more row with this key. NULL: it cannot be had in mind. */
static struct entry *note(const struct key_cache *cache, struct keys_of_curve *keys, struct key_encoding key) {
    struct entry *entry = entry_of(cache, keys, key);
    if (entry->width == 0 && keys->used > keys->mask / 2 && !keys->full) {
        forget(cache, keys);
        entry = entry_of(cache, keys, key);
    }
    if (entry->width == 0) {
        if (keys->full || keys->used > keys->mask / 2)
            return NULL;
        entry->width = (uint8_t)key.width;
        memcpy(entry->key, key.data, key.width);
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

static bool has_width(const struct job *job, size_t width) {
    const size_t bytes = curve_bytes(job->curve);
    return job->operation == OPERATION_SCHNORR_VERIFY || !curve_is_weierstrass(job->curve)
               ? width == bytes
               : width == 1 + bytes || width == 2 * bytes || width == 1 + 2 * bytes;
}

/* The set of the curve's keys with tables, NULL while there is none; number[i]: of row i's key in it, or NO_KEY_NUMBER.
 * Rows are counted, and keys that have come often enough by then get tables for calls to come. The set stays until the
 * cache is freed. *kept: how many keys of all curves have tables. */
static gecc_keys *find(struct key_cache *cache, const struct job *job, uint32_t *number, size_t *kept) {
    struct keys_of_curve *keys = &cache->curves[job->curve];
    bool frequent = false;
    pthread_mutex_lock(&cache->lock);
    bool begun = keys_begin(cache, keys, job->curve);
    for (size_t i = 0; i < job->count; i++) {
        const struct key_encoding key = key_at(&job->in[0], i);
        const struct entry *entry = begun && has_width(job, key.width) ? note(cache, keys, key) : NULL;
        number[i] = entry != NULL ? entry->number : NO_KEY_NUMBER;
        frequent |= entry != NULL && entry->number == NO_KEY_NUMBER && entry->rows >= ROWS_LEAST;
    }
    if (frequent && !keys->full)
        add_frequent(cache, keys, job->curve);
    gecc_keys *set = keys->set;
    *kept = 0;
    for (size_t i = 0; i < CURVES; i++)
        *kept += cache->curves[i].count;
    pthread_mutex_unlock(&cache->lock);
    return set;
}

/* A call on its way. */
struct run {
    const struct instance *instance;
    const struct job *job;
    const uint32_t *number; /* of each row's key */
    struct key_set keys;
    struct row_list list;
    uint32_t *listed; /* numbers of the rows listed */
    gecc_report *report;
};

/* Run the rows listed: by their numbers, or without. */
static gecc_result run_listed(const struct run *r, size_t count, bool by_number) {
    struct job job = gecc_row_list_job(&r->list, r->job, count);
    const gecc_report before = *r->report;
    if (by_number) {
        job.operation = gecc_operation_by_keys(job.operation);
        job.keys = r->keys;
        job.in[0] = gecc_rows_packed(r->listed, sizeof r->listed[0]);
    }
    job.rows_are_grouped = by_number;
    gecc_result result = r->instance->backend->run(r->instance->state, &job, r->report);
    gecc_row_list_publish(&r->list, r->job, count);
    r->report->seconds += before.seconds;
    r->report->kernel_seconds += before.kernel_seconds;
    r->report->prepared_keys += before.prepared_keys;
    r->report->prepared_rows += before.prepared_rows + (by_number ? count : 0);
    return result;
}

/* Run the rows whose keys have numbers, or those whose keys have none. */
static gecc_result run_some(const struct run *r, bool by_number) {
    gecc_result result = GECC_OK;
    size_t count = 0;
    for (size_t i = 0; i < r->job->count && result == GECC_OK; i++) {
        if ((r->number[i] != NO_KEY_NUMBER) == by_number) {
            r->listed[count] = r->number[i];
            r->list.row[count++] = (uint32_t)i;
        }
        if (count != 0 && (count == ROWS_AT_ONCE || i + 1 == r->job->count)) {
            result = run_listed(r, count, by_number);
            count = 0;
        }
    }
    return result;
}

bool gecc_key_cache_run(struct key_cache *cache, const struct job *job, gecc_report *report, gecc_result *result) {
    const size_t room = least(job->count, ROWS_AT_ONCE);
    if (gecc_operation_by_keys(job->operation) == OPERATION_COUNT || job->on_device != 0 || job->count == 0 ||
        job->count > UINT32_MAX)
        return false;
    size_t kept = 0;
    uint32_t *number = malloc(job->count * sizeof *number);
    struct run r = {.instance = &cache->context->instance,
                    .job = job,
                    .number = number,
                    .listed = malloc(room * sizeof *r.listed),
                    .report = report};
    bool has_room = number != NULL && r.listed != NULL && gecc_row_list_make(&r.list, job, room);
    if (has_room) {
        gecc_keys *set = find(cache, job, number, &kept);
        *result = GECC_OK;
        if (set != NULL) {
            r.keys = gecc_keys_now(set);
            *result = run_some(&r, true);
        }
        if (*result == GECC_OK)
            *result = run_some(&r, false);
        report->kept_keys = kept;
        gecc_row_list_free(&r.list);
    }
    free(number);
    free(r.listed);
    return has_room;
}
