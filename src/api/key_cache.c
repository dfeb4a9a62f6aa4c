#define _DEFAULT_SOURCE /* getentropy */

#include "api/key_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "api/keys.h"
#include "backend/job_rows.h"
#include "backend/key_column.h"
#include "backend/least.h"
#include "backend/report.h"
#include "backend/row_list.h"
#include "curve/sizes.h"

/* A key gets a table once it has come so often, with windows for as many rows to come as it is then expected to have. A
 * set is opened for as many keys as have room with windows of 6 bits. */
enum { ROWS_LEAST = 64, ROWS_EXPECTED = 1024, WINDOW = 6, ENTRY_BYTES_A_LIMB_BYTE = 5, KEY_BYTES_MOST = 1 + 2 * 66 };

/* Tables that a call makes at most, since others wait for it. */
enum { MADE_AT_ONCE = 64 };

/* Keys that are counted at once, for each that has room for a table. When they are too many, those without a table are
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
    pid_t process; /* that has the cache: in a child the lock may be held for ever */
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
    cache->process = getpid();
    cache->left = bytes;
    cache->seed[1] |= 1;
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void gecc_key_cache_free(struct key_cache *cache) {
    if (cache == NULL || cache->process != getpid())
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

/* One more row with this key. NULL: there is no room to count it. */
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
    size_t room = least(keys->capacity - keys->count, MADE_AT_ONCE), count = 0;
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

/* The set of the curve's keys with tables, and in number[i] row i's key in it, or NO_KEY_NUMBER. NULL: no row has one.
 * The set stays until the cache is freed. */
static gecc_keys *find(struct key_cache *cache, const struct job *job, uint32_t *number) {
    const struct keys_of_curve *keys = &cache->curves[job->curve];
    bool any = false;
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < job->count && keys->count != 0; i++) {
        const struct key_encoding key = key_at(&job->in[0], i);
        const struct entry *entry = has_width(job, key.width) ? entry_of(cache, keys, key) : NULL;
        number[i] = entry != NULL && entry->width != 0 ? entry->number : NO_KEY_NUMBER;
        any |= number[i] != NO_KEY_NUMBER;
    }
    gecc_keys *set = any ? keys->set : NULL;
    pthread_mutex_unlock(&cache->lock);
    return set;
}

static bool is_good(const struct job *job, size_t i) {
    return ((const uint8_t *)job->status.data)[i * job->status.stride] == GECC_ITEM_OK;
}

/* Count the rows of keys that have no number, which are those of good signatures: others anybody can make. Keys that
 * have come often enough by then get tables for calls to come. Returns how many keys of all curves have tables. */
static size_t count_rows(struct key_cache *cache, const struct job *job, const uint32_t *number) {
    struct keys_of_curve *keys = &cache->curves[job->curve];
    bool frequent = false;
    size_t kept = 0;
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < job->count; i++) {
        const struct key_encoding key = key_at(&job->in[0], i);
        if ((number != NULL && number[i] != NO_KEY_NUMBER) || !is_good(job, i) || !has_width(job, key.width) ||
            !keys_begin(cache, keys, job->curve))
            continue;
        const struct entry *entry = note(cache, keys, key);
        frequent |= entry != NULL && entry->number == NO_KEY_NUMBER && entry->rows >= ROWS_LEAST;
    }
    if (frequent && !keys->full)
        add_frequent(cache, keys, job->curve);
    for (size_t i = 0; i < CURVES; i++)
        kept += cache->curves[i].count;
    pthread_mutex_unlock(&cache->lock);
    return kept;
}

/* Run the rows whose keys have numbers by these; where that is impossible, or part of them fails, they have no result
 * yet. Returns how many were run. */
static size_t run_numbered(const struct instance *instance, const struct job *job, gecc_keys *set,
                           const uint32_t *number, gecc_report *report, gecc_result *result) {
    struct row_list list;
    size_t count = 0;
    uint8_t *listed = malloc(job->count * KEY_NUMBER_BYTES);
    bool made = listed != NULL && gecc_row_list_make(&list, job, job->count);
    for (size_t i = 0; made && i < job->count; i++)
        if (number[i] != NO_KEY_NUMBER) {
            key_number_write(listed + KEY_NUMBER_BYTES * count, number[i]);
            list.row[count++] = (uint32_t)i;
        }
    if (made) {
        struct job rows = gecc_row_list_job(&list, job, count);
        rows.operation = gecc_operation_by_keys(job->operation);
        rows.keys = gecc_keys_now(set);
        rows.in[0] = gecc_rows_packed(listed, KEY_NUMBER_BYTES);
        *result = instance->backend->run(instance->state, &rows, report);
        gecc_row_list_publish(&list, job, count);
        gecc_row_list_free(&list);
    }
    free(listed);
    return count;
}

/* Run the rows that have no result, as the job has them. */
static gecc_result run_rest(const struct instance *instance, const struct job *job, gecc_report *report) {
    struct row_list list;
    size_t count = 0;
    gecc_result result = GECC_ERROR_MEMORY;
    if (!gecc_row_list_make(&list, job, job->count))
        return result;
    for (size_t i = job_find_row(job, 0, true); i < job->count; i = job_find_row(job, i + 1, true))
        list.row[count++] = (uint32_t)i;
    struct job rest = gecc_row_list_job(&list, job, count);
    rest.rows_are_grouped = false; /* keys may repeat within them */
    result = instance->backend->run(instance->state, &rest, report);
    gecc_row_list_publish(&list, job, count);
    gecc_row_list_free(&list);
    return result;
}

/* With tables where keys have them. */
static gecc_result run(const struct instance *instance, const struct job *job, gecc_keys *set, const uint32_t *number,
                       gecc_report *report) {
    gecc_result result = GECC_OK;
    gecc_report own = GECC_REPORT_INIT;
    if (set == NULL)
        return instance->backend->run(instance->state, job, report);
    const size_t numbered = run_numbered(instance, job, set, number, report, &result);
    report->prepared_rows = numbered;
    if (result != GECC_OK && !job_can_go_on(result))
        return result;
    if (job_find_row(job, 0, true) == job->count)
        return GECC_OK;
    result = run_rest(instance, job, &own);
    gecc_report_add(report, numbered, &own, job->count - numbered);
    return result;
}

bool gecc_key_cache_run(struct key_cache *cache, const struct job *job, gecc_report *report, gecc_result *result) {
    if (gecc_operation_by_keys(job->operation) == OPERATION_COUNT || job->on_device != 0 || job->count == 0 ||
        job->count > UINT32_MAX || (job->flags & GECC_LITTLE_ENDIAN) != 0 || cache->process != getpid())
        return false;
    uint32_t *number = malloc(job->count * sizeof *number);
    if (number == NULL)
        return false;
    gecc_keys *set = find(cache, job, number);
    *result = run(&cache->context->instance, job, set, number, report);
    report->kept_keys = count_rows(cache, job, set != NULL ? number : NULL);
    free(number);
    return true;
}
